# Offsets in shared memory: what lives together stands apart, the rest shares
# bytes; and the bill when it is too much.
. lib/messages.sh
t="$TMP/t.ir"
say() { # machine, what
  echo "-- $2"
  "$MOONTILE" --ir-lower "$1:alloc_shared" --ir-check "$t" >"$TMP/out" 2>"$TMP/err"
  grep -o 'shared=[0-9]*' "$TMP/out"
  grep -o 'alloc [A-Z][^:]*: \(shared\|barrier\).*' "$TMP/out" | sed 's/ map="[^"]*"//; s/ @.*//'
  messages <"$TMP/err"
}
body() {
  { cat <<'END'
kernel f(X, Y, N)
  buffer X: global float32[64, 64]
  buffer Y: global float32[64, 64]
  scalar N: int32
  launch bx in 1 threads 128 do
    alloc P: shared float32[64, 64]
    alloc Q: shared float32[32, 64]
    alloc R: shared float32[16, 64]
END
    cat; printf '  end\nend\n'; } >"$t"
}
body <<'END'
    copy X[0:+64, 0:+64] -> P
    copy P -> Y[0:+64, 0:+64]
    copy X[0:+32, 0:+64] -> Q
    copy Q -> Y[0:+32, 0:+64]
    copy X[0:+16, 0:+64] -> R
    copy R -> Y[0:+16, 0:+64]
END
say sm_80 "one after the other"
body <<'END'
    copy X[0:+32, 0:+64] -> Q
    copy X[0:+64, 0:+64] -> P
    copy Q -> Y[0:+32, 0:+64]
    copy X[0:+16, 0:+64] -> R
    copy P -> Y[0:+64, 0:+64]
    copy R -> Y[0:+16, 0:+64]
END
say sm_80 "R takes the bytes of Q"
body <<'END'
    for i in serial(4) do
      copy X[0:+64, 0:+64] -> P
      copy P -> Y[0:+64, 0:+64]
      copy X[0:+32, 0:+64] -> Q
      copy Q -> Y[0:+32, 0:+64]
    end
    copy X[0:+16, 0:+64] -> R
    copy R -> Y[0:+16, 0:+64]
END
say sm_80 "a loop is one life: the next iteration may read"
body <<'END'
    for i in serial(4) do
      alloc S: shared float32[16, 64]
      alloc U: shared float32[16, 64]
      copy X[0:+16, 0:+64] -> S
      copy S -> Y[0:+16, 0:+64]
      copy X[0:+16, 0:+64] -> U
      copy U -> Y[0:+16, 0:+64]
    end
END
say sm_80 "but not for what is allocated in it; P, Q, R are unused"
body <<'END'
    if N > 3 then
      copy X[0:+64, 0:+64] -> P
      copy P -> Y[0:+64, 0:+64]
    else
      copy X[0:+32, 0:+64] -> Q
      copy Q -> Y[0:+32, 0:+64]
    end
END
say sm_80 "two sides of a condition of the block"
body <<'END'
    for k in pipelined(4) stages=3 do
      copy X[0:+32, 0:+64] -> Q
      copy Q -> Y[0:+32, 0:+64]
    end
    copy X[0:+64, 0:+64] -> P
    copy P -> Y[0:+64, 0:+64]
END
say sm_80 "slots of a pipeline, then an epilogue"
cat >"$t" <<'END'
kernel f(A, B, C)
  buffer A: global float16[1024, 1024]
  buffer B: global float16[1024, 1024]
  buffer C: global float16[1024, 1024]
  launch bx, by in 8, 8 threads 128 do
    alloc As: shared float16[128, 64]
    alloc Bs: shared float16[64, 128]
    alloc Cs: shared float16[128, 128]
    alloc Cl: fragment float32[128, 128]
    fill Cl, 0.0
    for k in pipelined(16) stages=4 do
      copy A[by*128:+128, k*64:+64] -> As
      copy B[k*64:+64, bx*128:+128] -> Bs
      gemm As, Bs -> Cl
    end
    copy Cl -> Cs
    copy Cs -> C[by*128:+128, bx*128:+128]
  end
end
END
say sm_80 "a gemm: Cs in the bytes of the pipeline"
say sm_90a "rings and barriers"
say c500 "fewer stages where there is less memory"
cat >"$t" <<'END'
kernel f(X)
  buffer X: global float32[256, 1024]
  launch bx in 1 threads 128 do
    alloc P: shared float32[64, 512]
    alloc Q: shared float32[32, 512]
    copy X[0:+64, 0:+512] -> P
    copy X[0:+32, 0:+512] -> Q
    copy P -> X[64:+64, 0:+512]
    copy Q -> X[128:+32, 0:+512]
  end
end
END
say sm_89 "too much"
