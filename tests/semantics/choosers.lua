-- T.if_then_else, T.And, T.Or and `and` evaluate what they choose and nothing else: random ones
-- with atomics inside, whose old values count, against closures of plain Lua.
local seed, count = tonumber(arg[1] or 1), tonumber(arg[2] or 150)
local targets = arg[3] and {arg[3]} or {"sim -arch=sm_80", "sim -arch=c500"}
local random, fmt = math.random, string.format
math.randomseed(seed)

-- Texts in names of the test's own: X(i, v) adds v to A[i] and gives what was there; S chooses,
-- N and O are `and` and `or`.
local condition
local function number(depth)
  local k = random(depth > 0 and 5 or 3)
  if k == 1 then
    return fmt("%d", random(-3, 5))
  elseif k == 2 then
    return fmt("A[%d]", random(0, 3))
  elseif k == 3 then
    return fmt("X(%d, %d)", random(0, 3), random(1, 3))
  end
  return fmt("S(%s, %s, %s)", condition(depth - 1), number(depth - 1), number(depth - 1))
end
function condition(depth)
  local k = random(depth > 0 and 4 or 1)
  if k == 1 then
    local what = random(2) == 1 and fmt("X(%d, %d)", random(0, 3), random(1, 3)) or fmt("A[%d]", random(0, 3))
    return fmt("(%s %s %d)", what, ({"<", ">", "=="})[random(3)], random(-1, 6))
  end
  return fmt(({nil, "N(%s, %s)", "O(%s, %s)", "(%s and %s)"})[k], condition(depth - 1), condition(depth - 1))
end

local function ours(e)
  return (e:gsub("X%((%d), (%d)%)", "T.atomic_add(A[%1], %2, {return_prev = true})")
    :gsub("S%(", "T.if_then_else("):gsub("N%(", "T.And("):gsub("O%(", "T.Or("))
end

-- Arguments of S, N and O as closures.
local function plain(e)
  return (e:gsub("([SNO])(%b())", function(name, list)
    local args, depth, from = {}, 0, 2
    for i = 2, #list do
      local c = list:sub(i, i)
      if depth == 0 and (c == "," or i == #list) then
        args[#args + 1] = "function() return " .. plain(list:sub(from, i - 1)) .. " end"
        from = i + 1
      end
      depth = depth + (c == "(" and 1 or c == ")" and -1 or 0)
    end
    return name .. "(" .. table.concat(args, ", ") .. ")"
  end))
end

local function wanted(e)
  local A = {[0] = 0, 2, 4, 6}
  local env = {A = A}
  function env.X(i, v)
    A[i] = A[i] + v
    return A[i] - v
  end
  function env.S(c, a, b) if c() then return a() end return b() end
  function env.N(a, b) return a() and b() end
  function env.O(a, b) return a() or b() end
  return fmt("%d: %d %d %d %d", load("return " .. plain(e), "=oracle", "t", env)(), A[0], A[1], A[2], A[3])
end

local function got(e)
  local a, b = load(fmt([[return tl.jit(function()
  local A, B = T.empty({4}, "int32"), T.empty({1}, "int32")
  for bx in T.Kernel(1, {threads = 1}) do
    for i in T.serial(4) do A[i] = i * 2 end
    local x = %s
    B[0] = x
  end
  return A, B
end)]], ours(e)), "=kernel")()()
  return fmt("%d: %d %d %d %d", b:item(0), a:item(0), a:item(1), a:item(2), a:item(3))
end

for _, target in ipairs(targets) do
  tl.set_target(target)
  local ran, wrong = 0, 0
  for _ = 1, count do
    local e = number(3)
    if e:find "X" and e:find "S" then
      local have, want = got(e), wanted(e)
      ran = ran + 1
      if have ~= want then
        wrong = wrong + 1
        print(e, have, "wanted", want)
      end
    end
  end
  print(target, ran > count // 4 and "enough" or ran, wrong .. " wrong")
end
