# Copies between shared memory and fragments as ldmatrix and stmatrix.
for m in sm_80 sm_90a; do
    for k in ldsm ldsm_t; do
        echo "== $m $k"
        "$MOONTILE" --ir-lower $m:gemm --ir-check lib/$k.ir 2>"$TMP/notes" |
            sed -n 's/ @.*//; s/^    //; /alloc Cs/p; /ldmatrix\|stmatrix/p'
        grep -A2 "matrix. is not\|matrix is not" "$TMP/notes"
    done
done
true
