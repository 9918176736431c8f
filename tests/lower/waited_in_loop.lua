-- What wgmma has read in a loop that waits for it is free behind the loop: where bytes lack, the tile of the result takes
-- the same, and no more memory is needed than while the loop runs.
local H, N, D = 64, 32, 512

local f = tl.jit(function(Q, K)
  Q: T.Tensor({H, D}, T.float16)
  K: T.Tensor({4 * N, D}, T.float16)
  local O = T.empty({H, D}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    local Qs, Ks = T.alloc_shared({H, D}, T.float16), T.alloc_shared({N, D}, T.float16)
    local Xs = T.alloc_shared({H, D}, T.float16)
    local Ps, Os = T.alloc_shared({H, N}, T.float16), T.alloc_shared({H, D}, T.float16)
    local p, o = T.alloc_fragment({H, N}, T.float32), T.alloc_fragment({H, D}, T.float32)
    T.copy(Q, Qs)
    T.copy(Q, Xs)
    T.clear(o)
    for k in T.serial(4) do
      T.copy(K[k * N, 0], Ks)
      T.gemm(Qs, Ks, p, {transpose_B = true, clear_accum = true})
      T.gemm(Xs, Ks, p, {transpose_B = true})
      T.copy(p, Ps)
      T.gemm(Ps, Ks, o)
    end
    T.copy(o, Os)
    for i, j in T.Parallel(H, D) do
      Os[i, j] = Os[i, j] * 2
    end
    T.copy(Os, O)
  end
  return O
end, {target = "sim -arch=sm_90a"})

local q, k = tl.randint(-2, 3, {H, D}, {dtype = "float16"}), tl.randint(-2, 3, {4 * N, D}, {dtype = "float16"})
local kernel = f:compile()
print(kernel:ir("thread"):match "launch .- shared=(%d+)", 2 * H * D * 2 + N * D * 2 + H * N * 2)
local got = kernel(q, k)
local p = (q:to "float32":matmul(k:to "float32":transpose(0, 1)) * 2):to "float16":to "float32"
print(tl.allclose(got, (p:matmul(k:to "float32") * 2):to "float16", {rtol = 0, atol = 0}))
