-- Launches whose fragments do not fit into the registers of their threads: twice the threads where nobody names
-- them, else products that do not overlap.  Attention with both accumulators of 128 x 128 in 128 threads, on
-- sm_90a as it is simulated, against numbers.
local D, BN = 128, 128

local function attention(o)
  return tl.jit(function(Q, K, V)
    local N = T.const "N"
    Q: T.Tensor({N, D}, T.float16)
    K: T.Tensor({N, D}, T.float16)
    V: T.Tensor({N, D}, T.float16)
    local O = T.empty({N, D}, T.float16)
    for bx in T.Kernel(T.ceildiv(N, o.BM), {threads = 128}) do
      local Qs = T.alloc_shared({o.BM, D}, T.float16)
      local Ks = T.alloc_shared({BN, D}, T.float16)
      local Vs = T.alloc_shared({BN, D}, T.float16)
      local S = T.alloc_fragment({o.BM, BN}, T.float32)
      local P = T.alloc_fragment({o.BM, BN}, T.float16)
      local Ol = T.alloc_fragment({o.BM, D}, T.float32)
      local m = T.alloc_fragment({o.BM}, T.float32)
      local was = T.alloc_fragment({o.BM}, T.float32)
      local sum = T.alloc_fragment({o.BM}, T.float32)
      local l = T.alloc_fragment({o.BM}, T.float32)
      if o.says then o.says(Qs, Ol) end
      T.copy(Q[bx * o.BM, 0], Qs)
      T.clear(Ol)
      T.clear(l)
      T.fill(m, -T.infinity "float32")
      for k in T.Pipelined(T.ceildiv(N, BN), {num_stages = o.stages or 2}) do
        T.copy(K[k * BN, 0], Ks)
        T.gemm(Qs, Ks, S, {transpose_B = true, clear_accum = true, policy = T.GemmWarpPolicy.FullRow})
        T.copy(m, was)
        T.reduce_max(S, m, 1, false)
        for i, j in T.Parallel(o.BM, BN) do S[i, j] = T.exp2(S[i, j] / 16 - m[i] / 16) end
        T.reduce_sum(S, sum, 1)
        for i in T.Parallel(o.BM) do l[i] = l[i] * T.exp2(was[i] / 16 - m[i] / 16) + sum[i] end
        T.copy(S, P)
        for i, j in T.Parallel(o.BM, D) do Ol[i, j] *= T.exp2(was[i] / 16 - m[i] / 16) end
        T.copy(V[k * BN, 0], Vs)
        T.gemm(P, Vs, Ol, {policy = T.GemmWarpPolicy.FullRow})
      end
      for i, j in T.Parallel(o.BM, D) do Ol[i, j] /= l[i] end
      T.copy(Ol, O[bx * o.BM, 0])
    end
    return O
  end)
end

local N = 256
local function values(seed)
  local t = {}
  for i = 1, N do
    t[i] = {}
    for j = 1, D do t[i][j] = ((i * 7 + j * 3 + i * j % 11 * seed) % 13 - 6) / 8 end
  end
  return tl.from_table(t, "float16")
end
local q, k, v = values(1), values(2), values(3)
local scores = tl.ref.matmul(q:astype "float64", k:astype("float64"):transpose(0, 1):contiguous())
local want = tl.ref.matmul(tl.ref.softmax(scores * (math.log(2) / 16)), v:astype "float64")

local function show(name, o)
  local kernel = attention(o):compile {N = N}
  local s = kernel:retarget "sim -arch=sm_90a"
  tl.testing.assert_close(s(q, k, v):astype "float64", want, {rtol = 2e-2, atol = 2e-2})
  local text, notes = s:ir "thread"
  print(("%s: %s threads"):format(name, text:match "role 0%.%.(%d+)" or text:match "threads tid in (%d+)"))
  for _, n in ipairs(notes) do
    if n.id == "threads_widened" or n.id == "overlap_registers" or n.id == "overlap_stages" then print("    " .. n.en) end
  end
end

tl.set_target "cuda -arch=sm_90a"
show("tiles alone", {BM = 128})
show("tiles that fit", {BM = 64})
show("tiles that fit, with one stage", {BM = 64, stages = 1})
show("a thread is named", {BM = 128, says = T.macro(function(Qs)
  local tx = T.get_thread_binding(0)
  if tx < 5 then Qs[0, tx] = 1 end
end)})
show("registers as the user says", {BM = 128, says = T.macro(function() T.annotate_consumer_reg_alloc(240) end)})
