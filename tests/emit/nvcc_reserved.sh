# nvcc takes the names that reserved.sh prints.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc here"; exit 77; }
"$MOONTILE" --lang en compile lib/reserved.lua --emit cuda -t "cuda -arch=sm_80" -o "$TMP" >"$TMP/list" 2>&1 || exit 1
for text in "$TMP"/*.cu; do
  "$NVCC" -arch=sm_80 -diag-suppress 177 -cubin -o "$TMP/k.cubin" "$text" 2>&1 && echo compiled
done
