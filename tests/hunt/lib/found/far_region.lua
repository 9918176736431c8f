-- E999: a region of a fragment that begins at a number times 2^40 and another one.
local kernel = tl.jit(function(A, B, a, s)
  A: T.Tensor({8, 16}, T.float16)
  B: T.Tensor({8, 16}, T.float16)
  a: T.int32
  s: T.int64
  local C = T.empty({8, 4}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local S = T.alloc_shared({8, 16}, T.float16)
    local R = T.alloc_shared({8, 16}, T.float16)
    local G = T.alloc_fragment({8, 4}, T.float32)
    T.copy(A, S)
    T.copy(B, R)
    T.clear(G)
    local at = T.cast(a, "int64") * 1099511627776 + s
    T.gemm(S[0:4, 0:16], R[4:8, 0:16], G[at:at + 4, 0:4], {transpose_B = true})
    T.copy(G, C)
  end
  return C
end)
local C = kernel(tl.ones({8, 16}, "float16"), tl.full({8, 16}, 2, "float16"), 0, 3)
local want = {}
for i = 1, 8 do
  local x = i > 3 and i < 8 and 32 or 0
  want[i] = {x, x, x, x}
end
tl.testing.assert_close(C, tl.from_table(want, "float32"), {rtol = 0, atol = 0})
print "right"
