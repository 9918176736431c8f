-- Index arithmetic in types that wrap, and near the limits of int32: values, indices of shared
-- memory, of fragments and of tensors, conditions of selects over a whole tile, each against the
-- same arithmetic in plain Lua.
--     SEEDS=400 FIRST=1000 SHOW=1 TARGETS="cpu,sim -arch=c500" moontile index_wrap.lua
local first, seeds = tonumber(os.getenv "FIRST") or 105, tonumber(os.getenv "SEEDS") or 6
local targets = {}
for t in (os.getenv "TARGETS" or "sim -arch=sm_75,sim -arch=sm_90a,sim -arch=c500,sim -arch=gfx942,cpu")
  :gmatch "[^,]+" do
  targets[#targets + 1] = t
end

local random = math.random
local function pick(t) return t[random(#t)] end
local bits = {int8 = 8, uint8 = 8, int16 = 16, uint16 = 16, int32 = 32, uint32 = 32}
local types = {"int8", "uint8", "int16", "uint16", "int32", "int32", "int32", "uint32"}

local function wrap(dt, v)
  v = v & (1 << bits[dt]) - 1
  return dt:sub(1, 1) == "i" and v >> (bits[dt] - 1) == 1 and v - (1 << bits[dt]) or v
end

-- A node is {text, value}: value(m) with m.i, m.j, m.b, and m.X, which holds data of any size.
local function leaf()
  local what = random(8)
  if what <= 2 then return {"i", function(m) return m.i end} end
  if what <= 4 then return {"j", function(m) return m.j end} end
  if what == 5 then return {"bx", function(m) return m.b end} end
  if what == 6 then return {"X[i]", function(m) return m.X[m.i] end} end
  return {"(i * 8 + j)", function(m) return m.i * 8 + m.j end}
end

local function expr(dt, depth)
  local function cast(x) return {("T.cast(%s, %q)"):format(x[1], dt), function(m) return wrap(dt, x[2](m)) end} end
  if depth == 0 then return cast(leaf()) end
  if random(5) == 1 then return cast(expr(pick(types), depth - 1)) end
  local a, op = expr(dt, depth - 1), pick {"+", "-", "*", "*", "//", "%", "//", "%", "min", "max", "+c", "+c", "nest"}
  local small = {1, 2, 3, 4, 7, 8, 16, 24, 64, 100}
  local large = {1 << 14, (1 << 15) - 1, 1 << 16, 1 << 30, (1 << 31) - 1, (1 << 31) - 16}
  local k = pick(random(3) == 1 and large or small)
  while wrap(dt, k) ~= k do k = pick(small) end
  local function bin(b, o, f)
    return {("(%s %s %s)"):format(a[1], o, b[1]), function(m) return wrap(dt, f(a[2](m), b[2](m))) end}
  end
  local c = {("T.cast(%d, %q)"):format(k, dt), function() return k end}
  if op == "+c" then return bin(c, "+", function(x, y) return x + y end) end
  if op == "*" then return bin(c, "*", function(x, y) return x * y end) end
  if op == "//" then return bin(c, "//", function(x, y) return x // y end) end
  if op == "%" then return bin(c, "%", function(x, y) return x % y end) end
  if op == "nest" then -- two quotients
    local q = pick {2, 16, 64}
    return {("((%s // T.cast(%d, %q)) // %s)"):format(a[1], q, dt, c[1]),
            function(m) return a[2](m) // q // k end}
  end
  local b = expr(dt, depth - 1)
  if op == "+" then return bin(b, "+", function(x, y) return x + y end) end
  if op == "-" then return bin(b, "-", function(x, y) return x - y end) end
  return {("T.%s(%s, %s)"):format(op, a[1], b[1]), function(m) return math[op](a[2](m), b[2](m)) end}
end

local function program(seed)
  math.randomseed(seed)
  local uses, text = {}, {}
  local function say(...) text[#text + 1] = string.format(...) end
  say "return tl.jit(function(X)"
  say "  X: T.Tensor({16}, 'int32')"
  say "  local C = T.empty({8, 2, 16, 8}, 'int32')"
  say "  for bx in T.Kernel(2, {threads = 128}) do"
  say "    local s, g = T.alloc_shared({16, 8}, 'int32'), T.alloc_fragment({16, 8}, 'int32')"
  say "    local f = T.alloc_fragment({16, 8}, 'int32')"
  say "    for i, j in T.Parallel(16, 8) do s[i, j] = i * 100 + j end"
  say "    for i, j in T.Parallel(16, 8) do g[i, j] = i * 100 + j end"
  for n = 0, 7 do
    local e, form = expr(pick(types), random(1, 3)), n % 6
    local dt = pick(types)
    local a, b = expr(dt, random(1, 2)), expr(dt, random(1, 2))
    local v
    if form == 0 then
      v = {("T.cast(%s, 'int32')"):format(e[1]), function(m) return wrap("int32", e[2](m)) end}
    elseif form == 1 then
      v = {("s[%s %% 16, j]"):format(e[1]), function(m) return e[2](m) % 16 * 100 + m.j end}
    elseif form == 2 then
      v = {("g[%s %% 16, j]"):format(e[1]), function(m) return e[2](m) % 16 * 100 + m.j end}
    elseif form == 3 then
      v = {("X[%s]"):format(e[1]), function(m)
        return m.X[e[2](m)] or 0
      end, e}
    else
      local o = pick {"<", "<="}
      v = {("T.if_then_else(%s %s %s, i + 1, -j)"):format(a[1], o, b[1]), function(m)
        local x, y = a[2](m), b[2](m)
        if x < y or (o == "<=" and x == y) then return m.i + 1 end
        return -m.j
      end}
    end
    uses[n] = v
    say("    for i, j in T.Parallel(16, 8) do f[i, j] = %s end", v[1])
    say("    T.copy(f, C[%d, bx, 0, 0])", n)
  end
  say "  end"
  say "  return C"
  say "end)"
  return table.concat(text, "\n"), uses
end

local extremes = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 1 << 30, (1 << 31) - 1, -(1 << 31), -(1 << 31) + 5,
                  12345, -777777}
local wrong = 0
for seed = first, first + seeds - 1 do
  local text, uses = program(seed)
  local X = tl.from_table(extremes, "int32")
  local data = {}
  for i = 0, 15 do data[i] = extremes[i + 1] end
  for n = 0, 7 do -- a tensor is asked for what is not there: a constant element counts from its end
    local ok = true
    for b = 0, 1 do
      for i = 0, 15 do
        for j = 0, 7 do
          local e = uses[n][3]
          ok = ok and not (e and e[2]{i = i, j = j, b = b, X = data} < 0)
        end
      end
    end
    if not ok then uses[n] = nil end
  end
  if os.getenv "SHOW" then print(text) end
  for _, target in ipairs(targets) do
    tl.set_target(target)
    local ran, C = pcall(function() return assert(load(text, "=seed" .. seed))()(X) end)
    local said = not ran and tostring(C)
    for n = 0, ran and 7 or -1 do
      for at = 0, 255 do
        local b, i, j = at // 128, at // 8 % 16, at % 8
        local want = uses[n] and wrap("int32", uses[n][2]{i = i, j = j, b = b, X = data})
        local got = C:item(n, b, i, j)
        if want and got ~= want and not said then
          said = ("%s: block %d, i = %d, j = %d: %d, wanted %d"):format(uses[n][1], b, i, j, got, want)
        end
      end
    end
    if said then
      wrong = wrong + 1
      print(("seed %d on %s: %s"):format(seed, target, said))
    end
  end
end
print(wrong == 0 and "as expected" or wrong .. " wrong")
