-- Pipelined loops of every kind, executed by the simulator as each machine and
-- compared with the cpu target: stages 0 .. 4, trip counts around them, static
-- and dynamic, nested, under conditions, with lists of the user, with copies
-- that no instruction moves, and with uses of the tile behind the loop.
local machines = {"sm_80", "sm_90a", "c500", "gfx942", "simt"}
local BM, BN, BK = 32, 32, 32

-- Each row: name, stages to try, the kernel with that many.
local kernels = {}
local function case(name, stages, make)
  kernels[#kernels + 1] = {name = name, stages = stages, make = make}
end

case("plain", {0, 1, 2, 3, 4}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("dynamic", {1, 2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N = T.const "M, N"
    local K = T.dynamic "K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("condition", {2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        if (ko + bx) % 2 == 0 then
          T.copy(A[by * BM, ko * BK], As)
          T.copy(B[ko * BK, bx * BN], Bs)
          T.gemm(As, Bs, Cl)
        end
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("from", {2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(bx, T.ceildiv(K, BK), {num_stages = stages}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("repeated", {1, 2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx in T.Kernel(T.ceildiv(N, BN), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      for by in T.serial(T.ceildiv(M, BM)) do
        T.clear(Cl)
        for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
          T.copy(A[by * BM, ko * BK], As)
          T.copy(B[ko * BK, bx * BN], Bs)
          T.gemm(As, Bs, Cl)
        end
        T.copy(Cl, C[by * BM, bx * BN])
      end
    end
    return C
  end)
end)

case("uneven", {2}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx in T.Kernel(T.ceildiv(N, BN), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      for by in T.serial(T.ceildiv(M, BM)) do
        T.clear(Cl)
        for ko in T.Pipelined(T.min(by + 1, T.ceildiv(K, BK)), {num_stages = stages}) do
          T.copy(A[by * BM, ko * BK], As)
          T.copy(B[ko * BK, bx * BN], Bs)
          T.gemm(As, Bs, Cl)
        end
        T.copy(Cl, C[by * BM, bx * BN])
      end
    end
    return C
  end)
end)

case("lists", {3}, function()
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Al = T.alloc_fragment({BM, BK}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 3, order = {1, 2, 0, 3},
          stage = {0, 1, 2, 3}}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.copy(As, Al)
        T.gemm(Al, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("gather", {1, 2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        for i, j in T.Parallel(BM, BK) do
          As[i, j] = A[by * BM + i, ko * BK + (j + i) % BK] * T.float16(0.5)
        end
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("behind", {1, 2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.gemm(As, Bs, Cl)
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("two", {1, 2}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local S = T.alloc_shared({BM, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      T.clear(Cl)
      T.copy(A[by * BM, 0], As)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, S)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(S, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end)

case("persistent", {2, 3}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for w in T.Kernel(3, {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      for by, bx in T.Persistent({T.ceildiv(M, BM), T.ceildiv(N, BN)}, 3, w) do
        T.clear(Cl)
        for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
          T.copy(A[by * BM, ko * BK], As)
          T.copy(B[ko * BK, bx * BN], Bs)
          T.gemm(As, Bs, Cl)
        end
        T.copy(Cl, C[by * BM, bx * BN])
      end
    end
    return C
  end)
end)

case("while", {2}, function(stages)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float32)
    for bx in T.Kernel(T.ceildiv(N, BN), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      local by = T.alloc_var(T.int32, 0)
      while by < T.ceildiv(M, BM) do
        T.clear(Cl)
        for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
          T.copy(A[by * BM, ko * BK], As)
          T.copy(B[ko * BK, bx * BN], Bs)
          T.gemm(As, Bs, Cl)
        end
        T.copy(Cl, C[by * BM, bx * BN])
        by = by + 1
      end
    end
    return C
  end)
end)

-- Copies that nothing in the loop reads: nobody there would wait for them.
local function unread(what)
  case("unread " .. what, {2}, function(stages)
    return tl.jit(function(A, B)
      local M, N, K = T.const "M, N, K"
      A: T.Tensor({M, K}, T.float16)
      B: T.Tensor({K, N}, T.float16)
      local C = T.empty({M, N}, T.float32)
      for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
        local As = T.alloc_shared({BM, BK}, T.float16)
        local Bs = T.alloc_shared({BK, BN}, T.float16)
        local Cs = T.alloc_shared({BM, BN}, T.float32)
        local Cl = T.alloc_fragment({BM, BN}, T.float32)
        T.clear(Cl)
        T.clear(As)
        for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
          T.copy(A[by * BM, ko * BK], As)
          if what ~= "one" then T.copy(B[ko * BK, bx * BN], Bs) end
          if what == "and read" then
            for i, j in T.Parallel(BM, BN) do Cl[i, j] += Bs[i, j] end
          end
        end
        if what == "but behind" then
          for i, j in T.Parallel(BM, BN) do Cl[i, j] = As[i, j] end
        end
        T.copy(Cl, Cs)
        T.copy(Cs, C[by * BM, bx * BN])
      end
      return C
    end)
  end)
end
unread "one"
unread "two"
unread "and read"
unread "but behind"

-- One tile for two loads, and loads that overlap: what is read between them counts.
local function reused(what)
  case("reused " .. what, {2}, function(stages)
    return tl.jit(function(A, B)
      local M, N, K = T.const "M, N, K"
      A: T.Tensor({M, K}, T.float16)
      B: T.Tensor({K, N}, T.float16)
      local C = T.empty({M, N}, T.float32)
      for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
        local s = T.alloc_shared({BM, BK}, T.float16)
        local Cl = T.alloc_fragment({BM, BN}, T.float32)
        T.clear(Cl)
        for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
          T.copy(A[by * BM, ko * BK], s)
          if what == "between" then
            for i, j in T.Parallel(BM, BN) do Cl[i, j] += s[i, j] end
            T.copy(B[ko * BK, bx * BN], s)
          elseif what == "above" then
            T.copy(B[ko * BK, bx * BN], s[0:16, :])
          else
            T.copy(B[ko * BK, bx * BN], s)
            T.copy(A[by * BM, ko * BK], s[8:24, :])
          end
          for i, j in T.Parallel(BM, BN) do Cl[i, j] = Cl[i, j] / 2 + s[i, j] end
        end
        T.copy(Cl, C[by * BM, bx * BN])
      end
      return C
    end)
  end)
end
reused "between"
reused "above"
reused "twice"

-- Results on small numbers are exact in float32, whatever the order of sums.
local made = {}
local function matrix(rows, cols, seed)
  local key = ("%d %d %d"):format(rows, cols, seed)
  if made[key] then
    return made[key]
  end
  local t = {}
  for i = 1, rows do
    t[i] = {}
    for j = 1, cols do
      t[i][j] = ((i * 7 + j * 3 + seed) % 5 - 2) / 4
    end
  end
  made[key] = tl.from_table(t, "float16")
  return made[key]
end

local wrong = 0
for _, k in ipairs(kernels) do
  for _, stages in ipairs(k.stages) do
    tl.set_target "cpu"
    local ref = k.make(stages)
    local trips = {1, 2, stages, stages + 1, 2 * stages + 1}
    local done = {}
    for _, n in ipairs(trips) do
      local K = n * BK
      if n > 0 and not done[n] then
        done[n] = true
        tl.set_target "cpu"
        local a, b = matrix(64, K, 1), matrix(K, 64, 2)
        local want = ref(a, b)
        for _, m in ipairs(machines) do
          tl.set_target("sim -arch=" .. m)
          local ok, got = pcall(function() return k.make(stages)(a, b) end)
          if not ok or not tl.allclose(got, want, {rtol = 1e-3, atol = 1e-3}) then
            print(("%s, %d stages, %d trips, %s: %s"):format(k.name, stages, n, m,
              ok and "wrong" or got))
            wrong = wrong + 1
          end
        end
      end
    end
  end
  print(k.name)
end
print(wrong == 0 and "all agree" or wrong .. " differ")
