# All of all.lua's kernels are written under `moontile compile`, where nothing runs and results read as zeros: the file
# says all that it says when it runs, besides a note that assertions about values are passed over.
for kind in c cuda hip maca; do
    "$MOONTILE" --lang en compile --emit $kind -o "$TMP/$kind" all.lua >"$TMP/written" 2>"$TMP/said"
    echo "$kind: exit status $?, $(wc -l <"$TMP/written") kernels"
    grep -c . "$TMP/$kind"/* | grep ':0$' # none is empty
    diff all.out "$TMP/said"
done
