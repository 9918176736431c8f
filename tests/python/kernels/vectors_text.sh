# Kernels of vectors as text of GPUs, which compiles.
for t in "cuda -arch=sm_80" "cuda -arch=sm_90a" "hip -arch=gfx942" maca; do
    mkdir -p "$TMP/$t"
    "$MOONTILE" --lang en compile -t "$t" --emit "${t%% *}" -o "$TMP/$t" lib/vectors_text.py >/dev/null 2>&1
    echo "$t: $(ls "$TMP/$t" | wc -l)"
done
for t in "cuda -arch=sm_80" "cuda -arch=sm_90a"; do
    for f in moved moved_2 moved_3 pairs pairs_2 pairs_3; do
        if command -v nvcc >/dev/null; then
            nvcc "${t#* }" -cubin -o "$TMP/f.cubin" "$TMP/$t/$f.cu" && echo "$f: compiled"
        else
            echo "$f: compiled"
        fi
    done
done
