# lib/reserved.lua as CUDA C++: what its names become; nvcc_reserved.sh compiles it.
"$MOONTILE" --lang en compile lib/reserved.lua --emit cuda -t "cuda -arch=sm_80" -o "$TMP" >"$TMP/list" || exit 1
for text in "$TMP"/*.cu; do
  grep -E -A1 '^extern "C"' "$text" | grep '('
  grep -E '(v_mma_s|v_atomic_f)[ [].*;' "$text" | head -n 2
done
