# Nested unrolled loops that would be too much text: the outermost stays a loop, with a note.
for n in sim cuda; do
    [ $n = sim ] && kind=thread || kind=cuda
    echo "== $n"
    "$MOONTILE" compile --emit $kind -t "$n -arch=sm_80" -o "$TMP" lib/unroll.lua 2>&1 |
        grep -v "^$TMP"
    for f in "$TMP"/*; do
        echo "-- $(basename "$f")"
        grep -e 'pragma unroll' -e ' for ' "$f" | sed 's/ @[0-9].*//'
        rm "$f"
    done
done
"$MOONTILE" explain -t "cuda -arch=sm_80" lib/unroll.lua 2>&1 | grep -A1 -e E739 -e 'not unrolled'
