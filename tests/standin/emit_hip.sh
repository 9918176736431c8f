# The printed HIP of the examples and of the conformance suite compiles for gfx90a, gfx942
# and gfx1100 by plain clang, without ROCm and without warnings; no flagship spills on CDNA.
#
# MOONTILE_EMIT=all compiles every kernel for every chip (two minutes); as it is, the
# examples go to one.  The corpus of small kernels: emit_hip_corpus.sh.
CLANG=$(command -v clang-19) || { echo "no clang-19 here"; exit 77; }
. lib/kernels.sh

compile() { # ARCH SUITE
    print hip "$1" "$2"
    join hip "$1" "$2"
    check "$1-$2" "$1"
}

# Registers of vectors that go to memory cost more than anything else here, and so do
# arrays that become none.
spills() {
    awk '/\.name:/ { f = $2 }
        /vgpr_spill_count: +[1-9]|private_segment_fixed_size: +[1-9]/ &&
            f ~ /attention|matmul|gemm/ { print f, $0 }' "$TMP"/gfx9*-examples.s
}

STEP=1
if [ "$MOONTILE_EMIT" = all ]; then
    for arch in gfx90a gfx942 gfx1100; do
        for suite in examples elementwise reduce gemm attention; do
            compile $arch $suite
        done
    done
else
    compile gfx942 examples
fi
spills
echo "all texts compile"
