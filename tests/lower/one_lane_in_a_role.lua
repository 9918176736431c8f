-- The barrier between rounds that nothing tells apart stands in front of the guard of one lane: in a role the thread has a name of
-- its own (`t`), and what is made of that counted as the same in all threads (E645, hangs on a card).
tl.set_target "sim -arch=sm_90a"
local plain = tl.jit(function(A, B)
  A: T.Tensor({8192, 8192}, "float8_e4m3fn")
  B: T.Tensor({8192, 8192}, "float8_e4m3fn")
  local C = T.empty({8192, 8192}, "float16")
  for bx, by in T.Kernel(32, 64, {threads = 256}) do
    local Cl = T.alloc_fragment({128, 256}, T.float32)
    T.use_swizzle(8)
    local As, Bs = T.alloc_shared({128, 128}, "float8_e4m3fn"), T.alloc_shared({256, 128}, "float8_e4m3fn")
    T.clear(Cl)
    for ko in T.Pipelined(64, {num_stages = 4}) do
      T.copy(A[by * 128, ko * 128], As)
      T.copy(B[bx * 256, ko * 128], Bs)
      T.gemm(As, Bs, Cl, {transpose_B = true})
    end
    T.copy(Cl, C[by * 128, bx * 256])
  end
  return C
end)
for line in plain:compile():ir "thread":gmatch "[^\n]+" do
  line = line:gsub("^%s+", ""):gsub(" @.*", "")
  if line:match "^bar_sync id" or line:match "^if t %% 32" or line:match "^tma_store" then print(line) end
end
