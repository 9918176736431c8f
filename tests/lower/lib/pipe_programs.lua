-- Pipelined kernels drawn at random, as text: copies whole and in parts, under
-- conditions by data, block and iteration, tiles read before and behind the
-- loop, several loops over one tile, and every kind of consumer.  All values
-- are small integers, so that each order of a sum gives the same bits.
local programs = {}

local pick, chance

local R, W = 32, 64 -- a tile

-- Conditions that a statement stands under; 1: only on the iteration.
local conditions = {
  "M[%s] ~= 0", "M[(%s + bx) %% TRIPS] ~= 0", "bx == 0", "(%s + bx) %% 2 == 0", "%s %% 3 ~= 1", "%s > 1",
  "F[0] == 0", "%s < N[bx]",
}

local function indent(text, by)
  return (text:gsub("[^\n]+", (" "):rep(by) .. "%0"))
end

-- What may stand in a loop: copies into a tile, uses of one, and what changes one in other ways.
local loads, uses, others = {}, {}, {}
local function kind(list, weight, f)
  for _ = 1, weight do
    list[#list + 1] = f
  end
end

local function any(g)
  return pick(g.tiles)
end

-- Which tile of X stands in the copies.
local function source(g, it)
  return pick {("X[bx, %s, 0, 0]"):format(it), ("X[0, %s, 0, 0]"):format(it),
    ("X[bx, TRIPS - 1 - %s, 0, 0]"):format(it)}
end

kind(loads, 8, function(g, it) return ("T.copy(%s, %s)"):format(source(g, it), any(g).name) end)
kind(loads, 2, function(g, it) -- two halves
  local t, k = any(g).name, pick {0, 16}
  return ("T.copy(X[bx, %s, %d, 0], %s[%d:%d, 0:%d])\nT.copy(X[bx, %s, %d, 0], %s[%d:%d, 0:%d])")
    :format(it, k, t, k, k + 16, W, it, 16 - k, t, 16 - k, 32 - k, W)
end)
kind(others, 1, function(g, it) -- a part
  local t, k = any(g).name, pick {0, 8, 16}
  return ("T.copy(X[bx, %s, %d, 0], %s[%d:%d, 0:%d])"):format(it, k, t, k, k + 16, W)
end)
kind(others, 1, function(g, it) -- overlapping parts
  local t = any(g).name
  return ("T.copy(X[bx, %s, 0, 0], %s[0:24, 0:%d])\nT.copy(X[bx, %s, 1, 0], %s[8:32, 0:%d])")
    :format(it, t, W, it, t, W)
end)
kind(loads, 2, function(g, it) -- a gather by a nest
  return ("for i, j in T.Parallel(%d, %d) do %s[i, j] = X[bx, %s, i, %d - j] end")
    :format(R, W, any(g).name, it, W - 1)
end)
kind(uses, 4, function(g) -- into registers
  return ("for i, j in T.Parallel(%d, %d) do acc[i, j] += %s[i, j] end"):format(R, W, any(g).name)
end)
kind(uses, 3, function(g, it) return ("T.copy(%s, O[bx, %s, 0, 0])"):format(any(g).name, it) end)
kind(uses, 2, function(g, it)
  return ("for i, j in T.Parallel(%d, %d) do O[bx, %s, i, j] += %s[i, j] * 2 end")
    :format(R, W, it, any(g).name)
end)
kind(uses, 3, function(g)
  return ("T.reduce_%s(%s, %s, {dim = %d, clear = false})")
    :format(pick {"sum", "max"}, any(g).name, pick {"v", "vs"}, 1)
end)
kind(uses, 1, function(g)
  return ("T.reduce_sum(%s, h, {dim = 0, clear = %s})"):format(any(g).name, pick {"true", "false"})
end)
kind(uses, 4, function(g)
  return ("T.gemm(%s, %s, c, {transpose_B = true})"):format(any(g).name, any(g).name)
end)
kind(uses, 1, function(g)
  return ("T.cumsum(%s, w, %d)\nfor i, j in T.Parallel(%d, %d) do acc[i, j] += w[i, j] %% 4 end")
    :format(any(g).name, pick {0, 1}, R, W)
end)
kind(uses, 1, function(g)
  return ("T.transpose(%s, u)\nfor i, j in T.Parallel(%d, %d) do acc[i, j] += u[j, i] end")
    :format(any(g).name, R, W)
end)
kind(uses, 1, function(g)
  return ("T.atomic_add(Z[bx, 0, 0], %s)"):format(any(g).name)
end)
kind(others, 1, function(g) return ("T.fill(%s, %d)"):format(any(g).name, pick {0, 1, 2}) end)
kind(others, 1, function(g)
  return ("for i, j in T.Parallel(%d, %d) do %s[i, j] = %s[i, j] + 1 end")
    :format(R, W, (function() local t = any(g).name; return t, t end)())
end)
kind(others, 1, function(g) -- one tile from another
  return ("T.copy(%s, %s)"):format(any(g).name, any(g).name)
end)
kind(others, 1, function() return "F[0] = (F[0] + 1) % 2" end)

local function under(cond, s)
  return cond and ("if %s then\n%s\nend"):format(cond, indent(s, 2)) or s
end

-- Anything in any order.
local function wild(g, it)
  local list = pick {loads, uses, uses, others}
  local s = pick(list)(g, it)
  if it ~= "0" and chance(0.1) then
    return ("if %s then break end"):format(pick(conditions):format(it))
  end
  return chance(0.3) and under(pick(conditions):format(it), s) or s
end

-- Loads of some tiles, then uses of them: what can have slots, mostly.
local function tame(g, it)
  local list, all = {}, g.tiles
  local some = {}
  local cond = chance(0.5) and pick(conditions):format(it) or nil
  for i = 1, #all do
    if chance(0.7) then some[#some + 1] = all[i] end
  end
  some = #some == 0 and {all[1]} or some
  for i = 1, #some do
    g.tiles = {some[i]}
    list[i] = pick(loads)(g, it)
  end
  g.tiles = some
  local together = chance(0.5)
  local part = {}
  for _ = 1, math.random(1, 4) do
    part[#part + 1] = pick(uses)(g, it)
  end
  g.tiles = all
  if chance(0.2) then
    table.insert(part, math.random(#part + 1), wild(g, it))
  end
  if together then
    return under(cond, table.concat(list, "\n") .. "\n" .. table.concat(part, "\n"))
  end
  for i = 1, #list do list[i] = under(cond, list[i]) end
  for i = 1, #part do part[i] = chance(0.7) and under(cond, part[i]) or part[i] end
  return table.concat(list, "\n") .. "\n" .. table.concat(part, "\n")
end

local function body(g, it, n)
  if n > 1 and chance(0.8) then
    return tame(g, it)
  end
  local list = {}
  for i = 1, n do list[i] = wild(g, it) end
  return table.concat(list, "\n")
end

local trips = {"4", "6", "N[bx]", "TRIPS - bx", "bx * 3", "U", "0", "T.ceildiv(N[bx + 1], 2)"}

local function loop(g, it)
  local count = pick(trips)
  local s = ("for %s in T.Pipelined(%s, {num_stages = STAGES}) do\n%s\nend")
    :format(it, count, indent(body(g, it, math.random(2, 6)), 2))
  if chance(0.2) then
    s = ("for o in T.serial(2) do\n%s\n%s\nend"):format(
      chance(0.3) and indent(body(g, "o", 1), 2) or "", indent(s, 2))
  elseif chance(0.1) then
    s = ("if %s then\n%s\nend"):format(pick {"bx == 0", "N[bx] > 2"}, indent(s, 2))
  end
  return s
end

-- The text of a program; STAGES stands in it as a name.
function programs.make(seed)
  math.randomseed(seed)
  pick = function(t) return t[math.random(#t)] end
  chance = function(p) return math.random() < p end
  local g = {tiles = {}}
  local lines = {}
  local function put(s) lines[#lines + 1] = s end
  local threads = pick {128, 128, 256}
  local dt = pick {"float16", "float16", "float32"}
  for i = 1, math.random(1, 3) do
    g.tiles[i] = {name = "s" .. i}
    put(("local s%d = T.alloc_shared({%d, %d}, DT)"):format(i, R, W))
    put(chance(0.5) and ("T.fill(s%d, %d)"):format(i, i) or ("T.copy(X[bx, %d, 0, 0], s%d)"):format(i, i))
  end
  put(("local acc = T.alloc_fragment({%d, %d}, 'float32')\nT.clear(acc)"):format(R, W))
  put(("local c = T.alloc_fragment({%d, %d}, 'float32')\nT.clear(c)"):format(R, R))
  put(("local v, h = T.alloc_fragment({%d}, 'float32'), T.alloc_fragment({%d}, 'float32')"):format(R, W))
  put(("local vs = T.alloc_shared({%d}, 'float32')\nT.clear(v)\nT.clear(h)\nT.clear(vs)"):format(R))
  put(("local w, u = T.alloc_shared({%d, %d}, DT), T.alloc_shared({%d, %d}, DT)"):format(R, W, W, R))
  put("local F = T.alloc_var('int32', 0)")
  put(loop(g, "k"))
  if chance(0.4) then
    if chance(0.5) then put(body(g, "0", 1)) end
    put(loop(g, "m"))
  end
  for i = 1, #g.tiles do
    if chance(0.5) then put(("T.copy(s%d, D[bx, %d, 0, 0])"):format(i, i - 1)) end
  end
  put("T.copy(acc, E[bx, 0, 0])\nT.copy(c, G[bx, 0, 0])\nT.copy(v, H[bx, 0, 0:" .. R .. "])")
  put("T.copy(vs, H[bx, 1, 0:" .. R .. "])\nT.copy(h, H[bx, 2, 0:" .. W .. "])")
  local used = table.concat(lines, "\n")
  used = used:gsub("F%[0%]", "F")
  return ([[
local DT, TRIPS, STAGES = %q, 6, ...
return tl.jit(function(X, M, N, O, D, E, G, H, Z)
  local U = T.dynamic "U"
  X: T.Tensor({4, TRIPS, %d, %d}, DT)
  M: T.Tensor({U}, "int32")
  N: T.Tensor({5}, "int32")
  O: T.Tensor({4, TRIPS, %d, %d}, "float32")
  D: T.Tensor({4, 3, %d, %d}, DT)
  E: T.Tensor({4, %d, %d}, "float32")
  G: T.Tensor({4, %d, %d}, "float32")
  H: T.Tensor({4, 3, %d}, "float32")
  Z: T.Tensor({4, %d, %d}, "float32")
  for bx in T.Kernel(4, {threads = %d}) do
%s
  end
end)
]]):format(dt, R, W, R, W, R, W, R, W, R, R, W, R, W, threads, indent(used, 4)), dt
end

-- What target computes for the text with so many stages, a list of tables; or nil and the message.
function programs.run(text, dt, seed, stages, target)
  tl.manual_seed(seed)
  local x = tl.randint(0, 3, {4, 6, R, W}, "int32"):astype(dt)
  local m = tl.randint(0, 2, {6}, "int32")
  local n = tl.randint(0, 7, {5}, "int32")
  local out = {}
  for i, shape in ipairs {{4, 6, R, W}, {4, 3, R, W}, {4, R, W}, {4, R, R}, {4, 3, W}, {4, R, W}} do
    out[i] = tl.zeros(shape, i == 2 and dt or "float32")
  end
  local ok, why = pcall(function()
    local f = assert(load(text, "=program"))(stages)
    f.opts.target = target
    f(x, m, n, table.unpack(out))
    for i = 1, #out do out[i] = out[i]:to "cpu" end
  end)
  if not ok then
    return nil, tostring(why)
  end
  return out
end

-- Whether two results agree; where not.
function programs.same(a, b)
  for i = 1, #a do
    if not tl.allclose(a[i], b[i], {rtol = 0, atol = 0}) then
      return false, "output " .. i
    end
  end
  return true
end

return programs
