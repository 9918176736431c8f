# Where the elements of shared buffers stand: wishes of matrix instructions,
# annotations, pipelines' slots, views.  Allocations behind the pass, and notes.
. lib/messages.sh
t="$TMP/t.ir"
say() { # machine
  echo "-- $1"
  "$MOONTILE" --ir-lower "$1:shared" --ir-check "$t" >"$TMP/out" 2>"$TMP/err"
  grep -oE "(alloc [A-Z].*shared|view ).*" "$TMP/out" | sed 's/ @.*//'
  messages <"$TMP/err"
}
gemm() { # A, B shapes; attributes
  cat >"$t" <<END
kernel f(A, B, C)
  buffer A: global float16[1024, 1024]
  buffer B: global float16[1024, 1024]
  buffer C: global float32[1024, 1024]
  launch bx, by in 16, 16 threads 128 do
    alloc As: shared float16[$1]$5
    alloc Bs: shared float16[$2]
    alloc Cl: fragment float32[$3]
    fill Cl, 0.0
    for k in pipelined(16) stages=$4 do
      copy A[by*64:+${1%%,*}, k*64:+${1##*, }] -> As
      copy B[k*64:+${2%%,*}, bx*64:+${2##*, }] -> Bs
      gemm As, Bs -> Cl
    end
    copy Cl -> C[by*64:+${3%%,*}, bx*64:+${3##*, }]
  end
end
END
}
echo "== rows of 128 bytes"
gemm "64, 64" "64, 64" "64, 64" 3
for m in sm_80 sm_90a c500 gfx90a simt; do say $m; done
echo "== rows of 64, 48 and 256 bytes; 24 rows"
gemm "64, 32" "32, 128" "64, 128" 2
say sm_80
gemm "64, 24" "24, 64" "64, 64" 0
say sm_80
say sm_90a
say gfx90a
echo "== the user's"
gemm "64, 64" "64, 64" "64, 64" 2 ' layout="[64,64] off(0/1:64*72 1/1:64*1)"'
say sm_80
gemm "64, 64" "64, 64" "64, 64" 2 ' layout="swizzle_64"'
say sm_80
gemm "64, 64" "64, 64" "64, 64" 2 ' layout="padded_8"'
say sm_80
gemm "64, 64" "64, 64" "64, 64" 2 ' layout="spiral"'
say sm_80
gemm "64, 64" "64, 64" "64, 64" 2 ' layout="[32,64] off(0/1:32*64 1/1:64*1)"'
say sm_80
echo "== views"
cat >"$t" <<'END'
kernel f(A, B)
  buffer A: global float32[64, 64]
  buffer B: global float32[64, 64]
  launch bx in 1 threads 128 do
    alloc As: shared float32[64, 64] layout="swizzle_128"
    view Av of As: float32[4, 16, 64]
    alloc Bs: shared float32[64, 64] layout="swizzle_128"
    view Bv of Bs: int32[64, 64]
    copy A[0:+64, 0:+64] -> As
    copy A[0:+64, 0:+64] -> Bs
    for i, j in parallel(64, 64) do
      B[i, j] = Av[i // 16, i % 16, j] + float32(Bv[i, j])
    end
  end
end
END
say sm_80
