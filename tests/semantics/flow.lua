-- Control flow inside kernels: loops, branches, alloc_var, macros, selects.
local check = dofile "lib/check.lua"
tl.manual_seed(3)

-- A kernel with one int32 output of n elements that `body` fills.
local function run(n, body, ...)
  local f = tl.jit(function(n, body, dtype)
    local O = T.empty({n}, dtype or "int32")
    for bx in T.Kernel(1, {threads = 32}) do
      T.clear(O)
      body(O)
    end
    return O
  end)
  return f(n, body, ...)
end

local function list(t)
  return table.concat(t:totable(), " ")
end

-- serial loops ----------------------------------------------------------------

check.equal("serial step", list(run(8, T.macro(function(O)
  for i in T.serial(1, 8, 3) do O[i] = i end
end))), "0 1 0 0 4 0 0 7")

check.equal("serial down", list(run(6, T.macro(function(O)
  local n = T.alloc_var("int32", 0)
  for i in T.serial(5, -1, -2) do
    O[n] = i
    n += 1
  end
end))), "5 3 1 0 0 0")

check.equal("serial empty", list(run(3, T.macro(function(O)
  for i in T.serial(3, 1) do O[0] = i end
  for i in T.serial(0, 5, -1) do O[1] = i end
  O[2] = 7
end))), "0 0 7")

check.equal("numeric for", list(run(8, T.macro(function(O)
  local n = T.alloc_var("int32", 0)
  for i in T.serial(3) do
    for j = 0, i do O[n] = 10 * i + j; n += 1 end
  end
end))), "0 10 11 20 21 22 0 0")

check.equal("numeric for down", list(run(8, T.macro(function(O)
  local n = T.alloc_var("int32", 0)
  for i in T.serial(3) do
    for j = i + 1, 0, -2 do O[n] = 10 * i + j + 1; n += 1 end
  end
end))), "2 13 11 24 22 0 0 0")

check.equal("numeric for at trace time", list(run(4, T.macro(function(O)
  for i = 3, 0, -1 do O[i] = i * i end
end))), "0 1 4 9")

check.equal("table at trace time", list(run(6, T.macro(function(O)
  for i, v in ipairs {3, 5, 9} do O[i] = v end
  for k, v in pairs {[4] = 2} do O[k] = v end
end))), "0 3 5 9 2 0")

check.equal("unroll and vectorized", list(run(8, T.macro(function(O)
  for i in T.unroll(4) do O[i] = i end
  for i in T.vectorized(4) do O[4 + i] = -i end
  for i in T.unroll(1, 4, 2, {explicit = true}) do O[i] += 100 end
end))), "0 101 2 103 0 -1 -2 -3")

check.equal("grid", list(run(6, T.macro(function(O)
  for i, j in T.grid(2, 3) do O[i * 3 + j] = 10 * i + j end
end))), "0 1 2 10 11 12")

check.equal("grid of symbolic extents", list(run(6, T.macro(function(O)
  local n = T.alloc_var("int32", 0)
  for a in T.serial(3) do
    for i, j in T.grid(a, 2) do O[n] = 100 * a + 10 * i + j; n += 1 end
  end
end))), "100 101 200 201 210 211")

-- break, continue, while --------------------------------------------------------

check.equal("break", list(run(6, T.macro(function(O)
  for i in T.serial(6) do
    if i * i > 8 then break end
    O[i] = i + 1
  end
end))), "1 2 3 0 0 0")

check.equal("break of the inner loop", list(run(6, T.macro(function(O)
  for i in T.serial(3) do
    for j in T.serial(5) do
      if j == i then break end
      O[i] += 10
    end
    O[i + 3] = i
  end
end))), "0 10 20 0 1 2")

check.equal("break under and", list(run(5, T.macro(function(O)
  for i in T.serial(4) do
    if O[i] == 0 and i >= 2 then break end
    O[i] = 1
  end
  O[4] = 7
end))), "1 1 0 0 7")

check.equal("break under a condition that always holds", list(run(5, T.macro(function(O)
  for i in T.serial(6, 1, -1) do
    if O[0] == 9 or i >= 1 then break end
  end
  for i = 1, O[4] + 4 do
    if i == 9 or O[0] == 0 then break end
    O[i] = 5
  end
  for i in T.serial(2) do O[i] = 3 end
  O[4] = 7
end))), "3 3 0 0 7")

check.equal("break of two loops with closures", list(run(5, T.macro(function(O)
  for i in T.serial(3) do
    local function at() return i end
    for j in T.serial(3) do
      local function both() return at() + j end
      if both() > 1 and j > 0 then break end
      O[both()] += 1
    end
    if at() > 1 then break end
  end
  O[4] = 7
end))), "1 2 1 0 7")

check.equal("loop_break", list(run(4, T.macro(function(O)
  for i in T.serial(4) do
    if i == 2 then T.loop_break() end
    O[i] = 1
  end
end))), "1 1 0 0")

check.equal("continue", list(run(6, T.macro(function(O)
  for i in T.serial(6) do
    if i % 2 == 0 then goto continue end
    O[i] = i
    ::continue::
  end
end))), "0 1 0 3 0 5")

check.equal("while", list(run(8, T.macro(function(O)
  local n, s = T.alloc_var("int32", 27), T.alloc_var("int32", 0)
  while n ~= 1 do
    if n % 2 == 0 then n = n // 2 else n = 3 * n + 1 end
    s += 1
  end
  O[0] = s
end))), "111 0 0 0 0 0 0 0")

check.equal("while with break and and", list(run(3, T.macro(function(O)
  local i = T.alloc_var("int32", 0)
  while i < 100 and O[1] < 10 do
    i += 1
    O[1] += i
    if i > 50 then break end
  end
  O[0] = i
end))), "4 10 0")

-- branches ----------------------------------------------------------------------

check.equal("elseif in serial", list(run(6, T.macro(function(O)
  for i in T.serial(6) do
    if i < 2 then O[i] = 1
    elseif i == 3 then O[i] = 2
    elseif i > 4 then O[i] = 3
    else O[i] = 4 end
  end
end))), "1 1 4 2 4 3")

check.equal("if in Parallel", list(run(6, T.macro(function(O)
  for i in T.Parallel(6) do
    if i < 2 then O[i] = 1
    elseif i % 2 == 1 and not (i == 3) then O[i] = 2
    else O[i] = 3 end
  end
end))), "1 1 3 3 3 2")

check.equal("and or not", list(run(8, T.macro(function(O)
  for i in T.Parallel(8) do
    local odd, big = i % 2 == 1, i > 4
    O[i] = (odd and big) and 3 or odd and 2 or (not big) and 1 or 0
  end
end))), "1 2 1 2 1 3 0 3")

check.equal("select of values", list(run(4, T.macro(function(O)
  for i in T.Parallel(4) do
    local v = i > 1 and i * 10 or -i
    O[i] = T.Select(i == 3, v + 1, v)
  end
end))), "0 -1 20 31")

check.equal("a comparison is a value", list(run(4, T.macro(function(O)
  for i in T.Parallel(4) do
    O[i] = T.cast(i >= 2, "int32") * 5
  end
end))), "0 0 5 5")

check.equal("compile-time branches", list(run(3, T.macro(function(O)
  local flag, opt = true, nil
  if flag then O[0] = 1 else O[0] = 2 end
  if opt then O[1] = 1 end
  if not opt and 3 > 2 then O[1] = 5 end
  O[2] = flag and 8 or 9
end))), "1 5 8")

-- alloc_var -----------------------------------------------------------------------

check.equal("alloc_var outlives loops", list(run(4, T.macro(function(O)
  local a, b, c = T.alloc_var("int32", 1), T.alloc_var("int32", 1), T.alloc_var("int32")
  for i in T.serial(8) do
    c = a + b
    a = b
    b = c
  end
  O[0], O[1] = a, b
  c = 5
  O[2] = c
  c //= 2
  O[3] = c
end))), "34 55 5 2")

check.equal("alloc_var of float", run(2, T.macro(function(O)
  local s = T.alloc_var(T.float32, 0.5)
  for i in T.serial(4) do s *= 1.5 end
  O[0] = s
  s -= 1
  O[1] = s
end), "float32"):item(0), 0.5 * 1.5 ^ 4)

-- macros -------------------------------------------------------------------------

local bump = T.macro(function(buf, i, by)
  buf[i] += by
end)
local twice = T.macro(function(buf, i)
  bump(buf, i, 1)
  bump(buf, i, i)
  return buf[i] * 2
end)
check.equal("nested macros", list(run(4, T.macro(function(O)
  for i in T.serial(4) do
    local d = twice(O, i)
    O[i] = d + 1
  end
end))), "3 5 7 9")

local count = 0
check.equal("closures and upvalues", list(run(4, T.macro(function(O)
  local put = function(i, v) O[i] = v + count end
  count = 100
  for _, i in ipairs {0, 2} do put(i, i) end
end))), "100 0 102 0")

local inc = T.macro(function(x, by)
  x: T.Ref
  x += by
end)
check.equal("T.Ref", list(run(2, T.macro(function(O)
  local v = T.alloc_var("int32", 3)
  inc(v, 4)
  inc(v, 1)
  O[0] = v
end))), "8 0")

local typed = T.macro(function(src, dst)
  src: T.SharedBuffer({4}, T.int32)
  dst: T.FragmentBuffer({4}, T.int32)
  for i in T.Parallel(4) do dst[i] = src[i] + 1 end
end)
check.equal("typed macro", list(run(4, T.macro(function(O)
  local s, f = T.alloc_shared({4}, T.int32), T.alloc_fragment({4}, T.int32)
  for i in T.Parallel(4) do s[i] = i * i end
  typed(s, f)
  T.copy(f, O)
end))), "1 2 5 10")

-- arithmetic ------------------------------------------------------------------------

check.equal("floor division and modulo", list(run(8, T.macro(function(O)
  for i in T.serial(4) do
    O[i] = (i - 3) // 2
    O[i + 4] = (i - 3) % 2
  end
end))), "-2 -1 -1 0 1 0 1 0")

check.equal("truncated division and modulo", list(run(8, T.macro(function(O)
  for i in T.serial(4) do
    O[i] = T.truncdiv(i - 3, 2)
    O[i + 4] = T.truncmod(i - 3, 2)
  end
end))), "-1 -1 0 0 -1 0 -1 0")

check.equal("bits", list(run(8, T.macro(function(O)
  for i in T.serial(1) do
    O[0] = (i + 12) & 10
    O[1] = (i + 12) | 3
    O[2] = (i + 12) ~ 10
    O[3] = ~(i + 12)
    O[4] = (i + 12) << 2
    O[5] = (i - 12) >> 2
    O[6] = T.bitwise_xor(i + 5, 1)
    O[7] = T.popcount(i + 255)
  end
end))), "8 15 6 -13 48 -3 4 8")

check.done()
