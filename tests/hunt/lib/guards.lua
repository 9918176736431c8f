-- lib/guards.lua: the nests of hunt/guards.lua.  An expression is {text, f}, f(E) what it is where E holds the variables.
local M = {}

local function lit(c) return {text = tostring(c), f = function() return c end} end
local function name(v) return {text = v, f = function(E) return E[v] end} end

local function bin(a, op, b, f)
  return {text = ("(%s %s %s)"):format(a.text, op, b.text), f = function(E) return f(a.f(E), b.f(E)) end}
end
local function add(a, b) return bin(a, "+", b, function(x, y) return x + y end) end
local function sub(a, b) return bin(a, "-", b, function(x, y) return x - y end) end
local function mul(a, b) return bin(a, "*", b, function(x, y) return x * y end) end
local function div(a, b) return bin(a, "//", b, function(x, y) return x // y end) end
local function mod(a, b) return bin(a, "%", b, function(x, y) return x % y end) end
local function least(a, b)
  return {text = ("T.min(%s, %s)"):format(a.text, b.text), f = function(E) return math.min(a.f(E), b.f(E)) end}
end
local function most(a, b)
  return {text = ("T.max(%s, %s)"):format(a.text, b.text), f = function(E) return math.max(a.f(E), b.f(E)) end}
end

local n, m, s, i, j, bx, by = name "n", name "m", name "s", name "i", name "j", name "bx", name "by"

local function ceildiv(a, c)
  return {text = ("T.ceildiv(%s, %d)"):format(a.text, c), f = function(E) return (a.f(E) + c - 1) // c end}
end

-- The grid: as many blocks as rows need, or as there are rows, or something else.
-- What is below 0 for all of a loop counts from the end, which the interpreter does not know of: sizes that are known are
-- no small ones, and of a block's number nothing is subtracted.
function M.grid(r, w)
  w.alone = function(e, of) return w.fixed and of or e end
  w.rows, w.cols = r:of {4, 8, 16, 16, 24, 32}, r:of {4, 8, 16, 16, 17, 32}
  w.gx = r:of {ceildiv(n, w.rows), ceildiv(n, w.rows), n, mul(n, lit(2)), lit(r:int(4, 6)), ceildiv(add(n, m), w.rows)}
  w.gy = r:of {ceildiv(m, w.cols), ceildiv(m, w.cols), m, lit(4), lit(5), mul(m, lit(3))}
end

-- Reads ---------------------------------------------------------------------------------------------------

local function read(x, at)
  local k = 0
  for d, size in ipairs(x.dims) do
    if at[d] < 0 or at[d] >= size then return nil end
    k = k * size + at[d]
  end
  return k + 1
end

local function load_of(t, ...)
  local idx, texts = {...}, {}
  for d, e in ipairs(idx) do texts[d] = e.text end
  return {text = ("%s[%s]"):format(t, table.concat(texts, ", ")), f = function(E)
    local at = {}
    for d, e in ipairs(idx) do at[d] = e.f(E) end
    local k = read(E.data[t], at)
    return k and E.data[t][k] or 0
  end}
end

-- A place of a block's tile along rows (or columns): an index.
local function row(r, w) return r:chance(0.75) and add(mul(bx, lit(w.rows)), i) or r:of {w.alone(bx, i), i, w.alone(div(bx, lit(2)), i), add(bx, i)} end
local function col(r, w) return r:chance(0.75) and add(mul(by, lit(w.cols)), j) or r:of {w.alone(by, j), j, w.alone(div(by, lit(3)), j), add(by, j)} end

local function index(r, w, of, depth)
  local e = of(r, w)
  local k = r:int(1, depth > 0 and 13 or 7)
  if k <= 4 then return e end
  if k == 5 then return add(e, lit(r:int(1, 5))) end
  if k == 6 then return sub(of == row and add(mul(bx, lit(w.rows)), i) or add(mul(by, lit(w.cols)), j), lit(r:int(1, 3))) end
  if k == 7 then return sub(sub(r:of {n, m, s}, lit(r:int(0, 2))), e) end
  if k == 8 then return mul(e, lit(r:of {2, 3, -1, -2})) end
  if k == 9 then return div(e, lit(r:of {2, 3, 8})) end
  if k == 10 then return add(e, r:of {s, n, sub(s, n), load_of("I", r:of {bx, by})}) end
  if k == 11 then return load_of("I", e) end
  if k == 12 then return r:chance(0.5) and least(e, sub(r:of {n, m}, lit(r:int(0, 1)))) or most(e, lit(r:int(0, 4))) end
  return mod(e, r:of {lit(r:int(2, 20)), add(s, lit(1))})
end

local function load_any(r, w, depth)
  local t = r:of {"X1", "X2", "X2", "X3", "I"}
  if t == "X2" then
    if r:chance(0.15) then return load_of(t, index(r, w, col, depth), index(r, w, row, depth)) end
    return load_of(t, index(r, w, row, depth), index(r, w, col, depth))
  end
  return load_of(t, index(r, w, r:chance(0.8) == (t == "X3") and col or row, depth))
end

-- Conditions ------------------------------------------------------------------------------------------------

local function bound(r)
  return r:of {n, n, n, m, m, sub(n, lit(1)), sub(m, lit(r:int(1, 3))), add(n, lit(r:int(1, 3))), s, div(n, lit(2)), least(n, m),
               least(n, lit(r:int(1, 30))), mul(m, lit(2)), lit(r:int(0, 40)), most(n, m)}
end

local compare = {["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
                 [">"] = function(a, b) return a > b end, [">="] = function(a, b) return a >= b end,
                 ["=="] = function(a, b) return a == b end, ["~="] = function(a, b) return a ~= b end}

local condition

local function joined(r, w, depth, words)
  local a, b = condition(r, w, depth - 1), condition(r, w, depth - 1)
  local is_and = r:chance(0.6)
  local text
  if words then
    text = ("(%s %s %s)"):format(a.text, is_and and "and" or "or", b.text)
  else
    text = ("T.%s(%s, %s)"):format(is_and and "And" or "Or", a.text, b.text)
  end
  return {text = text, f = function(E)
    local x, y = a.f(E), b.f(E)
    if is_and then return x and y end
    return x or y
  end}
end

function condition(r, w, depth)
  local k = r:int(1, depth > 0 and 10 or 6)
  if k >= 9 then
    local a = condition(r, w, depth - 1)
    return {text = ("T.Not(%s)"):format(a.text), f = function(E) return not a.f(E) end}
  end
  if k >= 7 then return joined(r, w, depth, w.words) end
  local of = r:chance(0.5) and row or col
  local op = r:of {"<", "<", "<", "<=", ">=", ">", "~=", "=="}
  local a, b = r:chance(0.7) and of(r, w) or index(r, w, of, 1), bound(r)
  if k == 6 then a, b = load_any(r, w, 1), lit(r:int(-20, 20)) end
  if k == 5 then b, op = lit(r:int(0, 3)), r:of {">=", ">"} end
  return bin(a, op, b, compare[op])
end

local function value(r, w, depth)
  local k = r:int(1, depth > 0 and 8 or 3)
  if k <= 3 then return load_any(r, w, depth) end
  if k <= 6 then
    local c, a = condition(r, w, depth), value(r, w, depth - 1)
    local b = r:chance(0.5) and lit(r:int(-9, 9)) or value(r, w, depth - 1)
    return {text = ("T.if_then_else(%s, T.cast(%s, 'int32'), %s)"):format(c.text, a.text, ("T.cast(%s, 'int32')"):format(b.text)), f = function(E)
      if c.f(E) then return a.f(E) end
      return b.f(E)
    end}
  end
  local a, b = value(r, w, depth - 1), value(r, w, depth - 1)
  return {text = ("(T.cast(%s, 'int32') + T.cast(%s, 'int32'))"):format(a.text, b.text), f = function(E) return a.f(E) + b.f(E) end}
end

-- Statements: lines, and run(E) ------------------------------------------------------------------------------

local function put(E, t, at, v)
  local k = read(E.data[t], at)
  if k then E.data[t][k] = v end
end

-- Where a nest's results go, each iteration's an element of its own: a text and two expressions.
local function target(r, w, O)
  local a, b = add(mul(bx, lit(w.rows)), i), add(mul(by, lit(w.cols)), j)
  local k = r:int(1, 7)
  if k == 2 then a = sub(sub(n, lit(r:int(0, 2))), a) end
  if k == 3 then b = sub(sub(m, lit(r:int(0, 2))), b) end
  if k == 4 then a = add(a, lit(r:int(1, 3))) end
  if k == 5 then b = sub(b, lit(r:int(1, 3))) end
  if k == 6 then a = mul(a, lit(2)) end
  if k == 7 then b = add(b, sub(s, lit(5))) end
  return ("%s[%s, %s]"):format(O, a.text, b.text), a, b
end

local function store(r, w, O, to)
  local v = value(r, w, 2)
  return {("%s = %s"):format(to.text, v.text)}, function(E) put(E, O, {to.a.f(E), to.b.f(E)}, v.f(E)) end
end

local function branch(r, w, O, to, depth)
  local c = condition(r, w, 2)
  local yes, run = (depth > 0 and r:chance(0.4) and branch or store)(r, w, O, to, depth - 1)
  local out = {("if %s then"):format(c.text)}
  for _, l in ipairs(yes) do out[#out + 1] = "  " .. l end
  local no
  if r:chance(0.4) then
    local lines
    lines, no = (depth > 0 and r:chance(0.4) and branch or store)(r, w, O, to, depth - 1)
    out[#out + 1] = "else"
    for _, l in ipairs(lines) do out[#out + 1] = "  " .. l end
  end
  out[#out + 1] = "end"
  return out, function(E)
    if c.f(E) then run(E) elseif no then no(E) end
  end
end

-- A variable that changes between what is asked of it and what it is used for.
local function variable(r, w, O, to, _, id)
  local v, of = "v" .. id, r:of {row, col}
  local a, b, c = of(r, w), bound(r), r:int(-3, 3)
  local e = name(v)
  local first = r:chance(0.5)
  local got = load_of(r:of {"X1", "X3"}, e)
  local lines = {("local %s = T.alloc_var('int32')"):format(v), ("%s = %s"):format(v, a.text), ("if %s < %s then"):format(v, b.text)}
  if first then lines[#lines + 1] = ("  %s = %s + %d"):format(v, v, c) end
  lines[#lines + 1] = ("  %s = %s"):format(to.text, got.text)
  if not first then
    lines[#lines + 1] = ("  %s = %s * 2 + %d"):format(v, v, c)
    lines[#lines + 1] = ("  %s = %s + %s"):format(to.text, to.text, got.text)
  end
  lines[#lines + 1] = "end"
  return lines, function(E)
    E[v] = a.f(E)
    if E[v] >= b.f(E) then return end
    if first then E[v] = E[v] + c end
    local at = {to.a.f(E), to.b.f(E)}
    put(E, O, at, got.f(E))
    if not first then
      E[v] = E[v] * 2 + c
      local k = read(E.data[O], at)
      if k then E.data[O][k] = E.data[O][k] + got.f(E) end
    end
  end
end

-- Nests ------------------------------------------------------------------------------------------------------

local ways = {
  {"for i, j in T.Parallel(%d, %d) do", "end"}, {"for i, j in T.Parallel(%d, %d) do", "end"},
  {"for i in T.Parallel(%d) do for j in T.serial(%d) do", "end end"},
  {"for i in T.serial(%d) do for j in T.Parallel(%d) do", "end end"},
  {"for i in T.Parallel(%d) do for j in T.serial(T.min(%d, %%s)) do", "end end", short = true},
  {"for i in T.serial(%d) do for j in T.vectorized(%d) do", "end end", alone = true},
}

-- Through a tile: first a tile gets values, then the results are made of it.
local function tile(r, w, id)
  local t = (r:chance(0.5) and "S" or "F") .. id
  local v = value(r, w, 1)
  local alloc = ("    local %s = T.alloc_%s({%d, %d}, 'int32')"):format(t, t:find "S" and "shared" or "fragment", w.rows, w.cols)
  local c = r:chance(0.5) and condition(r, w, 1)
  local lines = {alloc}
  if c then lines[#lines + 1] = ("    T.fill(%s, 3)"):format(t) end
  lines[#lines + 1] = ("    for i, j in T.Parallel(%d, %d) do"):format(w.rows, w.cols)
  lines[#lines + 1] = c and ("      if %s then %s[i, j] = %s end"):format(c.text, t, v.text) or ("      %s[i, j] = %s"):format(t, v.text)
  lines[#lines + 1] = "    end"
  return {text = table.concat(lines, "\n"), name = t, f = function(E)
    if c and not c.f(E) then return 3 end
    return v.f(E)
  end}
end

-- Nest `id` of a program: its text, and run(E, data) for a block.
function M.new(r, w, id)
  local O = "O" .. id
  w.shapes[O], w.types[O] = r:of {{"n", "m"}, {"n", "m"}, {"m", "n"}, {37, 29}, {"n", 16}}, "int32"
  w.words = r:chance(0.5)
  local way, bounded = r:of(ways), bound(r)
  local text, a, b = target(r, w, O)
  local to = {text = text, a = a, b = b}
  local kind = r:of {store, store, branch, branch, branch, variable}
  local lines, run = kind(r, w, O, to, 2, id)
  local out = {}
  local through = r:chance(0.25) and not way.alone and tile(r, w, id)
  if through then
    way = ways[1]
    out[1] = through.text
    lines, run = {("%s = %s[i, j]"):format(to.text, through.name)}, function(E) put(E, O, {a.f(E), b.f(E)}, through.f(E)) end
  end
  out[#out + 1] = "    " .. way[1]:format(w.rows, w.cols):format(bounded.text)
  for _, l in ipairs(lines) do out[#out + 1] = "      " .. l end
  out[#out + 1] = "    " .. way[2]
  return {text = table.concat(out, "\n"), run = function(E)
    for x = 0, w.rows - 1 do
      E.i = x
      for y = 0, (way.short and math.min(w.cols, bounded.f(E)) or w.cols) - 1 do
        E.j = y
        run(E)
      end
    end
  end}
end

-- All of a program on data.
function M.run(w, E, data)
  E.data = data
  for y = 0, w.gy.f(E) - 1 do
    for x = 0, w.gx.f(E) - 1 do
      E.bx, E.by = x, y
      for _, k in ipairs(w.nests) do k.run(E) end
    end
  end
  E.data = nil
end

return M
