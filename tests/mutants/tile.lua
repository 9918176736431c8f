-- Mutants of tile programs, as people write them: each is a correct kernel with
-- one mistake.  A line says who found it: the checks of the source, the lowering,
-- the simulator, or (wrong) the results, which must be those of the unspoiled kernel.
local mutate = dofile "lib/mutate.lua"
local f16, f32 = T.float16, T.float32
tl.manual_seed(9)

local function gemm(how)
  local as = how.slots or 32
  return tl.jit(function(A, B)
    A: T.Tensor({70, 96}, f16)
    B: T.Tensor({96, 80}, f16)
    local C = T.empty({70, 80}, f32)
    for bx, by in T.Kernel(how.grid or 3, 3, {threads = 64}) do
      local As = T.alloc_shared({32, as}, f16)
      local Bs = T.alloc_shared({32, 32}, f16)
      local Cl = T.alloc_fragment({32, 32}, f32)
      if not how.noclear then T.clear(Cl) end
      for ko in T.Pipelined(how.steps or 3, {num_stages = 2}) do
        if not how.nocopy then T.copy(A[by * 32 + (how.row or 0), ko * 32 + (how.col or 0)], As) end
        T.copy(B[ko * 32, (how.swap and by or bx) * 32], Bs)
        if how.inside then T.clear(Cl) end
        if how.operands then
          T.gemm(Bs, As, Cl)
        else
          T.gemm(As, Bs, Cl, {transpose_A = how.ta or false, transpose_B = how.tb or false})
        end
        if how.twice then T.gemm(As, Bs, Cl) end
      end
      if not how.nostore then T.copy(Cl, C[by * 32, bx * (how.width or 32)]) end
    end
    return C
  end)
end

local function rows(how)
  return tl.jit(function(X)
    X: T.Tensor({8, 256}, f32)
    local Y = T.empty({8, 256}, f32)
    for bx in T.Kernel(how.blocks or 8, {threads = 128}) do
      local x, s = T.alloc_fragment({256}, f32), T.alloc_fragment({1}, f32)
      local t = T.alloc_shared({256}, f32)
      T.copy(X[bx, how.first or 0], x)
      if how.max then
        T.reduce_max(x, s, 0)
      elseif how.keep then
        T.reduce_sum(x, s, 0, false)
      elseif not how.noreduce then
        T.reduce_sum(x, s, 0)
      end
      for j in T.Parallel(how.n or 256) do
        t[j] = x[j] - s[0]
      end
      if how.race then
        for j in T.Parallel(256) do
          t[j // 2] = x[j]
        end
      end
      if how.shift then
        for j in T.Parallel(256) do
          t[j] = t[(j + 1) % 256]
        end
      end
      for j in T.Parallel(256) do
        Y[how.row or bx, j] = t[j + (how.off or 0)] * (how.factor or 1)
      end
    end
    return Y
  end)
end

-- two slots of cp.async by hand
local function copies(how)
  return tl.jit(function(A)
    A: T.Tensor({128, 64}, f32)
    local C = T.empty({128, 64}, f32)
    for bx in T.Kernel(2, {threads = 128}) do
      local s = T.alloc_shared({how.slots or 3, 16, 64}, f32)
      for i in T.unroll(2) do
        T.async_copy(A[bx * 64 + i * 16, 0], s[i, :, :])
      end
      for k in T.serial(4) do
        if not how.nowait then T.ptx_wait_group(how.left or 1) end
        if not how.nosync then T.sync_threads() end
        for i, j in T.Parallel(16, 64) do
          C[bx * 64 + k * 16 + i, j] = s[(k + (how.ahead or 0)) % (how.slots or 3), 15 - i, 63 - j]
        end
        T.async_copy(A[bx * 64 + T.min(k + 2, 3) * 16, 0], s[(k + 2) % (how.slots or 3), :, :])
      end
      if not how.nolast then T.ptx_wait_group(0) end
    end
    return C
  end)
end

-- a producer, a consumer, and two slots
local function roles(how)
  return tl.jit(function(A)
    A: T.Tensor({1024}, f32)
    local C = T.empty({1024}, f32)
    for bx in T.Kernel(2, {threads = 256}) do
      local s = T.alloc_shared({2, 128}, f32)
      local n = how.full or 128
      local full, empty = T.alloc_barrier {n, n}, T.alloc_barrier {128, 128}
      for t in T.ws(0) do
        for i in T.serial(4) do
          if not how.nowait then
            T.mbarrier_wait_parity(full[i % 2], (i // 2 + (how.parity or 0)) % 2)
          end
          C[bx * 512 + i * 128 + t] = s[i % 2, how.same and t or 127 - t]
          if how.extra then T.mbarrier_arrive(full[i % 2]) end
          if not how.norelease then T.mbarrier_arrive(empty[i % 2]) end
        end
      end
      for t in T.ws(how.role or 1) do
        for i in T.serial(4) do
          if not how.noacquire then T.mbarrier_wait_parity(empty[i % 2], (i // 2 + 1) % 2) end
          s[i % 2, t] = A[bx * 512 + i * 128 + t]
          if not how.noarrive then T.mbarrier_arrive(full[how.slot or i % 2]) end
        end
      end
    end
    return C
  end)
end

-- Runs all mutants of a kernel against the kernel itself.
local function run(name, machine, make, args, list)
  local target = "sim -arch=" .. machine
  tl.set_target(target)
  local want = mutate.results(make {}, args)
  for _, m in ipairs(list) do
    local verdict = mutate.verdict_of(function() return mutate.results(make(m[2]), args) end, want)
    print(("%-14s %-34s %s"):format(name, m[1], verdict))
  end
end

local gemms = {
  {"forgotten clear", {noclear = true}}, {"clear in the loop", {inside = true}},
  {"missing copy", {nocopy = true}}, {"missing store", {nostore = true}},
  {"row off by one", {row = 1}}, {"column off by one", {col = 1}},
  {"column of another type of vector", {col = 8}}, {"wrong block index", {swap = true}},
  {"too few blocks", {grid = 2}}, {"too few steps", {steps = 2}},
  {"A transposed", {ta = true}}, {"B transposed", {tb = true}}, {"both transposed", {ta = true, tb = true}},
  {"operands swapped", {operands = true}}, {"added twice", {twice = true}},
  {"tiles overlap", {width = 31}}, {"tiles apart", {width = 33}}, {"tile of another width", {slots = 16}},
}
local args = {tl.randn({70, 96}, f16), tl.randn({96, 80}, f16)}
for _, machine in ipairs {"sm_80", "sm_90a", "c500", "simt"} do
  run("gemm " .. machine, machine, gemm, args, gemms)
end
local reductions = {
  {"missing reduction", {noreduce = true}}, {"maximum for sum", {max = true}},
  {"sum onto nothing", {keep = true}}, {"half of the row", {n = 128}},
  {"one element too few", {n = 255}}, {"race of T.Parallel", {race = true}},
  {"shift in place", {shift = true}}, {"index off by one", {off = 1}},
  {"negative index", {off = -1}}, {"column off by one", {first = 1}},
  {"all blocks write one row", {row = 0}}, {"too few blocks", {blocks = 7}},
  {"wrong factor", {factor = 2}},
}
for _, machine in ipairs {"sm_80", "c500"} do
  run("rows " .. machine, machine, rows, {tl.randn({8, 256}, f32)}, reductions)
end
run("copies sm_80", "sm_80", copies, {tl.randn({128, 64}, f32)}, {
  {"no wait", {nowait = true}}, {"wait for one group fewer", {left = 2}},
  {"one slot", {slots = 1}}, {"slot ahead", {ahead = 1}},
  {"nothing waits at the end", {nolast = true}},
})
run("roles sm_90a", "sm_90a", roles, {tl.randn({1024}, f32)}, {
  {"no wait", {nowait = true}}, {"no arrive", {noarrive = true}}, {"other parity", {parity = 1}},
  {"no acquire", {noacquire = true}}, {"no release", {norelease = true}},
  {"too many arrivals expected", {full = 129}}, {"too few arrivals expected", {full = 64}},
  {"arrivals at one barrier", {slot = 0}}, {"arrives for the producer", {extra = true}},
  {"another index", {same = true}}, {"role that is not there", {role = 2}},
  {"producer in the consumer's threads", {role = 0}},
})
