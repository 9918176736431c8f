# T.rng_init, T.rng_rand, T.rng_rand_float: the same on every machine and on the cpu; no text of a GPU
# has cuRAND's header (nvcc.sh compiles it).
"$MOONTILE" --lang en -t "sim -arch=sm_80" lib/random.py >"$TMP/one" 2>&1
cat "$TMP/one"
for t in "sim -arch=sm_75" "sim -arch=sm_90a" "sim -arch=gfx942" cpu; do
    "$MOONTILE" --lang en -t "$t" lib/random.py 2>/dev/null | cmp -s - "$TMP/one" && echo "$t: the same"
done
for t in "cuda -arch=sm_80" "cuda -arch=sm_90a" "hip -arch=gfx942" maca; do
    mkdir -p "$TMP/$t"
    "$MOONTILE" --lang en compile -t "$t" --emit "${t%% *}" -o "$TMP/$t" lib/random_text.py >/dev/null 2>&1
    echo "$t: $(cat "$TMP/$t"/* | grep -c 0xd2511f53) $(cat "$TMP/$t"/* | grep -c curand)"
done
