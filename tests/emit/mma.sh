# Every matrix instruction that the printer can write compiles for its machine:
# the texts of unit/cuda_mma through nvcc.  Nothing spills, nothing is made slower
# by the assembler.
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
  echo "no nvcc here"
  exit 77
fi
TEXTS=${MOONTILE%/*}/tests/unit/cuda_mma
[ -x "$TEXTS" ] || { echo "no $TEXTS: make test builds it"; exit 77; }
"$TEXTS" "$TMP" || exit 1
for text in "$TMP"/sm_*.cu; do
  arch=$(basename "$text" .cu)
  arch=${arch#sm_}
  if ! "$nvcc" -gencode="arch=compute_$arch,code=sm_$arch" -Xptxas -v -cubin \
    -o "$TMP/k.cubin" "$text" >"$TMP/log" 2>&1; then
    echo "sm_$arch:"
    head -n 20 "$TMP/log"
    exit 1
  fi
  grep -E 'C75[0-9][0-9]|[1-9][0-9]* bytes spill' "$TMP/log"
done
echo ok
