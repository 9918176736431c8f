-- Gathers in pipelined loops: rows of a table, windows of an image, masks.  Each with stages 1 to 4 as the
-- simulator runs them on every machine, against numbers that Lua computes; and how many cp.async of how many
-- bytes there are, with what was said of those that are none.
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}
local R, K, N = 40, 96, 64   -- rows of the table, their length; columns of the result
local BM, BK = 32, 32

-- Where element (i, k) of the left matrix comes from: what the kernel writes, and what Lua computes.
local cases = {}
local function case(name, dtype, at, value, options)
  cases[#cases + 1] = {name = name, dtype = dtype, at = at, value = value, o = options or {}}
end

case("rows of a table", "float16",
  T.macro(function(A, I, i, k) return A[I[i], k] end),
  function(A, I, i, k) return A[I[i]][k] end)
case("rows, some of them none", "float16",
  T.macro(function(A, I, i, k) return T.if_then_else(I[i] % 3 ~= 0, A[I[i], k], 0) end),
  function(A, I, i, k) return I[i] % 3 ~= 0 and A[I[i]][k] or 0 end)
case("zeros where it holds", "float16",
  T.macro(function(A, I, i, k) return T.if_then_else(I[i] < 8, 0, T.if_then_else(k < 72, A[I[i], k], 0)) end),
  function(A, I, i, k) return I[i] < 8 and 0 or k < 72 and A[I[i]][k] or 0 end)
case("rows beyond the table", "float16",
  T.macro(function(A, I, i, k) return A[I[i] + i - 4, k] end),
  function(A, I, i, k) return A[I[i] + i - 4] and A[I[i] + i - 4][k] or 0 end)
case("pieces of 8", "float16",
  T.macro(function(A, I, i, k) return A[(i + k // 24) % 40, (k % 24) + 24] end),
  function(A, I, i, k) return A[(i + k // 24) % 40][k % 24 + 24] end)
case("pieces of 4", "float16",
  T.macro(function(A, I, i, k) return A[i, k // 12 * 4 + k % 4] end),
  function(A, I, i, k) return A[i][k // 12 * 4 + k % 4] end)
case("moved by one", "float16",
  T.macro(function(A, I, i, k) return A[i, k + 1] end),
  function(A, I, i, k) return A[i][k + 1] or 0 end)
case("moved by what the table says", "float32",
  T.macro(function(A, I, i, k) return A[i, k + I[i]] end),
  function(A, I, i, k) return A[i][k + I[i]] or 0 end)
case("turned", "float32",
  T.macro(function(A, I, i, k) return A[k % 40, i] end),
  function(A, I, i, k) return A[k % 40][i] end)
case("computed", "float16",
  T.macro(function(A, I, i, k) return A[I[i], k] * 2 end),
  function(A, I, i, k) return A[I[i]][k] * 2 end)
case("sevens beyond", "float16",
  T.macro(function(A, I, i, k) return A[I[i] + 10, k] end),
  function(A, I, i, k) return A[I[i] + 10] and A[I[i] + 10][k] or 7 end, {safe = 7})
case("one element a group", "float16",
  T.macro(function(A, I, i, k) return A[i, k // 8] end),
  function(A, I, i, k) return A[i][k // 8] end)
case("one element a row", "float16",
  T.macro(function(A, I, i, k) return A[I[i], 3] end),
  function(A, I, i, k) return A[I[i]][3] end)
case("bytes", "int8",
  T.macro(function(A, I, i, k) return A[I[i], k] end),
  function(A, I, i, k) return A[I[i]][k] end)

-- C[i, n] = sum of k: left(i, k) * B[k, n]
local function kernel(c, stages)
  return tl.jit(function(A, I, B)
    A: T.Tensor({R, K}, c.dtype)
    I: T.Tensor({BM}, T.int32)
    B: T.Tensor({K, N}, c.dtype)
    local sums = c.dtype == "int8" and T.int32 or T.float32
    local C = T.empty({BM, N}, sums)
    for _ in T.Kernel(1, {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, c.dtype)
      local Bs = T.alloc_shared({BK, N}, c.dtype)
      local Cl = T.alloc_fragment({BM, N}, sums)
      if c.o.safe then T.annotate_safe_value {[A] = c.o.safe} end
      T.clear(Cl)
      for ko in T.Pipelined(K // BK, {num_stages = stages}) do
        for i, k in T.Parallel(BM, BK) do
          As[i, k] = c.at(A, I, i, ko * BK + k)
        end
        T.copy(B[ko * BK, 0], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C)
    end
    return C
  end)
end

local function numbers(rows, cols, seed)
  local t = {}
  for i = 0, rows - 1 do
    t[i] = {}
    for j = 0, cols - 1 do t[i][j] = (i * 7 + j * 3 + seed) % 5 - 2 end
  end
  return t
end

local function tensor(t, dtype)
  local rows = {}
  for i = 0, #t do
    rows[i + 1] = table.move(t[i], 0, #t[i], 1, {})
  end
  return tl.from_table(rows, dtype)
end

local a, b, rows = numbers(R, K, 1), numbers(K, N, 2), {}
for i = 0, BM - 1 do rows[i] = i * 11 % 37 end

local function right(c, got)
  for i = 0, BM - 1 do
    for n = 0, N - 1, 7 do
      local sum = 0
      for k = 0, K - 1 do sum = sum + c.value(a, rows, i, k) * b[k][n] end
      if got[i][n] ~= sum then return false end
    end
  end
  return true
end

-- How the left matrix travels in three stages, and what is said of it.
local function travels(c)
  tl.set_target "sim -arch=sm_80"
  local text, notes = kernel(c, 3):compile():ir "parallel"
  local bytes = text:match("for ko in serial.*"):match "cp_async A[^\n]* bytes=(%d+)"
  local why = notes[1] and notes[1].text or ""
  return bytes and bytes .. " B" or "registers", why
end

for _, c in ipairs(cases) do
  local A, B = tensor(a, c.dtype), tensor(b, c.dtype)
  local I = tl.from_table(table.move(rows, 0, #rows, 1, {}), "int32")
  local wrong = {}
  for _, m in ipairs(machines) do
    tl.set_target("sim -arch=" .. m)
    for stages = 1, 4 do
      local C = kernel(c, stages)(A, I, B):totable()
      local got = {}
      for i, row in ipairs(C) do got[i - 1] = table.move(row, 1, #row, 0, {}) end
      if not right(c, got) then wrong[#wrong + 1] = m .. " " .. stages end
    end
  end
  local how, why = travels(c)
  print(("%-28s %-10s %s%s"):format(c.name, how, #wrong == 0 and "right" or table.concat(wrong, ", "),
    why ~= "" and "\n    " .. why or ""))
end
