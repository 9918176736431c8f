# T.print and T.device_assert: as in the simulator of the same machine.
. lib/standin.sh
use std
for t in maca hip; do
    machine=c500
    [ $t = hip ] && machine=gfx942
    for what in numbers tiles; do
        "$MOONTILE" --lang en -t $t lib/talk.lua $what >"$TMP/gpu" 2>&1
        "$MOONTILE" --lang en -t "sim -arch=$machine" lib/talk.lua $what >"$TMP/sim" 2>&1
        cmp "$TMP/gpu" "$TMP/sim" && echo "$t $what: $(wc -l <"$TMP/gpu") lines, the same"
    done
    "$MOONTILE" --lang en -t $t lib/talk.lua shout 2>&1 | tail -1
    "$MOONTILE" --lang en -t $t lib/talk.lua fail 2>&1
done
