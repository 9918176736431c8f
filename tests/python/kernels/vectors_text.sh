# Kernels of vectors as text of GPUs; nvcc.sh compiles it.
for t in "cuda -arch=sm_80" "cuda -arch=sm_90a" "hip -arch=gfx942" maca; do
    mkdir -p "$TMP/$t"
    "$MOONTILE" --lang en compile -t "$t" --emit "${t%% *}" -o "$TMP/$t" lib/vectors_text.py >/dev/null 2>&1
    echo "$t: $(ls "$TMP/$t" | wc -l)"
done
