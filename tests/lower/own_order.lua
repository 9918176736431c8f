-- Roles of one loop whose order is not that of the text: what the mbarriers say counts.
local rounds, N = 5, 128

local function values(name, k, want)
  local a = tl.arange(rounds * N, "float32"):reshape({rounds, N})
  tl.set_target "cuda -arch=sm_90a"
  local text = k:compile(a):get_kernel_source()
  local loop, behind = text:match "(for %(int k = 0.-\n    }\n)(.*)"
  local count = function(s) return select(2, s:gsub("__syncthreads", "")) end
  print(("== %s\nbarriers of the block: %d in the loop, %d behind; tile s of %s"):format(name, count(loop), count(behind),
    text:match " s = [^\n]*// float32(%[[^\n]*)"))
  for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_90a -seed=5"} do
    tl.set_target(target)
    local got, worst = k(a):totable(), 0
    for r = 1, rounds do
      for i = 1, N do worst = math.max(worst, math.abs(got[r][i] - want(r - 1, i - 1))) end
    end
    print("largest difference " .. worst)
  end
end

-- The second in the text comes first, and reads what the iteration before left: no iteration has a place of its own.
values("a tile that is read before it is written", tl.jit(function(A)
  A: T.Tensor({rounds, N}, T.float32)
  local C = T.empty({rounds, N}, T.float32)
  for _ in T.Kernel(1, {threads = 2 * N}) do
    local s = T.alloc_shared({N}, T.float32)
    local seen, done = T.alloc_barrier(N), T.alloc_barrier(N)
    T.fill(s, 3)
    for k in T.Pipelined(rounds, {num_stages = 2}) do
      for t in T.ws(1) do
        T.barrier_wait(seen, k % 2)
        for i in T.Parallel(N) do
          s[i] = A[k, i]
        end
        T.barrier_arrive(done)
      end
      for t in T.ws(0) do
        T.barrier_wait(done, (k + 1) % 2)
        for i in T.Parallel(N) do
          C[k, i] = s[N - 1 - i] * 2
        end
        T.barrier_arrive(seen)
      end
    end
  end
  return C
end), function(r, i) return r == 0 and 6 or 2 * ((r - 1) * N + N - 1 - i) end)

local function consumer_first(ranges)
  return tl.jit(function(A)
    A: T.Tensor({rounds, N}, T.float32)
    local C = T.empty({rounds, N}, T.float32)
    for _ in T.Kernel(1, {threads = 2 * N}) do
      local tx = T.get_thread_binding()
      local s = T.alloc_shared({N}, T.float32)
      local ready, done = T.alloc_barrier(N), T.alloc_barrier(N)
      for k in T.Pipelined(rounds, {num_stages = 2}) do
        if ranges then
          if tx < N then
            T.barrier_wait(ready, k % 2)
            C[k, tx] = s[N - 1 - tx] * 2
            T.barrier_arrive(done)
          end
          if tx >= N then
            T.barrier_wait(done, (k + 1) % 2)
            s[tx - N] = A[k, tx - N]
            T.barrier_arrive(ready)
          end
        else
          for t in T.ws(0) do
            T.barrier_wait(ready, k % 2)
            for i in T.Parallel(N) do
              C[k, i] = s[N - 1 - i] * 2
            end
            T.barrier_arrive(done)
          end
          for t in T.ws(1) do
            T.barrier_wait(done, (k + 1) % 2)
            for i in T.Parallel(N) do
              s[i] = A[k, i]
            end
            T.barrier_arrive(ready)
          end
        end
      end
    end
    return C
  end)
end
local function reversed(r, i) return 2 * (r * N + N - 1 - i) end
values("who reads stands first", consumer_first(false), reversed)
values("... with ranges of threads", consumer_first(true), reversed)

-- A question and its answer in one iteration: no barrier can stand between the two ranges.
values("ranges that answer each other", tl.jit(function(A)
  A: T.Tensor({rounds, N}, T.float32)
  local C = T.empty({rounds, N}, T.float32)
  for _ in T.Kernel(1, {threads = 2 * N}) do
    local tx = T.get_thread_binding()
    local s, u = T.alloc_shared({N}, T.float32), T.alloc_shared({N}, T.float32)
    local asked, answered = T.alloc_barrier(N), T.alloc_barrier(N)
    for k in T.serial(rounds) do
      if tx < N then
        s[tx] = A[k, tx]
        T.barrier_arrive(asked)
        T.barrier_wait(answered, k % 2)
        C[k, tx] = u[tx]
      end
      if tx >= N then
        T.barrier_wait(asked, k % 2)
        u[tx - N] = s[2 * N - 1 - tx] * 2
        T.barrier_arrive(answered)
      end
    end
  end
  return C
end), reversed)

-- One role has waited for the tile that TMA fills; behind the roles all read it.
values("a loaded tile behind the roles", tl.jit(function(A)
  A: T.Tensor({rounds, N}, T.float32)
  local C = T.empty({rounds, N}, T.float32)
  for _ in T.Kernel(1, {threads = 2 * N}) do
    local s = T.alloc_shared({N}, T.float32)
    local ready, done = T.alloc_barrier(N), T.alloc_barrier(N)
    for k in T.serial(rounds) do
      for t in T.ws(0) do
        T.barrier_wait(done, (k + 1) % 2)
        T.tma_copy(A[k, 0:N], s, {barrier = ready})
        T.barrier_arrive(ready)
      end
      for t in T.ws(1) do
        T.barrier_wait(ready, k % 2)
        C[k, t] = s[N - 1 - t] * 2
        T.barrier_arrive(done)
      end
    end
    for i in T.Parallel(N) do
      C[0, i] = s[i]
    end
  end
  return C
end), function(r, i) return r == 0 and (rounds - 1) * N + i or 2 * (r * N + N - 1 - i) end)
