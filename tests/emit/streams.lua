-- A kernel that only reads takes the rows of its blocks past the first cache; what
-- all blocks read stays there, and a kernel that writes as much reads plainly.
local emit = dofile "lib/emit.lua"
emit {"sm_90a", [[
file 1 "@streams.lua"
kernel sums(X, W, Y) machine sm_90a
  buffer X: global float32[64, 128]
  buffer W: global float32[128]
  buffer Y: global float32[64]
  launch bx in 64 threads tid in 32 shared=0 do @1
    alloc x: local float32[4] @2
    alloc w: local float32[4] @2
    for v in vectorized(4) do @3
      x[v] = X[bx, tid*4 + v] @3
    end
    for v in vectorized(4) do @4
      w[v] = W[tid*4 + v] @4
    end
    atomic sum Y[bx], x[0]*w[0] + x[1]*w[1] + x[2]*w[2] + x[3]*w[3] @5
  end
end
]]}
emit {"sm_90a", [[
file 1 "@streams.lua"
kernel doubled(X, Y) machine sm_90a
  buffer X: global float32[64, 128]
  buffer Y: global float32[64, 128]
  launch bx in 64 threads tid in 32 shared=0 do @1
    for v in vectorized(4) do @2
      Y[bx, tid*4 + v] = X[bx, tid*4 + v]*2.0 @2
    end
  end
end
]]}
