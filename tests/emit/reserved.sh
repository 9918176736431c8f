# lib/reserved.lua as CUDA C++: what its names become; nvcc, where there is one, agrees.
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
"$MOONTILE" --lang en compile lib/reserved.lua --emit cuda -t "cuda -arch=sm_80" -o "$TMP" >"$TMP/list" || exit 1
for text in "$TMP"/*.cu; do
  grep -E -A1 '^extern "C"' "$text" | grep '('
  grep -E '(v_mma_s|v_atomic_f)[ [].*;' "$text" | head -n 2
  if [ -n "$nvcc" ]; then
    "$nvcc" -arch=sm_80 -diag-suppress 177 -cubin -o "$TMP/k.cubin" "$text" 2>&1
  fi
done
