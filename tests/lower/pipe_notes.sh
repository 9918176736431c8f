# What stands in the way of a pipeline is said: in notes, or in words that refuse.
for k in carried notes; do
    for m in sm_80 sm_90a; do
        echo "== $k $m"
        "$MOONTILE" --ir-lower $m:pipeline --ir-check lib/pipe_$k.ir 2>&1 >"$TMP/text"
    done
done
true
