-- integers_run.lua: a kernel of many expressions (integers.lua) on targets, against their own values.
--
-- The kernel's parts differ in where operands come from and where results go, which is where the compilers
-- differ: elements of tensors, of shared memory, of fragments; several of a thread at once; a tile's own
-- element changed in place.
local I = require "hunt.integers"
local random = require "hunt.random"
local M = {}

local N, rows = 128, 4                   -- elements of a row, rows of each input
local types, order = I.types, I.order

local function inputs(r)
  local X = {}
  for _, name in ipairs(order) do
    X[name] = {scalar = I.end_of(r, types[name])}
    if name == "uint64" then X[name].scalar = X[name].scalar & math.maxinteger end
    for k = 1, rows do
      X[name][k] = {}
      for i = 1, N do X[name][k][i] = I.end_of(r, types[name]) end
    end
  end
  return X
end

-- Values of memory, and now and then the launch's own of a type.
local function loader(X, form, r)
  return function(t, k)
    if t.bits >= 8 and r:chance(0.1) then
      local v = X[t.name].scalar
      return I.node(t, "s_" .. t.name, function() return v end)
    end
    local row = X[t.name][k + 1]
    return I.node(t, form:format(t.name, k), function(i) return row[i] end)
  end
end

-- The ways of a part: how an operand is written, what stands in front of it.
local all = {"for i in T.Parallel(128) do"}
local forms = {
  {load = "X_%s[%d, i]", heads = all, tails = {"end"}},
  {load = "X_%s[%d, i]", tails = {"end end"},
   heads = {"for q in T.serial(4) do for j in T.Parallel(32) do", "local i = q * 32 + j"}},
  {load = "X_%s[%d, i]", tails = {"end end"},
   heads = {"for j in T.Parallel(32) do for v in T.vectorized(4) do", "local i = j * 4 + v"}},
  {load = "S_%s[%d, i]", copy = "S", scope = "shared", heads = all, tails = {"end"}},
  {load = "F_%s[%d, i]", copy = "F", scope = "fragment", heads = all, tails = {"end"}},
}

-- The text of a kernel, piece by piece, of `list`: {e = expression, t = type of its row of results, form = number of
-- its part's way, op, first = how its element is changed by e and from what, scope = of the tile that holds it}.

local function parameters(add)
  local names = {}
  for k, name in ipairs(order) do
    names[k] = "X_" .. name
    if k <= 8 then names[#order + k] = "s_" .. name end
  end
  add("local target = ...\nreturn tl.jit(function(%s)", table.concat(names, ", "))
  for k, name in ipairs(order) do
    add("  X_%s: T.Tensor({%d, %d}, %q)", name, rows, N, name)
    if k <= 8 then add("  s_%s: T.%s", name, name) end
  end
end

-- Gives each its row; the results' names.
local function outputs(add, list)
  local n, names = {}, {}
  for _, x in ipairs(list) do
    x.row = n[x.t.name] or 0
    n[x.t.name] = x.row + 1
  end
  for _, name in ipairs(order) do
    if n[name] then
      add("  local O_%s = T.empty({%d, %d}, %q)", name, n[name], N, name)
      names[#names + 1] = "O_" .. name
    end
  end
  return names
end

-- The tiles that operands are read from, and those that are changed.
local function tiles_of(add, list)
  local copied = {}
  for k, x in ipairs(list) do
    local form, text = forms[x.form], x.e.text .. (x.op and x.first.text or "")
    for _, name in ipairs(order) do
      local tile = form.copy and ("%s_%s"):format(form.copy, name)
      if tile and not copied[tile] and text:find(tile .. "[", 1, true) then
        copied[tile] = true
        add("    local %s = T.alloc_%s({%d, %d}, %q)", tile, form.scope, rows, N, name)
        add("    T.copy(X_%s, %s)", name, tile)
      end
    end
    if x.scope then
      x.tile = "t" .. k
      add("    local %s = T.alloc_%s({%d}, %q)", x.tile, x.scope, N, x.t.name)
    end
  end
end

local function statement(add, x)
  local to = x.tile and x.tile .. "[i]" or ("O_%s[%d, i]"):format(x.t.name, x.row)
  add("      %s = %s", to, x.op and x.first.text or x.e.text)
  if x.op then add("      %s %s= %s", to, x.op, x.e.text) end
end

-- Loops of at most 8 statements of one form.
local function parts(add, list)
  local at = 1
  while at <= #list do
    local form, first = list[at].form, at
    for _, h in ipairs(forms[form].heads) do add("    %s", h) end
    while list[at] and list[at].form == form and at < first + 8 do
      statement(add, list[at])
      at = at + 1
    end
    for _, t in ipairs(forms[form].tails) do add("    %s", t) end
  end
end

-- A chunk that makes the kernel for a target; the names of what it returns.
function M.text(list)
  local out = {}
  local function add(s, ...) out[#out + 1] = s:format(...) end
  parameters(add)
  local names = outputs(add, list)
  add "  for bx in T.Kernel(1, {threads = 32}) do"
  tiles_of(add, list)
  parts(add, list)
  for _, x in ipairs(list) do
    if x.tile then add("    T.copy(%s, O_%s[%d, 0:%d])", x.tile, x.t.name, x.row, N) end
  end
  add "  end"
  add("  return %s", table.concat(names, ", "))
  add "end, {target = target})"
  return table.concat(out, "\n"), names
end

local function changed(op, t, first, e)
  local make = (op == "<<" or op == ">>") and I.shifted or I.binary
  return I.as(t, make(op, {t = t, text = "", f = I.as(t, first)}, e))
end

-- The value of x in lane i.
local function value(x, i)
  if not x.want then
    x.want = x.op and changed(x.op, x.t, x.first, x.e) or I.as(x.t, x.e)
  end
  return x.want(i)
end

function M.tensors(X)
  local t = {}
  for k, name in ipairs(order) do
    t[k] = tl.from_table(X[name], name)
    if k <= 8 then t[#order + k] = X[name].scalar end
  end
  return t
end

-- What differs on a target: a list of {x, lane, got, want}; or nothing and a message.
function M.run(list, X, target)
  local text, results = M.text(list)
  local chunk, why = load(text, "=integers")
  if not chunk then return nil, why end
  local ok, out = pcall(function()
    return table.pack(chunk(target)(table.unpack(M.tensors(X))))
  end)
  if not ok then return nil, tostring(out) end
  local got, bad = {}, {}
  for k, name in ipairs(results) do got[name] = out[k]:totable() end
  for _, x in ipairs(list) do
    local row = got["O_" .. x.t.name][x.row + 1]
    for i = 1, N do
      local want = value(x, i)
      if row[i] ~= want then
        bad[#bad + 1] = {x = x, lane = i, got = row[i], want = want}
        break
      end
    end
  end
  return bad
end

-- One that changes an element of type t in place.
local function change(r, g, x)
  local t = x.t
  x.op, x.first = r:of {"+", "-", "*", "&", "|", "//", "%", "<<", ">>"}, g:leaf()
  if x.op == "//" or x.op == "%" then
    x.e = I.binary("|", g:cast(g:leaf(), t), I.number(1)) -- never 0
  elseif x.op == "<<" or x.op == ">>" then
    x.e = I.number(r:int(0, t.bits - 1))
  end
end

-- `count` expressions of a seed, and the inputs.
function M.program(seed, count)
  local r = random.new(seed)
  local X, list, form, tiles = inputs(r), {}, 0, 0
  for k = 1, count do
    if k % 8 == 1 then form = r:int(1, #forms) end
    local g = I.generator(seed * 1000003 + k, r:of {2, 4, 6, 8, 10, 10, 10, 10}, rows, loader(X, forms[form].load, r))
    local e = g:expr(r:of {1, 1, 2, 2, 2, 3, 3, 4})
    local t = r:chance(0.4) and types[r:of(order)] or e.t == I.bool and types.int8 or e.t
    if t.bits == 4 and r:chance(0.7) then t = types.int32 end
    local x = {e = e, t = t, form = form}
    list[k] = x
    if t.bits >= 8 and r:chance(0.15) then
      change(r, g, x)
      if tiles < 20 and r:chance(0.3) then
        x.scope, tiles = r:of {"shared", "fragment"}, tiles + 1
      end
    end
  end
  return list, X
end

-- The parts of a wrong one, by themselves, from the smallest.
function M.parts(x)
  local list, seen = {}, {}
  local function size(e)
    local n = 1
    for _, a in ipairs(e) do if a.t then n = n + size(a) end end
    return n
  end
  local function go(e)
    if not e.t or seen[e.text] then return end
    seen[e.text] = true
    list[#list + 1] = {e = e, t = e.t == I.bool and types.int8 or e.t, form = x.form, size = size(e)}
    for _, a in ipairs(e) do go(a) end
  end
  go(x.e)
  table.sort(list, function(a, b) return a.size < b.size end)
  list[#list + 1] = {e = x.e, t = x.t, form = x.form, op = x.op, first = x.first, scope = x.scope}
  return list
end

return M
