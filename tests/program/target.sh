# -t: the target must exist; and what needs a device says what it looked for.
run() { echo "\$ moontile $*"; "$MOONTILE" "$@" 2>&1; echo "[$?]"; }
run -t cpu -e 'print(tl.current_device())'
run --target=auto -e 'print(tl.current_device())'
run -t 'cpu -threads=1' -e 'dofile "lib/kernels.lua" print(double(ones))'
run -t nosuch -e 'print "never"'
run -t cuda -e 'print "never"'
run --lang zh -t hip -e 'print "never"'
