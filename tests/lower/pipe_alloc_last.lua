-- The allocations of a pipeline's tiles may stand anywhere in front of the loop, also behind
-- the clearing of the sums, right before it.
local function product(before, between, stages, target)
  return tl.jit(assert(load(([[return function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, 32), T.ceildiv(M, 32), {threads = 64}) do
      %s
      %s
      for ko in T.Pipelined(T.ceildiv(K, 16), {num_stages = %d}) do
        T.copy(A[by * 32, ko * 16], As)
        T.copy(B[ko * 16, bx * 32], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * 32, bx * 32])
    end
    return C
  end]]):format(before, between, stages)))(), {target = target})
end

local sums = "local Cl = T.alloc_fragment({32, 32}, T.float32); T.clear(Cl)"
local tiles = "local As = T.alloc_shared({32, 16}, T.float16)\n" ..
  "local Bs = T.alloc_shared({16, 32}, T.float16)"
local a, b = tl.randn({64, 80}, "float16"), tl.randn({80, 32}, "float16")
local want = tl.ref.matmul(a, b)
for _, target in ipairs {"sim", "sim -arch=sm_75", "sim -arch=sm_80", "sim -arch=sm_90a"} do
  for _, stages in ipairs {2, 3} do
    for name, k in pairs {last = product(sums, tiles, stages, target),
      first = product(tiles, sums, stages, target)} do
      local ok, err = pcall(function() tl.testing.assert_close(k(a, b), want) end)
      if not ok then
        print(target, stages, name, err)
      end
    end
  end
end

-- One tile right in front of its loop, and a second loop whose tile stands between the two.
local two = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({32}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    local c = T.alloc_fragment({32}, T.float32)
    T.clear(c)
    local s = T.alloc_shared({32}, T.float32)
    for ko in T.Pipelined(N // 32, {num_stages = 2}) do
      T.copy(A[ko * 32], s)
      for i in T.Parallel(32) do c[i] = c[i] + s[i] end
    end
    local t = T.alloc_shared({32}, T.float32)
    for ko in T.Pipelined(N // 32, {num_stages = 2}) do
      T.copy(A[ko * 32], t)
      for i in T.Parallel(32) do c[i] = c[i] - 2 * t[i] end
    end
    T.copy(c, C)
  end
  return C
end, {target = "sim"})
local x = tl.randn {128}
tl.testing.assert_close(two(x), tl.ref.neg(tl.ref.sum(x:reshape {4, 32}, 0)))
print "ok"
