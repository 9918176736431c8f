# The printed HIP of the examples, of the conformance suite and of a corpus of small
# kernels compiles for gfx90a, gfx942 and gfx1100 by plain clang, without ROCm and without
# warnings; no flagship spills on CDNA.
#
# MOONTILE_EMIT=all compiles every kernel for every chip (a minute); as it is, the examples
# go to one of them, the corpus to another, and a third of it to the others.
CLANG=$(command -v clang-19) || { echo "no clang-19 here"; exit 77; }
. lib/kernels.sh

compile() { # ARCH SUITE
    print hip "$1" "$2"
    join hip "$1" "$2"
    check "$1-$2" "$1"
}

# Registers of vectors that go to memory cost more than anything else here.
spills() {
    awk '/\.name:/ { f = $2 }
        /vgpr_spill_count: +[1-9]/ && f ~ /attention|matmul|gemm/ { print f, $0 }' \
        "$TMP"/gfx9*-examples.s
}

STEP=1
if [ "$MOONTILE_EMIT" = all ]; then
    for arch in gfx90a gfx942 gfx1100; do
        for suite in corpus examples elementwise reduce gemm; do compile $arch $suite; done
    done
else
    compile gfx942 examples
    compile gfx1100 corpus
    STEP=3
    compile gfx942 corpus
    compile gfx90a corpus
fi
spills
echo "all texts compile"
