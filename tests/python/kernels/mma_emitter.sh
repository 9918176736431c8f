# Instructions of single warps on simulated cards, and by the cpu target thread by thread.
for t in "sim -arch=sm_90a" "sim -arch=sm_89" cpu; do
    echo "== $t"
    "$MOONTILE" --lang en -t "$t" lib/mma_emitter.py 2>"$TMP/err"
    sed 2q "$TMP/err"
done
