# nvcc's code for such conditions restores no barrier that code branches out of; where conditions
# are as they would be without `joined`, it does.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc here"; exit 77; }
SASS=${MOONTILE%/*}/tests/unit/cuda_sass
[ -x "$SASS" ] || { echo "no $SASS: make test builds it"; exit 77; }
for k in loads negated; do
    "$MOONTILE" -t "sim -arch=sm_90a" lib/joined.lua $k >"$TMP/$k.cu" 2>/dev/null
    "$NVCC" -arch=sm_90a -cubin -o "$TMP/$k" "$TMP/$k.cu" 2>&1
    "$SASS" "$TMP/$k"
done
sed 's/joined(\(.*\))) {/\1) {/' "$TMP/loads.cu" >"$TMP/apart.cu"
"$NVCC" -w -arch=sm_90a -cubin -o "$TMP/apart" "$TMP/apart.cu" 2>&1
"$SASS" "$TMP/apart"
