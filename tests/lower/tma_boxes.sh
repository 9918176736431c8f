# Boxes of TMA from the layouts of shared buffers: column blocks of a swizzle,
# pieces of 256 rows, a slot, one contiguous run; and when they are not used.
"$MOONTILE" --ir-lower sm_90a --ir-check lib/tma_boxes.ir 2>"$TMP/notes" |
    sed -n 's/^    //; /tma_\|bulk_\|mbar_\|bar_sync\|fence_async/p; /tid == 0/p'
grep -A2 "note:\|error" "$TMP/notes"
true
