# The printed HIP of a corpus of small kernels, which have every statement, type, conversion,
# atomic and matrix instruction in them, compiles for gfx90a, gfx942 and gfx1100 by plain
# clang, without ROCm and without warnings.
CLANG=$(command -v clang-19) || { echo "no clang-19 here"; exit 77; }
. lib/kernels.sh

compile() { # ARCH SUITE
    print hip "$1" "$2"
    mkdir "$TMP/$1/products" && mv "$TMP/$1/$2"/product_*.hip "$TMP/$1/products"
    join hip "$1" "$2"
    check "$1-$2" "$1"
}

# All products of a chip, and the instructions that they become.
matrix() { # ARCH
    (cd "$TMP/$1/products" && for f in *.hip; do
        echo "namespace in_${f%.hip} {"
        sed 's/^extern "C" __global__/__global__/' "$f"
        echo "}"
    done) >"$TMP/matrix-$1.text"
    check "matrix-$1" "$1"
    grep -ho 'v_[mw]*fma_[^ ]*\|v_wmma_[^ ]*' "$TMP/matrix-$1.s" | sort -u | tr '\n' ' '
    echo "on $1"
}

STEP=1
for arch in gfx90a gfx942 gfx1100; do compile $arch corpus; done
for arch in gfx90a gfx942 gfx1100; do matrix $arch; done
# What hipcc puts in front by itself has some of HIP's words, not all
cp "$TMP/matrix-gfx942.text" "$TMP/hipcc.text"
check hipcc gfx942 -include __clang_hip_runtime_wrapper.h
# A sum of floats in memory is an instruction, not a loop
cp "$TMP/gfx942/corpus/atomic_sum_float32.hip" "$TMP/sum.text"
check sum gfx942
grep -o 'global_atomic_[a-z0-9_]*' "$TMP/sum.s"
echo "all texts compile"
