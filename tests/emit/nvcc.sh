# The printed kernels of the examples and of the conformance suite compile with nvcc,
# without warnings; the flagships keep their accumulators in registers.
#
# MOONTILE_EMIT=all compiles every kernel for every machine (minutes); as it is, two
# suites go to one machine each, and of each only some kernels.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc here"; exit 77; }
ROOT=$(cd ../..; pwd)

# print ARCH SUITE: its kernels into $TMP/ARCH/SUITE
print() {
    out=$TMP/$1/$2
    mkdir -p "$out"
    case $2 in
    examples)
        for f in "$ROOT"/lua/examples/*.lua; do
            case $f in */frame.lua) continue ;; esac
            # Most of the time goes into tensors: only flagships have theirs of full size
            case $MOONTILE_EMIT$f in
            all* | */flash_attention.lua | */scale_relu_gemm.lua) size=nil ;;
            *) size='"small"' ;;
            esac
            name=$(basename "$f" .lua)
            mkdir -p "$out/$name"
            echo "arg[1] = $size; dofile \"$f\"" >"$out/$name.lua"
            "$MOONTILE" compile "$out/$name.lua" --emit cuda -t "cuda -arch=$1" \
                -o "$out/$name" >"$out.log" 2>&1 || cat "$out.log"
        done ;;
    *)
        (cd "$ROOT/tests/conform" && MOONTILE_CONFORM="cuda -arch=$1" "$MOONTILE" compile "$2.lua" \
            --emit cuda -t "cuda -arch=$1" -o "$out" >"$out.log" 2>&1) || cat "$out.log"
        grep FAILS "$out.log" ;;
    esac
}

# The kernels of $TMP/ARCH/SUITE, or each STEP-th, in one text, each in a namespace named by its file.
join() {
    (cd "$TMP/$1/$2" && find . -name '*.cu') | sort | awk "NR % $STEP == 0" | while read -r f; do
        echo "namespace in$(echo "${f%.cu}" | tr './-' '___') {"
        echo "#line 1 \"$1 $2 ${f#./}\""
        f=$TMP/$1/$2/$f
        sed 's/^extern "C" __global__/__global__/' "$f"
        echo "}"
    done >"$TMP/$1-$2.cu"
    grep -q __global__ "$TMP/$1-$2.cu" || echo "$1 $2: nothing was printed"
}

compile() {
    print "$1" "$2"
    join "$1" "$2"
    "$NVCC" -cubin -gencode="arch=compute_${1#sm_},code=$1" -Xptxas -v -o "$TMP/$1-$2.cubin" \
        "$TMP/$1-$2.cu" >"$TMP/$1-$2.log" 2>&1 || grep -m 5 error "$TMP/$1-$2.log"
    grep -E 'warning|C75[0-9][0-9]' "$TMP/$1-$2.log" | grep -v 'Wno-deprecated-gpu-targets'
    [ $2 = examples ] && spills "$1" "$2"
    echo "$1 $2: compiled"
}

# Accumulators that spill cost more than anything else here.
spills() {
    awk '/Compiling entry/ { f = $0 }
        /spill stores/ && !/ 0 bytes spill stores/ && f ~ /flash_attention|scale_relu_gemm|quickstart/ {
            print f; print }' "$TMP/$1-$2.log"
}

STEP=1
if [ "$MOONTILE_EMIT" = all ]; then
    for arch in sm_75 sm_80 sm_89 sm_90a; do
        for suite in examples elementwise reduce gemm; do compile $arch $suite; done
    done >"$TMP/all.log" 2>&1
    grep -v ': compiled$' "$TMP/all.log"
else
    compile sm_90a examples >"$TMP/a.log" &
    STEP=8
    compile sm_80 gemm >"$TMP/b.log"
    wait
    grep -vh ': compiled$' "$TMP/a.log" "$TMP/b.log"
fi
echo "all kernels compile"
