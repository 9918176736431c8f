# Sourced by the tests of this folder: makes the stand-ins and points the program at
# them.  Skips (77) without a C++ compiler that they need.  Kernels that one test has
# compiled serve the others, and the next run.

work=$(dirname "$MOONTILE_CACHE_DIR")/standin
lib=$(cd lib 2>/dev/null && pwd || echo "$PWD/../standin/lib")
export STANDIN_CXX="${STANDIN_CXX:-clang++-19}" STANDIN_FOLDER="$lib"
# What was compiled in another run lies in a folder of what goes into all of them.
key=$(cat "$lib"/*.hpp "$lib"/*.h "$lib/compile.c" | cksum | tr ' ' -)
export STANDIN_CACHE="${KERNELS:-$work/kernels}/standin-$key" STANDIN_LOG="" STANDIN_CRIMES="$TMP/crimes"
trap 'cat "$STANDIN_CRIMES" 2>/dev/null' EXIT # what no program must do fails any test
export STANDIN_PCH="$work/headers-$key" STANDIN_TEXTS=""
export MOONTILE_PROBE=off # nothing is asked of a device before its first kernel
command -v "$STANDIN_CXX" >/dev/null || { echo "no $STANDIN_CXX"; exit 77; }
mkdir -p "$STANDIN_CACHE"

# device.hpp as each kernel of HIP or MACA reads it, with the flags of lib/compile.c
headers() {
    mkdir -p "$STANDIN_PCH"
    for kind in hip maca; do
        [ $kind = maca ] && maca=-DSTANDIN_MACA=1 || maca=-w
        "$STANDIN_CXX" -x c++-header -std=c++17 -O0 -fPIC -ffp-contract=off -fno-math-errno \
            -fno-exceptions -fno-rtti -w $maca -o "$STANDIN_PCH/$kind.pch" "$lib/device.hpp" || exit 1
    done
}

# Products are made of fmaf, one instruction where the processor has it.
fast() {
    echo | ${CC:-cc} -mfma -x c -c -o /dev/null - 2>/dev/null && grep -q ' fma ' /proc/cpuinfo && echo -mfma
}

# objects FOLDER [FLAGS]: those in which the flags matter, and once the others
objects() {
    to=$1
    shift
    for part in grid mma math compile ledger; do
        [ -e "$work/$part.o" ] || $cc -c -o "$work/$part.o" "$lib/$part.c" || return
    done
    for part in runtime rtc; do
        $cc -c "$@" -o "$to/$part.o" "$lib/$part.c" &&
            $cc -c "$@" -DSTANDIN_MACA -o "$to/$part-maca.o" "$lib/$part.c" || return
    done
}

# libraries FOLDER: of these objects, and the offline compilers
libraries() {
    parts="$work/grid.o $work/mma.o $work/math.o $work/compile.o $work/ledger.o -pthread -ldl -lm"
    (cd "$1" && $cc -shared -o libmcruntime.so runtime-maca.o rtc-maca.o $parts &&
        $cc -shared -o libamdhip64.so runtime.o $parts &&
        $cc -shared -o libhiprtc.so rtc.o "$work/compile.o" "$work/ledger.o" -pthread &&
        $cc -shared -o libgalaxyhip.so.5 runtime.o rtc.o $parts &&
        $cc -o mxcc "$lib/offline.c" "$work/compile.o" && cp mxcc hipcc)
}

# made FOLDER [FLAGS]: the libraries and compilers in $work/FOLDER, once a run
made() {
    folder=$1 to="$work/$1"
    shift
    mkdir -p "$work"
    exec 9>"$work/lock"
    flock 9
    if [ ! -e "$to/done" ]; then
        mkdir -p "$to"
        cc="${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fPIC -I$lib"
        cc="$cc -Wall -Wextra -Wno-unused-function $(fast)"
        cc="$cc -DSTANDIN_LIBGCC=\"$(${CC:-cc} -print-libgcc-file-name)\""
        { objects "$to" "$@" && libraries "$to"; } >"$to/cc.log" 2>&1 || { cat "$to/cc.log"; exit 1; }
        cat "$to/cc.log"
        [ "$folder" != std ] || headers
        : >"$to/done"
    fi
    exec 9>&-
}

# use FOLDER [FLAGS]: the program takes these
use() {
    made "$@"
    to="$work/$1"
    export MOONTILE_MACA_LIB="$to/libmcruntime.so" MOONTILE_HIP_LIB="$to/libamdhip64.so"
    export MOONTILE_HIPRTC_LIB="$to/libhiprtc.so" MOONTILE_MXCC=/nowhere MOONTILE_HIPCC=/nowhere
}

# The first line and the label of each message, and the help; no file names.
brief() {
    sed -e 's/^[^ ]*: \(error\|warning\)/\1/' -e '/^ *[0-9][0-9]* | /d' -e 's/^ *| *^* /    /' \
        -e "s#$work#WORK#g" -e "s#$TMP#TMP#g"
}

# judge NAME TARGET: of a solution; its workers read what the stand-ins are to do from a file
judge() {
    cp "../../puzzles/$1/solution.lua" "$TMP/mine/$1.lua"
    { env | grep ^STANDIN_; echo STANDIN_MEMORY=20000000; } >"$TMP/settings"
    MOONTILE_STANDIN_LIB="$TMP/settings" "$MOONTILE" --lang en puzzles run "$1" --dir "$TMP/mine" -t "$2" \
        >"$TMP/out" 2>&1
    echo "$1 on $2: $?, $(head -1 "$TMP/out" | cut -d' ' -f1-4)"
}
