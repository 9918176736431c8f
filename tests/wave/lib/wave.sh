# Sourced by the tests of this folder: makes the stand-ins and points the program at
# them.  Skips (77) without a C++ compiler that they need.  Kernels that one test has
# compiled serve the others, and the next run.

work=$(dirname "$MOONTILE_CACHE_DIR")/wave
lib=$(cd lib 2>/dev/null && pwd || echo "$PWD/../wave/lib")
export FAKE_WAVE_CXX="${FAKE_WAVE_CXX:-clang++-19}" FAKE_WAVE_FOLDER="$lib"
# What was compiled in another run lies in a folder of what goes into all of them.
key=$(cat "$lib"/*.hpp "$lib"/*.h "$lib/compile.c" | cksum | tr ' ' -)
export FAKE_WAVE_CACHE="${KERNELS:-$work/kernels}/wave-$key" FAKE_WAVE_LOG="" FAKE_WAVE_CRIMES="$TMP/crimes"
trap 'cat "$FAKE_WAVE_CRIMES" 2>/dev/null' EXIT # what no program must do fails any test
export MOONTILE_PROBE=off # nothing is asked of a device before its first kernel
command -v "$FAKE_WAVE_CXX" >/dev/null || { echo "no $FAKE_WAVE_CXX"; exit 77; }
mkdir -p "$FAKE_WAVE_CACHE"

# made FOLDER [FLAGS]: the libraries and compilers in $work/FOLDER, once a run
made() {
    to="$work/$1"
    shift
    mkdir -p "$work"
    exec 9>"$work/lock"
    flock 9
    if [ ! -e "$to/done" ]; then
        mkdir -p "$to"
        cc="${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fPIC -I$lib"
        cc="$cc -Wall -Wextra -Wno-unused-function"
        cc="$cc -DSTANDIN_LIBGCC=\"$(${CC:-cc} -print-libgcc-file-name)\""
        parts="$lib/grid.c $lib/mma.c $lib/math.c $lib/compile.c $lib/ledger.c"
        { $cc -shared "$@" -DSTANDIN_MACA -o "$to/libmcruntime.so" "$lib/runtime.c" "$lib/rtc.c" \
              $parts -pthread -ldl -lm &&
          $cc -shared "$@" -o "$to/libamdhip64.so" "$lib/runtime.c" $parts -pthread -ldl -lm &&
          $cc -shared "$@" -o "$to/libhiprtc.so" "$lib/rtc.c" "$lib/compile.c" "$lib/ledger.c" \
              -pthread &&
          $cc -shared "$@" -o "$to/libgalaxyhip.so.5" "$lib/runtime.c" "$lib/rtc.c" $parts \
              -pthread -ldl -lm &&
          $cc -o "$to/mxcc" "$lib/offline.c" "$lib/compile.c" && cp "$to/mxcc" "$to/hipcc"
        } >"$to/cc.log" 2>&1 || { cat "$to/cc.log"; exit 1; }
        cat "$to/cc.log"
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
