-- masks.lua: loops that a compiler of C may turn into vectors, with loads under conditions, on targets against plain Lua.
--
--     moontile tests/hunt/masks.lua [--seed N] [--count kernels] [--targets a,b] [--show 1]
--
-- A kernel is some nests of two loops, of which the inner one is short as often as long, by itself, unrolled or written
-- out; in them are choices, branches, variables and sums of elements of several widths, in the order of memory or not,
-- at the ends of tensors or not.  All numbers are small and whole: each type holds them.  Of a nest that differs the
-- text is printed.  Without arguments it is the short test.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local random = dofile(here .. "lib/random.lua")

local options = {seed = 1, count = 3, targets = "cpu,sim", show = 0}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile masks.lua [--seed N] [--count kernels] [--targets a,b] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local types = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32", "float64"}
local least = {}
for _, t in ipairs(types) do least[t] = t:find "^u" and 0 or -30 end

-- Expressions: a text, and f(i, j) -> what it is ------------------------------------------------------

-- An element's place of n in a nest of rows x cols: a text, and f(i, j).  A place outside of a tensor reads as 0.
local function place(r, w)
  local R, C = w.rows, w.cols
  if r:chance(0.6) then return ("i * %d + j"):format(C), function(i, j) return i * C + j end end
  return table.unpack(r:of {
    {("i * %d + %d - j"):format(C, C - 1), function(i, j) return i * C + C - 1 - j end},
    {("%d - (i * %d + j)"):format(R * C - 1, C), function(i, j) return R * C - 1 - (i * C + j) end},
    {("j * %d + i"):format(R), function(i, j) return j * R + i end},
    {("(i * %d + j) // 2"):format(C), function(i, j) return (i * C + j) // 2 end},
    {("i * %d + (j ~ 1)"):format(C), function(i, j) return i * C + (j ~ 1) end},
    {("i * %d + j + 1"):format(C), function(i, j) return i * C + j + 1 end},
    {"i", function(i) return i end},
    {"j", function(_, j) return j end},
  })
end

local function load_of(r, w, t)
  local text, at = place(r, w)
  local x = w.X[t]
  return ("X_%s[%s]"):format(t, text), function(i, j) return x[at(i, j) + 1] or 0 end
end

local value

local function condition(r, w, depth)
  local k = r:int(1, depth > 0 and 8 or 4)
  if k >= 5 then
    local a, f = condition(r, w, depth - 1)
    if k == 8 then return ("T.Not(%s)"):format(a), function(i, j) return not f(i, j) end end
    local b, g = condition(r, w, depth - 1)
    if k == 7 then return ("T.Or(%s, %s)"):format(a, b), function(i, j) return f(i, j) or g(i, j) end end
    return ("T.And(%s, %s)"):format(a, b), function(i, j) return f(i, j) and g(i, j) end
  end
  local t = r:of(types)
  local a, f = load_of(r, w, t)
  local b, g
  if r:chance(0.5) then
    b, g = load_of(r, w, t)
  else
    local c = r:int(least[t], 30)
    b, g = ("T.cast(%d, %q)"):format(c, t), function() return c end
  end
  local op, is = table.unpack(r:of {
    {"<", function(x, y) return x < y end}, {"<=", function(x, y) return x <= y end},
    {"==", function(x, y) return x == y end}, {"~=", function(x, y) return x ~= y end},
  })
  return ("(%s %s %s)"):format(a, op, b), function(i, j) return is(f(i, j), g(i, j)) end
end

-- Of type t, within -60 .. 60.
function value(r, w, t, depth)
  local k = r:int(1, depth > 0 and 8 or 4)
  if k == 1 and depth == 0 then
    local c = r:int(least[t], 30)
    return ("T.cast(%d, %q)"):format(c, t), function() return c end
  elseif k <= 2 or depth == 0 then
    return load_of(r, w, t)
  elseif k <= 6 then
    local p, c = condition(r, w, r:chance(0.5) and 0 or depth - 1)
    local a, f = value(r, w, t, depth - 1)
    local b, g = value(r, w, t, r:chance(0.5) and 0 or depth - 1)
    return ("T.if_then_else(%s, %s, %s)"):format(p, a, b), function(i, j)
      if c(i, j) then return f(i, j) end
      return g(i, j)
    end
  elseif k == 7 then
    local a, f = value(r, w, t, depth - 1)
    local b, g = load_of(r, w, t)
    local name = r:of {"min", "max"}
    return ("T.%s(%s, %s)"):format(name, a, b), function(i, j) return math[name](f(i, j), g(i, j)) end
  end
  local u = r:of(types)
  local a, f = value(r, w, u, depth - 1)
  return ("T.cast(T.max(%s, T.cast(0, %q)), %q)"):format(a, u, t), function(i, j) return math.max(f(i, j), 0) end
end

-- Statements: lines, and run(i, j) ---------------------------------------------------------------------

local statements = {}

function statements.choice(r, w, O, t)
  local text, at = place(r, w)
  while text:find "//" or text == "i" or text == "j" or w.cols % 2 == 1 and text:find "~" do
    text, at = place(r, w) -- each has one of its own
  end
  local v, f = value(r, w, t, r:of {1, 1, 1, 2, 3})
  return {("%s[%s] = %s"):format(O.name, text, v)}, function(i, j)
    if at(i, j) < w.n then O[at(i, j) + 1] = f(i, j) end
  end
end

function statements.branch(r, w, O, t)
  local p, c = condition(r, w, 2)
  local a, f = value(r, w, t, 2)
  local b, g = value(r, w, t, 1)
  local to = ("%s[i * %d + j]"):format(O.name, w.cols)
  local other = r:chance(0.5)
  return {("if %s then %s = %s%s end"):format(p, to, a, other and (" else %s = %s"):format(to, b) or "")}, function(i, j)
    local n = i * w.cols + j + 1
    if n <= w.n and c(i, j) then
      O[n] = f(i, j)
    elseif n <= w.n and other then
      O[n] = g(i, j)
    end
  end
end

function statements.variable(r, w, O, t)
  local p, c = condition(r, w, 1)
  local a, f = value(r, w, t, 1)
  local b, g = load_of(r, w, t)
  return {
    ("local v_%s = T.alloc_var(%q)"):format(O.name, t), ("v_%s = %s"):format(O.name, a),
    ("if %s then v_%s = %s end"):format(p, O.name, b), ("%s[i * %d + j] = v_%s"):format(O.name, w.cols, O.name),
  }, function(i, j)
    local v = f(i, j)
    if c(i, j) then v = g(i, j) end
    if i * w.cols + j < w.n then O[i * w.cols + j + 1] = v end
  end
end

-- Of each row a sum of small numbers, of types that hold it.
function statements.sum(r, w, O)
  local p, c = condition(r, w, 1)
  local b, g = load_of(r, w, O.t)
  return {("if %s then %s[i] = %s[i] + %s end"):format(p, O.name, O.name, b)}, function(i, j)
    if c(i, j) and i < w.n then O[i + 1] = O[i + 1] + g(i, j) end
  end
end

-- Nests ---------------------------------------------------------------------------------------------------

local sums = {"int32", "int64", "float32", "float64"}

-- The ways that the two loops are written.
local ways = {
  {"for i, j in T.Parallel(%d, %d) do", "end"},
  {"for i in T.Parallel(%d) do for j in T.serial(%d) do", "end end", serial = true},
  {"for i in T.Parallel(%d) do for j in T.unroll(%d) do", "end end", serial = true},
  {"for i in T.serial(%d) do for j in T.Parallel(%d) do", "end end"},
  {"for i in T.serial(%d) do for j in T.serial(%d) do", "end end", serial = true},
  {"for i in T.Parallel(%d) do -- %d", "end", serial = true, copied = true},
}

local function written(way, w, lines, O)
  local out = {"    " .. way[1]:format(w.rows, w.cols)}
  for j = 0, way.copied and w.cols - 1 or 0 do
    for _, line in ipairs(lines) do
      if way.copied then line = line:gsub("%f[%w_]j%f[^%w_]", tostring(j)):gsub("v_" .. O.name, "%0_" .. j) end
      out[#out + 1] = "      " .. line
    end
  end
  out[#out + 1] = "    " .. way[2]
  return table.concat(out, "\n")
end

local function nest(r, w, k)
  local way = r:of(ways)
  while way.copied and w.cols > 8 do way = r:of(ways) end
  local kind = r:of {"choice", "choice", "choice", "branch", "variable", way.serial and "sum" or "branch"}
  local O = {name = "O_" .. k}
  O.t = r:of(kind == "sum" and sums or types)
  for i = 1, w.n do O[i] = 0 end
  local lines, run = statements[kind](r, w, O, O.t)
  for i = 0, w.rows - 1 do
    for j = 0, w.cols - 1 do run(i, j) end
  end
  return {O = O, text = written(way, w, lines, O)}
end

local function program(seed)
  local r, w = random.new(seed), {X = {}}
  w.cols = r:of {2, 3, 4, 4, 8, 16, 32, 64}
  w.rows = r:of {16, 64, 100, 256, 1024} // (w.cols > 16 and 8 or 1)
  w.n = w.rows * w.cols - r:of {0, 0, 0, 0, 1, 5}
  for _, t in ipairs(types) do
    local x = {}
    for i = 1, w.n do x[i] = r:int(least[t], 30) end
    w.X[t] = x
  end
  local nests = {}
  for k = 1, 8 do nests[k] = nest(r, w, k) end
  return w, nests
end

local function source(w, nests)
  local out, names = {}, {}
  for k, t in ipairs(types) do names[k] = "X_" .. t end
  for k in ipairs(nests) do names[#names + 1] = "O_" .. k end
  out[1] = ("return T.prim_func(function(%s)"):format(table.concat(names, ", "))
  for _, t in ipairs(types) do out[#out + 1] = ("  X_%s: T.Tensor({%d}, %q)"):format(t, w.n, t) end
  for _, k in ipairs(nests) do out[#out + 1] = ("  %s: T.Tensor({%d}, %q)"):format(k.O.name, w.n, k.O.t) end
  out[#out + 1] = "  for bx in T.Kernel(1, {threads = 32}) do"
  for _, k in ipairs(nests) do out[#out + 1] = k.text end
  out[#out + 1] = "  end\nend)"
  return table.concat(out, "\n")
end

local function judge(nests, O, where)
  local found = 0
  for k, x in ipairs(nests) do
    local got = O[k]:totable()
    for i, want in ipairs(x.O) do
      if got[i] ~= want then
        print(("%s: %s[%d] of %s is %s, not %s\n%s"):format(where, x.O.name, i - 1, x.O.t, got[i], want, x.text))
        found = found + 1
        break
      end
    end
  end
  return found
end

local found = 0
for seed = options.seed, options.seed + options.count - 1 do
  local w, nests = program(seed)
  local text = source(w, nests)
  if options.show ~= 0 then print(text) end
  for target in options.targets:gmatch "[^,]+" do
    local args, O = {}, {}
    for k, t in ipairs(types) do args[k] = tl.from_table(w.X[t], t) end
    for k, x in ipairs(nests) do
      O[k] = tl.zeros({w.n}, x.O.t)
      args[#args + 1] = O[k]
    end
    local ok, why = pcall(function() tl.compile(assert(load(text, "=masks"))(), {target = target})(table.unpack(args)) end)
    if ok then
      found = found + judge(nests, O, ("seed %d on %s, %d x %d, tensors of %d"):format(seed, target, w.rows, w.cols, w.n))
    else
      found = found + 1
      print(("seed %d on %s: %s"):format(seed, target, tostring(why)))
    end
  end
end
print(("seeds %d to %d: %d programs, %d findings"):format(options.seed, options.seed + options.count - 1, options.count, found))
os.exit(found == 0 and 0 or 1, true)
