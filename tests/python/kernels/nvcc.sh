# The printed kernels of random.sh, vectors_text.sh and extern.sh compile with nvcc; for sm_90a they are the
# same text, but for the line that says so.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "no nvcc here"; exit 77; }
for f in random_text vectors_text extern; do
    for t in sm_80 sm_90a; do
        mkdir -p "$TMP/$t"
        "$MOONTILE" --lang en compile -t "cuda -arch=$t" --emit cuda -o "$TMP/$t" lib/$f.py >/dev/null 2>&1
    done
done
for text in "$TMP"/sm_80/*.cu; do
    name=$(basename "$text" .cu)
    "$NVCC" -arch=sm_80 -cubin -o "$TMP/f.cubin" "$text" && echo "$name: compiled"
    tail -n +2 "$text" >"$TMP/one"
    tail -n +2 "$TMP/sm_90a/$name.cu" | cmp -s - "$TMP/one" && echo "$name: the same for sm_90a"
done
