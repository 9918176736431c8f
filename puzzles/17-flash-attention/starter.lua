-- 17. Flash attention: O = softmax(Q K^T / sqrt(D)) V, head by head.      17. Flash attention

-- Every query sees every key.          每个查询看到全部键
attention = tl.jit(function(Q, K, V, BLOCK_M, BLOCK_N)
  local H, S, D = T.const "H, S, D"
  Q: T.Tensor({H, S, D}, T.float16)
  K: T.Tensor({H, S, D}, T.float16)
  V: T.Tensor({H, S, D}, T.float16)
  local O = T.empty({H, S, D}, T.float16)
  for bx, h in T.Kernel(T.ceildiv(S, BLOCK_M), H, {threads = 128}) do
    local out = T.alloc_fragment({BLOCK_M, D}, T.float32)
    T.clear(out)
    -- your turn: a loop over tiles of BLOCK_N keys: scores, mask, online softmax, and the
    -- weights times V added to out; after the loop, divide by the sums of the weights
    -- 请在这里写：按 BLOCK_N 个键一块循环：分数、掩码、在线 softmax，把权重乘 V 加到 out；
    -- 循环之后除以权重之和
    T.copy(out, O[h, bx * BLOCK_M, 0])
  end
  return O
end)

-- A query sees the keys up to its own place only.      每个查询只看到自己及之前的键
causal = tl.jit(function(Q, K, V, BLOCK_M, BLOCK_N)
  local H, S, D = T.const "H, S, D"
  Q: T.Tensor({H, S, D}, T.float16)
  K: T.Tensor({H, S, D}, T.float16)
  V: T.Tensor({H, S, D}, T.float16)
  local O = T.empty({H, S, D}, T.float16)
  for bx, h in T.Kernel(T.ceildiv(S, BLOCK_M), H, {threads = 128}) do
    local out = T.alloc_fragment({BLOCK_M, D}, T.float32)
    T.clear(out)
    -- your turn: the kernel above, with another mask and an earlier end of the loop
    -- 请在这里写：与上面的内核相同，只是掩码不同，循环也结束得更早
    T.copy(out, O[h, bx * BLOCK_M, 0])
  end
  return O
end)
