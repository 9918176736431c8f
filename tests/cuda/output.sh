# The side buffer: records in any order, of several threads and blocks, come out as in
# the simulator; too many are counted; an assert names its line, block and thread.
. lib/fake.sh
fake
need_nvrtc
for what in numbers tiles; do
    "$MOONTILE" --lang en -t cuda lib/talk.lua $what >"$TMP/cuda" 2>&1
    "$MOONTILE" --lang en -t "sim -arch=sm_90a" lib/talk.lua $what >"$TMP/sim" 2>&1
    cmp "$TMP/cuda" "$TMP/sim" && echo "$what: $(wc -l <"$TMP/cuda") lines, the same"
done
"$MOONTILE" --lang en -t cuda lib/talk.lua shout 2>&1 | grep -v '^block (0, 0): n '
"$MOONTILE" --lang en -t cuda lib/talk.lua fail 2>&1
