-- votes.lua: statements in which votes of the block stand beside loads of shared and global memory, also within choices,
-- on simulated machines against an interpreter that does each expression for all threads at once.
--
--     moontile tests/hunt/votes.lua [--seed N] [--count programs]
--
-- Every statement has a vote, so that all of its loads come before what it stores, whoever stores it.  Without arguments
-- it is the short test.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local random = dofile(here .. "lib/random.lua")

local options = {seed = 101, count = 20}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not math.tointeger(tonumber(arg[i + 1])) then
    io.stderr:write("usage: moontile votes.lua [--seed N] [--count programs]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1]))
end

local N = 128
local machines = {"sm_75", "sm_90a", "gfx942", "c500"}

-- Expressions: a text, and f(memory) -> the values of all threads ------------------------------------

local function each(f)
  local r = {}
  for t = 0, N - 1 do r[t] = f(t) end
  return r
end

-- An index, and which element that is for a thread.
local function index(r)
  local c = r:int(0, N - 1)
  return table.unpack(r:of {
    {"tx", function(t) return t end},
    {"127 - tx", function(t) return N - 1 - t end},
    {("(tx + %d) %% 128"):format(c), function(t) return (t + c) % N end},
    {("tx * %d %% 128"):format(c | 1), function(t) return t * (c | 1) % N end},
    {tostring(c), function() return c end},
  })
end

local function load_of(r, name)
  local text, at = index(r)
  return ("%s[%s]"):format(name, text), function(m) return each(function(t) return m[name][at(t)] end) end
end

local expression

local function condition(r, depth)
  local text, f = expression(r, depth - 1)
  local c = r:int(-10, 50)
  return ("(%s > %d)"):format(text, c), function(m)
    local v = f(m)
    return each(function(t) return v[t] > c end)
  end
end

local votes = {
  count = function(n) return n end,
  ["or"] = function(n) return n > 0 and 1 or 0 end,
  ["and"] = function(n) return n == N and 1 or 0 end,
}

local function vote(r, depth)
  local text, f = condition(r, depth)
  local name = r:of {"count", "or", "and"}
  return ("T.syncthreads_%s(%s)"):format(name, text), function(m)
    local v, n = f(m), 0
    for t = 0, N - 1 do n = n + (v[t] and 1 or 0) end
    return each(function() return votes[name](n) end)
  end
end

local function choice(r, depth)
  local text, f = condition(r, depth)
  local a, g = expression(r, 0)
  local b, h = expression(r, 0)
  return ("T.if_then_else(%s, %s, %s)"):format(text, a, b), function(m)
    local p, x, y = f(m), g(m), h(m)
    return each(function(t) return p[t] and x[t] or not p[t] and y[t] end)
  end
end

local function sum(r, depth)
  local a, f = expression(r, depth - 1)
  local b, g = expression(r, depth - 1)
  local sign = r:chance(0.7) and 1 or -1
  return ("(%s %s %s)"):format(a, sign == 1 and "+" or "-", b), function(m)
    local x, y = f(m), g(m)
    return each(function(t) return x[t] + sign * y[t] end)
  end
end

function expression(r, depth)
  local k = r:int(1, depth > 0 and 10 or 4)
  if k <= 2 then
    return load_of(r, "s")
  elseif k == 3 then
    return load_of(r, "A")
  elseif k == 4 then
    return "tx", function() return each(function(t) return t end) end
  end
  return (k <= 6 and vote or k == 7 and choice or sum)(r, depth)
end

-- Statements -------------------------------------------------------------------------------------------

local function statement(r, i)
  local text, f = expression(r, 3)
  local last, g = vote(r, 1)
  text = ("(%s + %s) %% 64"):format(text, last)
  local function values(m)
    local x, y = f(m), g(m)
    return each(function(t) return (x[t] + y[t]) % 64 end)
  end
  local function mirrored(m)
    local v = values(m)
    m.s = each(function(t) return v[N - 1 - t] end)
  end
  local kind = r:int(1, 4)
  if kind == 1 then
    return "s[127 - tx] = " .. text, mirrored
  elseif kind == 2 then
    return ("local v%d = %s s[127 - tx] = v%d"):format(i, text, i), mirrored
  elseif kind == 3 then
    return "s[tx] = " .. text, function(m) m.s = values(m) end
  end
  return ("if %s > s[tx] then s[tx] = s[tx] + 1 end"):format(text), function(m)
    local v, old = values(m), m.s
    m.s = each(function(t) return v[t] > old[t] and old[t] + 1 or old[t] end)
  end
end

local head = [[return T.prim_func(function(A, B)
  A: T.Tensor({128}, T.int32)
  B: T.Tensor({128}, T.int32)
  for _ in T.Kernel(1, {threads = 128}) do
    local tx = T.get_thread_binding(0)
    local s = T.alloc_shared({128}, T.int32)
    s[tx] = A[tx]
]]
local tail = "    B[tx] = s[tx]\n  end\nend)\n"

local function check(text, seed, values, wanted)
  for _, machine in ipairs(machines) do
    local b = tl.zeros({N}, "int32")
    local ok, why = pcall(function()
      local target = ("sim -arch=%s -seed=%d"):format(machine, seed % 997 + 1)
      tl.compile(assert(load(text, "=votes"))(), {target = target})(tl.from_table(values, "int32"), b)
    end)
    for t = 0, ok and N - 1 or -1 do
      if b[t] ~= wanted[t] then
        ok, why = false, ("element %d is %d, not %d"):format(t, b[t], wanted[t])
        break
      end
    end
    if not ok then
      print(("seed %d on %s: %s\n%s"):format(seed, machine, tostring(why), text))
      return 1
    end
  end
  return 0
end

local found = 0
for seed = options.seed, options.seed + options.count - 1 do
  local r, values, lines = random.new(seed), {}, {}
  for t = 1, N do values[t] = r:int(0, 49) end
  local m = {A = each(function(t) return values[t + 1] end)}
  m.s = m.A
  for i = 1, r:int(1, 3) do
    local text, f = statement(r, i)
    lines[i] = "    " .. text .. "\n"
    f(m)
  end
  found = found + check(head .. table.concat(lines) .. tail, seed, values, m.s)
end
print(("seeds %d to %d: %d programs, %d findings"):format(options.seed, options.seed + options.count - 1, options.count, found))
os.exit(found == 0 and 0 or 1, true)
