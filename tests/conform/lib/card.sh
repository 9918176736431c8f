# `make conform-card`: the conformance suite on an NVIDIA card, bit by bit against the simulator
# of its machine; each case that differs with its reason.  RECORD=1 writes h200.bits anew, which
# the simulator of sm_90a is held against where there is no card: on an H200 only.
cd "$(dirname "$0")/.." || exit
export MOONTILE_CONFORM=cuda MOONTILE_TIME_LIMIT=300
if [ "${RECORD:-}" ]; then
    MOONTILE_CONFORM_RECORD=${TMPDIR:-/tmp}/h200.bits.$$
    export MOONTILE_CONFORM_RECORD
    : >"$MOONTILE_CONFORM_RECORD"
fi
out=${TMPDIR:-/tmp}/conform-card.$$
trap 'rm -f "$out"' EXIT
failed=0
for suite in elementwise gemm reduce attention; do
    echo "== $suite"
    "$MOONTILE" --lang en $suite.lua >"$out" 2>&1 || failed=1
    grep -v ': cuda$' "$out"
    grep -q ', 0 failures$' "$out" || failed=1
done
[ "${RECORD:-}" ] && [ $failed = 0 ] && mv "$MOONTILE_CONFORM_RECORD" h200.bits
exit $failed
