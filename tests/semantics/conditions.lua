-- Conditions that take statements of their own: T.any_of, atomics that give the old value.  They are evaluated
-- where Lua evaluates them: in each turn of a `while`, to the right of `and` only if the left side holds.
local check = dofile "lib/check.lua"

local function list(t)
  return table.concat(t:totable(), " ")
end

local function run(body)
  return list(tl.jit(function()
    local O = T.empty({6}, "int32")
    for bx in T.Kernel(1, {threads = 32}) do
      T.clear(O)
      body(O)
    end
    return O
  end)())
end

-- With a tile of 0, 1, 2, 3.
local function tiles(body)
  return run(T.macro(function(O)
    local s = T.alloc_shared({4}, "int32")
    for i in T.Parallel(4) do s[i] = i end
    body(O, s)
  end))
end

check.equal("while any_of", tiles(T.macro(function(O, s)
  local n = T.alloc_var("int32", 0)
  while T.any_of(s) do
    for i in T.Parallel(4) do s[i] = T.max(s[i] - 1, 0) end
    n += 1
  end
  O[0] = n
end)), "3 0 0 0 0 0")

check.equal("while with and, not, continue and break", tiles(T.macro(function(O, s)
  local n = T.alloc_var("int32", 0)
  local m = T.alloc_var("int32", 0)
  while n < 9 and not T.all_of(s) do
    n += 1
    if n == 2 then goto continue end
    if n == 5 then break end
    m += 10
    for i in T.Parallel(4) do s[i] = T.if_then_else(i == n, 0, s[i]) end
    ::continue::
  end
  O[0] = n
  O[1] = m
end)), "5 30 0 0 0 0")

check.equal("while that never begins", tiles(T.macro(function(O, s)
  T.clear(s)
  while T.any_of(s) do O[0] = 1 end
  O[1] = 2
end)), "0 2 0 0 0 0")

check.equal("while in while", tiles(T.macro(function(O, s)
  local n = T.alloc_var("int32", 0)
  while T.any_of(s) do
    while T.any_of(s[2:4]) do
      for i in T.Parallel(2) do s[i + 2] = T.max(s[i + 2] - 1, 0) end
      n += 1
    end
    for i in T.Parallel(2) do s[i] = T.max(s[i] - 1, 0) end
    n += 10
  end
  O[0] = n
end)), "13 0 0 0 0 0")

check.equal("any_of to the right", tiles(T.macro(function(O, s)
  local n = T.alloc_var("int32", 7)
  if n < 4 and T.any_of(s[n:n + 1]) then O[0] = 1 end
  if n > 3 or T.any_of(s[n:n + 1]) then O[1] = 1 end
  O[2] = n < 4 and s[n] or T.all_of(s) and 5 or 6
end)), "0 1 6 0 0 0")

-- Atomics, by one iteration each.
local function atomics(body)
  return run(T.macro(function(O)
    for i in T.Parallel(1) do body(O) end
  end))
end

local function old(O, i, v) return T.atomic_add(O[i], v, {return_prev = true}) end

check.equal("while an atomic", atomics(T.macro(function(O)
  while old(O, 0, 1) < 5 do O[1] = O[1] + 2 end
end)), "6 10 0 0 0 0")

check.equal("and", atomics(T.macro(function(O)
  if O[0] > 0 and old(O, 1, 7) == 0 then O[2] = 1 end
  if O[0] == 0 and old(O, 3, 7) == 0 then O[4] = 1 end
end)), "0 0 0 7 1 0")

check.equal("or", atomics(T.macro(function(O)
  if O[0] == 0 or old(O, 1, 7) == 0 then O[2] = 1 end
  if O[0] > 0 or old(O, 3, 7) == 7 then O[4] = 1 end
end)), "0 0 1 7 0 0")

check.equal("a choice", atomics(T.macro(function(O)
  O[5] = O[0] > 0 and old(O, 1, 7) + 1 or old(O, 2, 3) - 4
  O[5] = O[5] + (O[0] == 0 and old(O, 3, 7) + 1 or old(O, 4, 3))
end)), "0 0 3 7 0 -3")

check.equal("three in a row", atomics(T.macro(function(O)
  if O[0] == 0 and old(O, 1, 1) == 0 and old(O, 2, 1) == 5 and old(O, 3, 1) == 0 then O[4] = 1 end
end)), "0 1 1 0 0 0")

-- The left side is worth what it was when it was asked, also if the right one changes it.
check.equal("what the right side changes", atomics(T.macro(function(O)
  if O[0] == 0 and old(O, 0, 1) == 0 then O[1] = 1 end
  if O[2] ~= 0 or old(O, 2, 1) == 5 then O[3] = 1 end
  O[4] = O[5] == 0 and old(O, 5, 3) + 7 or 9
end)), "1 1 1 0 7 3")

-- T.if_then_else evaluates only the side that is chosen, as T.And and T.Or do.
check.equal("if_then_else", atomics(T.macro(function(O)
  O[2] = T.if_then_else(O[0] > 0, old(O, 1, 7), 5)
  O[4] = T.if_then_else(O[0] == 0, old(O, 3, 7) + 1, 5)
  O[5] = O[5] + T.if_then_else(O[0] > 0, 5, old(O, 0, 2) + 3)
end)), "2 0 5 7 1 3")

check.equal("if_then_else, both sides", atomics(T.macro(function(O)
  for k = 0, 2 do
    O[5] = T.if_then_else(k % 2 == 0, old(O, 0, 1), T.if_then_else(k > 1, old(O, 1, 1), old(O, 2, 1) + 9))
    O[3] = O[3] * 10 + O[5]
  end
end)), "2 0 1 91 0 1")

check.equal("if_then_else of what it changes", atomics(T.macro(function(O)
  O[1] = T.if_then_else(O[0] == 0, old(O, 0, 1) + 5, 9)
end)), "1 5 0 0 0 0")

check.equal("if_then_else of what is known", atomics(T.macro(function(O)
  O[0] = T.if_then_else(true, old(O, 1, 7) + 1, old(O, 2, 7))
  O[3] = T.if_then_else(false, old(O, 4, 7), 8)
end)), "1 7 0 8 0 0")

check.equal("And, Or", atomics(T.macro(function(O)
  if T.And(O[0] > 0, old(O, 1, 7) == 0) then O[2] = 1 end
  if T.Or(O[0] > 0, old(O, 3, 7) == 0) then O[4] = 1 end
end)), "0 0 0 7 1 0")

check.equal("in plain Lua, with an atomic under a name", atomics(function(O)
  local before = old(O, 0, 3)
  O[1] = T.if_then_else(before, old(O, 2, 1), before + 4)
end), "3 4 0 0 0 0")

-- Both sides of a T.Select are evaluated.
check.equal("Select", atomics(T.macro(function(O)
  O[1] = T.Select(O[0] > 0, old(O, 2, 7), 5)
end)), "0 5 7 0 0 0")

-- An arm's `...`, a function of another name, and one that is no T's.
local rest = T.macro(function(O, ...)
  O[1] = T.if_then_else(O[0] > 0, old(O, 2, (...)), (select("#", ...)))
end)
local mine = {if_then_else = function(c, a, b) return c + a + b end}
check.equal("what else bears the name", atomics(T.macro(function(O)
  rest(O, 4, 5, 6)
  O[3] = mine.if_then_else(1, math.max(2, 3), math.min(5, 6))
end)), "0 3 0 9 0 0")

check.done()
