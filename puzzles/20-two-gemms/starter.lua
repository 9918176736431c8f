-- 20. Two products: D = relu(A B) C in one kernel.       20. 两次矩阵乘：D = relu(A B) C
two_gemms = tl.jit(function(A, B, C, BLOCK_M, BLOCK_H, BLOCK_N, BLOCK_K)
  local M, K, H, N = T.const "M, K, H, N"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, H}, T.float16)
  C: T.Tensor({H, N}, T.float16)
  local D = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local out = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(out)
    -- your turn: for each tile of BLOCK_H hidden columns: the product of A and B along K,
    -- ReLU, and that times a tile of C added to out; hidden numbers stay in registers
    -- 请在这里写：对每 BLOCK_H 个隐藏列：沿 K 求 A 与 B 的乘积，ReLU，再乘 C 的分块加到 out；
    -- 隐藏层的数始终留在寄存器中
    T.copy(out, D[by * BLOCK_M, bx * BLOCK_N])
  end
  return D
end)
