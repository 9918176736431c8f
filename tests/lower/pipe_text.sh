# What becomes of pipelined loops: slots, stages, groups, registers, roles and rings.
for k in stages user if nested after; do
    for m in sm_80 sm_90a gfx942; do
        echo "== $k $m"
        "$MOONTILE" --ir-lower $m:pipeline --ir-check lib/pipe_$k.ir 2>"$TMP/notes" |
            sed -n 's/ @.*//; s/^    //; /^  buffer/d; /^kernel/d; p'
        grep "note:\|error" "$TMP/notes" | sed 's/^[^ ]* //'
    done
done
true
