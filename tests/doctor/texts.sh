# What devices are asked with compiles for the chips themselves, without warnings: clang-19
# for AMD's, and for MetaX' with what its compiler has built in given by emit_maca.h.
CLANG=$(command -v clang-19) || { echo "no clang-19 here"; exit 77; }
cd ../wave
. lib/wave.sh
use std
export MOONTILE_CACHE_DIR="$TMP/cache" FAKE_WAVE_CACHE="$TMP/kernels"
export FAKE_WAVE_LAUNCH=ErrorUnknown # compiling is enough
export CAUGHT="$TMP/text" CATCH_CXX="$FAKE_WAVE_CXX" FAKE_WAVE_CXX="$TMP/catch"
cat >"$TMP/catch" <<'END'
#!/bin/sh
cat >"$CAUGHT/$$"
exec "$CATCH_CXX" "$@" <"$CAUGHT/$$"
END
chmod +x "$TMP/catch"
texts() { # texts TARGET CHIP ARCH [FLAGS]: all that the device is asked with
    target=$1 arch=$3
    export FAKE_WAVE_CHIP=$2
    shift 3
    rm -rf "$CAUGHT" "$FAKE_WAVE_CACHE"
    mkdir "$CAUGHT" "$FAKE_WAVE_CACHE"
    for group in basic mma threads shared grid async rates; do
        "$MOONTILE" --exam $target $group 3>/dev/null
    done
    n=0
    for f in "$CAUGHT"/*; do
        sed -e '1,/^#line 1 "kernel"/d' -e '/^static void standin_0/,$d' \
            -e 's/extern thread_local/extern __shared__/' "$f" >"$TMP/$target.hip"
        "$CLANG" -x hip --offload-arch=$arch --cuda-device-only -nogpulib -nogpuinc -std=c++17 -O1 \
            -Wall -Wextra -Wno-unused-function -Wno-unused-parameter "$@" -S -o /dev/null "$TMP/$target.hip" ||
            cat "$TMP/$target.hip"
        n=$((n + 1))
    done
    echo "$target $arch: $n texts compile"
}
texts hip gfx942:sramecc+ gfx942
texts hip gfx90a gfx90a
texts hip gfx1100 gfx1100
texts maca "" gfx942 -include "$lib/emit_maca.h"
