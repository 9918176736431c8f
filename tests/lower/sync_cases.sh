# Where barriers stand: none where a thread reads what it wrote itself; one a step
# with two slots; a warp's where only its lanes exchange; one for global memory.
for m in sm_80 c500 simt; do
    echo "== $m"
    "$MOONTILE" --ir-lower $m --ir-check lib/sync_cases.ir 2>&1 |
        sed -n 's/ @.*//; s/^    //; /_sync/p; /^ *S\[/p; /^ *D\[/p; /^ *R\[.*[SD]\[/p; /^ *[AB]\[/p; /serial/p'
done
# Bytes that threads wrote and wgmma reads: the fence stands before the barrier.
echo "== fence"
"$MOONTILE" --ir-lower sm_90a --ir-check lib/sync_fence.ir 2>/dev/null |
    sed -n 's/ @.*//; s/^    //; /_sync\|fence_async\|_wait\|_commit\|serial\|while\|role/p; /wgmma As/p'
true
