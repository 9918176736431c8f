-- Roles that the program's own mbarriers keep in step, in one loop: what they order needs no barrier of the block, and
-- where the loop is pipelined tiles and mbarriers have a place for each of its stages.  Each variant changes one thing.
local rounds, N = 6, 128

local function build(o)
  return tl.jit(function(A)
    A: T.Tensor({rounds, N}, T.float32)
    local C = T.empty({rounds, N}, T.float32)
    for _ in T.Kernel(1, {threads = 2 * N}) do
      local s = T.alloc_shared({N}, T.float32)
      local ready, done = T.alloc_barrier(N), T.alloc_barrier(N)
      for k in T.Pipelined(rounds, {num_stages = o.stages or 0}) do
        for t in T.ws(1) do
          if not o.unguarded then
            T.barrier_wait(done, (k + 1) % 2)
          end
          for i in T.Parallel(N) do
            s[i] = A[k, i]
          end
          if o.sometimes then
            if A[0, 0] < 2 then T.barrier_arrive(ready) end
          else
            T.barrier_arrive(ready)
          end
        end
        for t in T.ws(0) do
          T.barrier_wait(ready, k % 2)
          for i in T.Parallel(N) do
            C[k, i] = s[N - 1 - i] * 2
          end
          T.barrier_arrive(done)
        end
      end
      if o.behind then
        for i in T.Parallel(N) do
          C[0, i] = s[i]
        end
      end
    end
    return C
  end)
end

local variants = {
  {"no stages", {}},
  {"two stages", {stages = 2}},
  {"three stages", {stages = 3}},
  {"nobody waits before it writes", {unguarded = true}},
  {"... with stages", {unguarded = true, stages = 2}},
  {"the tile is read behind", {stages = 2, behind = true}},
  {"an arrival under a condition", {stages = 2, sometimes = true}},
}
local a = tl.rand({rounds, N}, {dtype = "float32"})
for _, v in ipairs(variants) do
  local name, o = v[1], v[2]
  print("== " .. name)
  tl.set_target "cuda -arch=sm_90a"
  local text = build(o):compile(a):get_kernel_source()
  local loop = text:match "(for %(int k = 0.*)"
  print("in the loop: " .. select(2, loop:match("^(.-)\n    }\n"):gsub("__syncthreads", "")) .. " barriers of the block")
  print("places: " .. (text:match "ready = [^\n]*mbarriers %[(%d+)%]") .. " of each mbarrier, tile " .. text:match "s = [^\n]*// float32(%[[^\n]*)")
  tl.set_target "sim -arch=sm_90a"
  local c, from, worst = build(o)(a):totable(), a:totable(), 0
  for k = o.behind and 2 or 1, rounds do
    for i = 1, N do worst = math.max(worst, math.abs(c[k][i] - 2 * from[k][N + 1 - i])) end
  end
  print("largest difference " .. worst)
end
