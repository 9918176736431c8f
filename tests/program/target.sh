# -t: the target must exist; what needs a device says what it looked for.
run() {
    echo "\$ moontile $*"
    "$MOONTILE" "$@" >"$TMP/out" 2>&1
    status=$?
    sed -E 's/(looked for|已查找).*/\1 .../' "$TMP/out" # what is there differs
    echo "[$status]"
}
run -t cpu -e 'print(tl.current_device())'
run --target=auto -e 'print(tl.current_device())'
run -t 'cpu -threads=1' -e 'dofile "lib/kernels.lua" print(double(ones))'
run -t nosuch -e 'print "never"'
export MOONTILE_MACA_LIB=/nowhere MOONTILE_HIP_LIB=/nowhere
run -t maca -e 'dofile "lib/kernels.lua" print(double(ones))'
run --lang zh -t hip -e 'dofile "lib/kernels.lua" print(double(ones))'
run -t metal -e 'print "never"'
