# The kernels that must be fast compile for sm_90a without spills and without the
# assembler's warnings that it waits for each product (C7510 and its kin); where a
# disassembler is, the instructions that carry them are there.
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
  echo "no nvcc here"
  exit 77
fi
case $("$nvcc" --version) in
*"release 11."*)
  echo "this nvcc does not know sm_90a"
  exit 77
  ;;
esac
"$MOONTILE" -t "cuda -build -arch=sm_90a" lib/flagship.lua "$TMP" || exit 1
for name in gemm_f16 gemm_bf16 gemm_fp8 attention_64 attention_128; do
  if ! "$nvcc" -gencode=arch=compute_90a,code=sm_90a -Xptxas -v -cubin \
    -o "$TMP/$name.cubin" "$TMP/$name.cu" >"$TMP/log" 2>&1; then
    head -n 20 "$TMP/log"
    exit 1
  fi
  echo "$name: $(grep -Eo '[0-9]+ bytes spill stores, [0-9]+ bytes spill loads' "$TMP/log")"
  grep -E 'C75[0-9][0-9]' "$TMP/log"
  command -v cuobjdump >/dev/null || continue
  cuobjdump -sass "$TMP/$name.cubin" >"$TMP/sass"
  for want in GMMA UTMALDG SYNCS USETMAXREG; do
    grep -q "$want" "$TMP/sass" || echo "no $want"
  done
done
