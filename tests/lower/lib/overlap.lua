-- Loops of two products with work between them, for overlap_text.sh: CASE names one.
local which = os.getenv "CASE"

local function two(o)
  local BM, threads = o.BM or 64, o.threads or 128
  return tl.jit(function(A, B, C)
    A: T.Tensor({BM, 64}, T.float16)
    B: T.Tensor({512, 64}, T.float16)
    C: T.Tensor({512, 64}, T.float16)
    local O = T.empty({BM, 64}, T.float32)
    for bx in T.Kernel(1, {threads = threads}) do
      local As = T.alloc_shared({BM, 64}, T.float16)
      local Bs, Cs = T.alloc_shared({64, 64}, T.float16), T.alloc_shared({64, 64}, T.float16)
      local S = T.alloc_fragment({BM, 64}, o.dtype or T.float32)
      local Sh = T.alloc_fragment({BM, 64}, T.float16)
      local acc = T.alloc_fragment({BM, 64}, T.float32)
      local sum, l = T.alloc_fragment({BM}, T.float32), T.alloc_fragment({BM}, T.float32)
      T.copy(A, As)
      T.clear(acc)
      T.clear(l)
      for k in T.Pipelined(8, {num_stages = o.stages or 2}) do
        T.copy(B[k * 64, 0], Bs)
        if o.mask then
          for i, j in T.Parallel(BM, 64) do
            S[i, j] = T.if_then_else(k * 64 + j <= 300 + i, 0, -T.infinity(T.float32))
          end
        else
          T.clear(S)
        end
        T.gemm(As, Bs, S, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
        if o.behind then
          for i, j in T.Parallel(BM, 64) do
            S[i, j] = T.if_then_else(k * 64 + j < 500, S[i, j], 0)
          end
        end
        if o.sum then
          T.reduce_sum(S, sum, 1)
          for i in T.Parallel(BM) do
            l[i] = l[i] * 0.5 + sum[i]
          end
        end
        T.copy(C[k * 64, 0], Cs)
        if o.direct then
          for i, j in T.Parallel(BM, 64) do
            S[i, j] = S[i, j] * 2
          end
          T.gemm(S, Cs, acc, {policy = T.GemmWarpPolicy.FullRow})
        elseif o.apart then
          T.gemm(As, Cs, acc, {policy = T.GemmWarpPolicy.FullRow})
          for i, j in T.Parallel(BM, 64) do
            Sh[i, j] = S[i, j]
          end
        else
          T.copy(S, Sh)
          T.gemm(Sh, Cs, acc, {policy = T.GemmWarpPolicy.FullRow})
        end
      end
      for i, j in T.Parallel(BM, 64) do
        acc[i, j] += l[i]
      end
      T.copy(acc, O)
    end
    return O
  end, {target = "sim -arch=sm_90a",
    pass_configs = {["tl.disable_spare_stage"] = o.stages == 1}})
end

-- A product alone: its first step overwrites.
local function one(steps)
  return tl.jit(function(A, B)
    local K = T.dynamic "K"
    local n = steps or T.ceildiv(K, 64)
    A: T.Tensor({64, steps and 64 * steps or K}, T.float16)
    B: T.Tensor({steps and 64 * steps or K, 64}, T.float16)
    local O = T.empty({64, 64}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local As, Bs = T.alloc_shared({64, 64}, T.float16), T.alloc_shared({64, 64}, T.float16)
      local acc = T.alloc_fragment({64, 64}, T.float32)
      T.clear(acc)
      for k in T.Pipelined(n, {num_stages = 2}) do
        T.copy(A[0, k * 64], As)
        T.copy(B[k * 64, 0], Bs)
        T.gemm(As, Bs, acc)
      end
      T.copy(acc, O)
    end
    return O
  end, {target = "sim -arch=sm_90a"})
end

local cases = {
  turned = {}, mask = {mask = true}, behind = {behind = true}, sum = {sum = true},
  direct = {direct = true, dtype = T.float16}, apart = {apart = true}, stage = {stages = 1},
  turns = {BM = 128, threads = 256}, three = {BM = 192, threads = 384},
}
if cases[which] then
  local BM = cases[which].BM or 64
  local k = two(cases[which]):compile(tl.zeros({BM, 64}, "float16"),
    tl.zeros({512, 64}, "float16"), tl.zeros({512, 64}, "float16"))
  if os.getenv "NOTES" then
    for _, n in ipairs(k:analyze().notes) do
      if n.code == "E575" or n.code == "E576" then
        print(n.code, n.en.title, n.en.label, n.en.help)
      end
    end
  end
else
  local K = 256
  one(which == "fixed" and 4 or nil):compile(tl.zeros({64, K}, "float16"),
    tl.zeros({K, 64}, "float16"))
end
