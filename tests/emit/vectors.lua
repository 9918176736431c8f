-- Vector accesses: copies as they are, conversions through arrays, pairs, loads
-- under a condition, packed integers of 4 bits.
dofile "lib/emit.lua" {"sm_89", [[
file 1 "@vectors.lua"
kernel vectors(A, B, Q, X, Y) machine sm_89
  buffer A: global float16[64, 256]
  buffer B: global float32[64, 256] safe=-inf
  buffer Q: global int4[64, 256]
  buffer X: global float32[64, 256]
  buffer Y: global bfloat16[64, 256]
  launch bx in 64 threads tid in 32 shared=1024 do @1
    alloc s: shared float16[256] at=0 @2
    alloc h: local float16[8] @2
    alloc f: local float32[8] @2
    alloc e: local float8_e4m3fn[8] @2
    alloc q: local int4[8] @2
    for v in vectorized(8) do @3
      h[v] = A[bx, tid*8 + v] @3
    end
    for v in vectorized(8) do @4
      s[tid*8 + v] = h[v] @4
    end
    for v in vectorized(8) do @5
      f[v] = float32(A[bx, tid*8 + v]) @5
    end
    for v in vectorized(4) do @6
      f[v] = select(bx < 60, B[bx, tid*4 + v], -inf) @6
    end
    for v in vectorized(4) do @7
      f[4 + v] = max(f[v], select(bx < 60, B[bx, tid*4 + 128 + v], -inf)) @7
    end
    for j in unroll(8) do @8
      e[j] = float8_e4m3fn(f[j]*0.5) @8
    end
    for v in vectorized(2) do @9
      Y[bx, tid*8 + v] = bfloat16(f[v]) @9
    end
    for v in vectorized(8) do @10
      Y[bx, tid*8 + v] = bfloat16(float32(e[v]) + float32(s[tid*8 + v])) @10
    end
    for v in vectorized(8) do @11
      q[v] = Q[bx, tid*8 + v] @11
    end
    for v in vectorized(8) do @12
      Q[bx, tid*8 + v] = int4(q[v]) @12
    end
    for v in vectorized(4) do @13
      X[bx, tid*8 + v] = f[v] @13
    end
  end
end
]]}
