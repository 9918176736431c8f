# Nests and single statements as thread programs: interior and edge, widths of
# accesses, what the block does once, elements of fragments.
show() {
    echo "== $1 $2"
    "$MOONTILE" --ir-lower "$1" --ir-check lib/nest_$2.ir 2>"$TMP/notes"
    grep -A1 "note: .*at a time\|asynchronous" "$TMP/notes"
}
show sm_80 paths
show sm_80 threads
show sm_80 types
show gfx942 paths
show simt elements
show sm_80 rounds
true
