# kernels.sh: prints kernels as text of a target, and joins them for one compiler run.
ROOT=$(cd ../..; pwd)

# print TARGET ARCH SUITE: its kernels into $TMP/ARCH/SUITE
print() {
    out=$TMP/$2/$3
    mkdir -p "$out"
    case $3 in
    examples)
        for f in "$ROOT"/lua/examples/*.lua; do
            name=$(basename "$f" .lua)
            [ "$name" = frame ] && continue
            mkdir -p "$out/$name"
            echo "arg[1] = \"small\"; dofile \"$f\"" >"$out/$name.lua"
            "$MOONTILE" compile "$out/$name.lua" --emit "$1" -t "$1 -arch=$2" -o "$out/$name" \
                >"$out.log" 2>&1 || cat "$out.log"
        done ;;
    corpus)
        "$MOONTILE" lib/print_corpus.lua "$1 -arch=$2" "$out" "$1" ;;
    *)
        (cd "$ROOT/tests/conform" && MOONTILE_CONFORM="$1 -arch=$2" "$MOONTILE" compile "$3.lua" \
            --emit "$1" -t "$1 -arch=$2" -o "$out" >"$out.log" 2>&1) || cat "$out.log"
        grep FAILS "$out.log" ;;
    esac
}

# join TARGET ARCH SUITE: each STEP-th of $TMP/ARCH/SUITE in one text, each in a namespace
# named by its file.
join() {
    (cd "$TMP/$2/$3" && find . -name "*.$1") | sort | awk "NR % $STEP == 0" | while read -r f; do
        echo "namespace in$(echo "${f%."$1"}" | tr './-' '___') {"
        echo "#line 1 \"$2 $3 ${f#./}\""
        sed 's/^extern "C" __global__/__global__/' "$TMP/$2/$3/$f"
        echo "}"
    done >"$TMP/$2-$3.text"
    grep -q __global__ "$TMP/$2-$3.text" || echo "$2 $3: nothing was printed"
}

# check NAME ARCH FLAG ..: compiles $TMP/NAME.text for a chip; no warnings but of parameters
# that a kernel has and does not look at.
check() {
    name=$1
    arch=$2
    shift 2
    "$CLANG" -x hip --offload-arch="$arch" --cuda-device-only -nogpulib -nogpuinc -O3 -std=c++17 \
        -munsafe-fp-atomics -fno-strict-aliasing -Wall -Wextra -Wno-unused-parameter "$@" \
        -S -o "$TMP/$name.s" "$TMP/$name.text" \
        >"$TMP/$name.log" 2>&1 || grep -m 5 error "$TMP/$name.log"
    grep -m 5 'warning:' "$TMP/$name.log"
    [ -s "$TMP/$name.s" ] || echo "$name: not compiled"
}
