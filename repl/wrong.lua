-- wrong.lua: for frequent messages, lines that are wrong and how they are right; for
-- :explain.  They stand at the dots of this kernel, and a test runs them there:
--
--     local k = tl.jit(function(A, B, BM, BN, BK)
--       local M, N, K = T.const "M, N, K"
--       A: T.Tensor({M, K}, T.float16)
--       B: T.Tensor({K, N}, T.float16)
--       local C = T.empty({M, N}, T.float16)
--       for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
--         local As = T.alloc_shared({BM, BK}, T.float16)
--         local Bs = T.alloc_shared({BK, BN}, T.float16)
--         local Cl = T.alloc_fragment({BM, BN}, T.float32)
--         T.clear(Cl)
--         T.clear(As)
--         T.clear(Bs)
--         ...
--         T.copy(Cl, C[by * BM, bx * BN])
--       end
--       return C
--     end)

return {
  E030 = { wrong = "local n = bx\nfor i in T.serial(4) do n = n + 1 end",
    right = "local n = T.alloc_var(T.int32, 0)\nfor i in T.serial(4) do n = n + 1 end" },
  E031 = { wrong = "if bx then T.fill(Cl, 1) end", right = "if bx ~= 0 then T.fill(Cl, 1) end" },
  E032 = { wrong = "for i, j in T.Parallel(BM, BN) do Cl[i, j] = i < j and 1.0 end",
    right = "for i, j in T.Parallel(BM, BN) do Cl[i, j] = i < j and 1.0 or 0.0 end" },
  E036 = { wrong = "if bx == 3 then return end\nT.fill(Cl, 1)",
    right = "if bx ~= 3 then T.fill(Cl, 1) end" },
  E037 = { wrong = "for k = 1, 2 do\n  if bx < k then break end\nend",
    right = "for k in T.serial(2) do\n  if bx < k then break end\nend" },
  E096 = { wrong = "T.copy(A[by * BM, 0], A_s)", right = "T.copy(A[by * BM, 0], As)" },
  E097 = { wrong = "T.fill(Cl, scale)", right = "local scale = 2\nT.fill(Cl, scale)" },
  E105 = { wrong = "for i, j in T.Parallel(BM, BN) do Cl[i] = 0.0 end",
    right = "for i, j in T.Parallel(BM, BN) do Cl[i, j] = 0.0 end" },
  E110 = { wrong = "local Ds = T.alloc_shared({bx + 1, BK}, T.float16)",
    right = "local Ds = T.alloc_shared({BM, BK}, T.float16)\nT.copy(As, Ds)\nT.copy(Ds, As)" },
  E127 = { wrong = "while bx < 3 do T.clear(Cl) end",
    right = "local n = T.alloc_var(T.int32, 0)\nwhile n < 3 do n += 1 end" },
  E133 = { wrong = "T.copy(A[by * BM : by * BM + 32, 0 : BK], As)",
    right = "T.copy(A[by * BM : by * BM + BM, 0 : BK], As)" },
  E137 = { wrong = "T.gemm(A, Bs, Cl)", right = "T.copy(A[by * BM, 0], As)\nT.gemm(As, Bs, Cl)" },
  E142 = { wrong = "T.gemm(Bs, As, Cl)", right = "T.gemm(As, Bs, Cl)" },
  E147 = { wrong = "local r = T.alloc_fragment({BM}, T.float32)\nT.reduce_sum(Cl, r, 2)",
    right = "local r = T.alloc_fragment({BM}, T.float32)\nT.reduce_sum(Cl, r, 1)" },
  E148 = { wrong = "local r = T.alloc_fragment({BM, BN}, T.float32)\nT.reduce_sum(Cl, r, 1)",
    right = "local r = T.alloc_fragment({BM}, T.float32)\nT.reduce_sum(Cl, r, 1)" },
  E163 = { wrong = "for i in 0, 3 do T.fill(Cl, i) end",
    right = "for i in T.serial(4) do T.fill(Cl, i) end" },
  E166 = { wrong = "Cl += 1",
    right = "for i, j in T.Parallel(BM, BN) do Cl[i, j] += 1 end" },
  E179 = { wrong = "T.gem(As, Bs, Cl)", right = "T.gemm(As, Bs, Cl)" },
  E183 = { wrong = "T.copy(A[by * BM, 0])", right = "T.copy(A[by * BM, 0], As)" },
  E185 = { wrong = "T.gemm(As, Bs, Cl, {transpose_b = false})",
    right = "T.gemm(As, Bs, Cl, {transpose_B = false})" },
  E186 = { wrong = 'T.fill(Cl, "1")', right = "T.fill(Cl, 1)" },
  E189 = { wrong = 'local r = T.alloc_fragment({BM}, "float61")',
    right = 'local r = T.alloc_fragment({BM}, "float16")' },
  E192 = { wrong = "for i in T.Parallel(BM, BN) do Cl[i, 0] = 0.0 end",
    right = "for i, j in T.Parallel(BM, BN) do Cl[i, j] = 0.0 end" },
  E257 = { wrong = "for i in T.serial(4) do\n  n = i * 2\n  T.fill(Cl, n)\nend",
    right = "for i in T.serial(4) do\n  local n = i * 2\n  T.fill(Cl, n)\nend" },
  E500 = { wrong = "for i, j in T.Parallel(BM, BN) do Cl[i + 1, j] = 0.0 end",
    right = "for i, j in T.Parallel(BM, BN) do\n  if i + 1 < BM then Cl[i + 1, j] = 0.0 end\nend" },
  E505 = { wrong = "for i in T.Parallel(BM) do\n  T.clear(Cl)\nend", right = "T.clear(Cl)" },
  E512 = { wrong = "for i in T.Parallel(BM) do C[by * BM, 0] = i end",
    right = "for i in T.Parallel(BM) do C[by * BM + i, 0] = i end" },
  E518 = { wrong = "local Dl = T.alloc_fragment({BM, BN}, T.float32)\nT.copy(Dl, Cl)",
    right = "local Dl = T.alloc_fragment({BM, BN}, T.float32)\nT.clear(Dl)\nT.copy(Dl, Cl)" },
}
