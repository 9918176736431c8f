# What devices are asked with compiles for the chips themselves, without warnings: clang-19
# for AMD's, and for MetaX' with what its compiler has built in given by emit_maca.h.
CLANG=$(command -v clang-19) || { echo "no clang-19 here"; exit 77; }
cd ../standin
. lib/standin.sh
use std
export MOONTILE_CACHE_DIR="$TMP/cache" STANDIN_TEXTS="$TMP/text"
export STANDIN_LAUNCH=ErrorUnknown # compiling is enough
texts() { # texts TARGET CHIP ARCH [FLAGS]: all that the device is asked with, in one text
    target=$1 arch=$3
    export STANDIN_CHIP=$2
    shift 3
    rm -rf "$STANDIN_TEXTS"
    mkdir "$STANDIN_TEXTS"
    for group in basic mma threads shared grid async rates; do
        "$MOONTILE" --devprobe $target $group 3>/dev/null
    done
    n=0
    for f in "$STANDIN_TEXTS"/*; do
        n=$((n + 1))
        echo "namespace text$n {"
        echo "#line 1 \"$target $arch text $n\""
        sed 's/extern "C" __global__/__global__/' "$f"
        echo "}"
    done >"$TMP/$target.hip"
    "$CLANG" -x hip --offload-arch=$arch --cuda-device-only -nogpulib -nogpuinc -std=c++17 -O1 \
        -Wall -Wextra -Wno-unused-function -Wno-unused-parameter "$@" -S -o /dev/null "$TMP/$target.hip" ||
        echo "$target $arch: does not compile"
    echo "$target $arch: $n texts compile"
}
texts hip gfx942:sramecc+ gfx942
texts hip gfx90a gfx90a
texts hip gfx1100 gfx1100
texts maca "" gfx942 -include "$lib/emit_maca.h"
