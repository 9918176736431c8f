# Writes a kernel with one T.gemm to k.ir in $TMP and lowers it to the pass
# "gemm":   gemm MACHINE TYPE_A TYPE_B TYPE_C "M N K" THREADS [SCOPE_A SCOPE_B] OPTIONS...
gemm() {
    m=$1 a=$2 b=$3 c=$4 threads=$6
    set -- $5 "$7" "$8" "$9"
    M=$1 N=$2 K=$3 sa=${4:-shared} sb=${5:-shared} options=$6
    A="$M, $K" B="$K, $N"
    case $options in *transpose_A=1*) A="$K, $M" ;; esac
    case $options in *transpose_B=1*) B="$N, $K" ;; esac
    cat >"$TMP/k.ir" <<END
kernel k(A, B, C)
  buffer A: global $a[$A]
  buffer B: global $b[$B]
  buffer C: global $c[$M, $N]
  launch bx in 1 threads $threads do
    alloc As: $sa $a[$A]
    alloc Bs: $sb $b[$B]
    alloc Cl: fragment $c[$M, $N]
    copy C -> Cl
    copy A -> As
    copy B -> Bs
    gemm As, Bs -> Cl $options
    copy Cl -> C
  end
end
END
    "$MOONTILE" --ir-lower "$m:gemm" --ir-check "$TMP/k.ir" >"$TMP/out" 2>"$TMP/notes"
    echo "== $m $a x $b -> $c, $M x $N x $K, $threads threads${4:+, $sa x $sb}${options:+, $options}"
}

# The products and fetches of the last kernel; memory of operands.
products() {
    sed -n 's/ @.*//; s/^    //; /alloc [AB]s: shared/p
            /^ *\(mma\|wgmma\|ldmatrix\|stmatrix\|[AB]_r\)/p' "$TMP/out"
}

# Its notes, each on a line.
notes() {
    awk '/note:|warning\[/ { sub(/.*(note|warning\[E[0-9]*\]): /, ""); printf "%s", $0 }
         /\^/    { sub(/.*\^ /, ": "); print }
         /^help/ { print "   " $0 }' "$TMP/notes"
}
