-- guards.lua: accesses at the ends of tensors whose sizes are known only when the kernel runs, under conditions that are
-- nearly those of the tensors themselves, on targets against plain Lua.
--
--     moontile tests/hunt/guards.lua [--seed N] [--count kernels] [--targets a,b] [--each N] [--show 1]
--
-- A kernel is some nests over tiles of a grid; rows and columns are steps, offsets and mirrored places of a block's tile,
-- or read from memory.  What lies outside reads as 0 or is dropped.  A condition may be right for one tensor and wrong
-- for its neighbour, hold before a variable changes and not behind, or stand in one half of an `or`.  Each kernel runs with
-- several sizes.  --each: so many targets of a program, in turns.  Without arguments it is the short test.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local random, nests = dofile(here .. "lib/random.lua"), dofile(here .. "lib/guards.lua")

local options = {seed = 1, count = 8, targets = "sm_75,sm_80,sm_90a,c500,gfx942,cpu", show = 0, each = 1}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile guards.lua [--seed N] [--count kernels] [--targets a,b] [--each N] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t:find "^cpu" and t or "sim -arch=" .. t end

local shapes = {X1 = {"n"}, X2 = {"n", "m"}, X3 = {"m"}, I = {64}}

local function size(d, E) return math.type(d) and d or E[d] end

-- Tensors of the sizes in E, with elements of a program's own.
local function elements(r, w, E)
  local data = {}
  for name, dims in pairs(w.shapes) do
    local count = 1
    for _, d in ipairs(dims) do count = count * size(d, E) end
    local x = {dims = {}}
    for k, d in ipairs(dims) do x.dims[k] = size(d, E) end
    local lo, hi = -50, 50
    if name == "I" then lo, hi = -9, 40 end
    for k = 1, count do x[k] = name:find "^O" and -7 or r:int(lo, hi) end
    data[name] = x
  end
  return data
end

local function source(w)
  local names = {}
  for name in pairs(w.shapes) do names[#names + 1] = name end
  table.sort(names)
  local out = {("return T.prim_func(function(%s, s)"):format(table.concat(names, ", "))}
  out[#out + 1] = w.fixed and ("  local n, m = %d, %d"):format(w.fixed.n, w.fixed.m) or '  local n, m = T.dynamic "n", T.dynamic "m"'
  for _, name in ipairs(names) do
    out[#out + 1] = ("  %s: T.Tensor({%s}, %q)"):format(name, table.concat(w.shapes[name], ", "), w.types[name])
  end
  out[#out + 1] = "  s: T.int32"
  out[#out + 1] = ("  for bx, by in T.Kernel(%s, %s, {threads = %d}) do"):format(w.gx.text, w.gy.text, w.threads)
  for _, k in ipairs(w.nests) do out[#out + 1] = k.text end
  out[#out + 1] = "  end\nend)"
  return table.concat(out, "\n"), names
end

local function program(seed)
  local r = random.new(seed)
  local w = {types = {I = r:of {"int32", "int32", "int8", "int64"}}, shapes = {}}
  for name, dims in pairs(shapes) do w.shapes[name] = dims end
  for _, name in ipairs {"X1", "X2", "X3"} do w.types[name] = r:of {"int32", "float32", "float16", "int8"} end
  if r:chance(0.25) then w.fixed = {n = r:int(3, 40), m = r:int(3, 40)} end
  nests.grid(r, w)
  w.threads = r:of {32, 64, 128}
  w.nests = {}
  for k = 1, r:int(1, 5) do w.nests[k] = nests.new(r, w, k) end
  return w, r
end

local counts = {found = 0, runs = 0}

local function judge(w, data, got, where)
  for name, x in pairs(data) do
    if name:find "^O" then
      for i, v in ipairs(got[name]) do
        if v ~= x[i] then
          counts.found = counts.found + 1
          print(("%s: %s[%d] of %s is %s, not %s"):format(where, name, i - 1, table.concat(x.dims, " x "), v, x[i]))
          return false
        end
      end
    end
  end
  return true
end

local function flat(t, out)
  for _, v in ipairs(t) do
    if type(v) == "table" then flat(v, out) else out[#out + 1] = v end
  end
  return out
end

local function tensor(x, t)
  return tl.from_table({table.unpack(x)}, t):reshape(table.unpack(x.dims))
end

for seed = options.seed, options.seed + options.count - 1 do
  local w, r = program(seed)
  local text, names = source(w)
  if options.show ~= 0 then print(text) end
  local right = true
  local cases = {}
  for k = 1, 3 do
    local E = {n = r:int(1, 40), m = r:of {1, 7, 16, 17, 31, 32, 33}, s = r:int(0, 40)}
    if w.fixed then E.n, E.m = w.fixed.n, w.fixed.m end
    local before, after
    local rr = random.new(seed * 100 + k)
    before = elements(rr, w, E)
    rr = random.new(seed * 100 + k)
    after = elements(rr, w, E)
    nests.run(w, E, after)
    cases[k] = {E = E, before = before, after = after}
  end
  for n, target in ipairs(targets) do
    if (n - seed * options.each) % #targets < options.each then
      local ok, why = pcall(function()
        local kernel = tl.compile(assert(load(text, "=guards"))(), {target = target})
        for _, c in ipairs(cases) do
          local args, by = {}, {}
          for k, name in ipairs(names) do
            by[name] = tensor(c.before[name], w.types[name])
            args[k] = by[name]
          end
          args[#args + 1] = c.E.s
          kernel(table.unpack(args))
          counts.runs = counts.runs + 1
          local got = {}
          for _, name in ipairs(names) do got[name] = flat(by[name]:totable(), {}) end
          right = judge(w, c.after, got, ("seed %d on %s, n = %d, m = %d, s = %d"):format(seed, target, c.E.n, c.E.m, c.E.s)) and right
        end
      end)
      if not ok then
        right = false
        counts.found = counts.found + 1
        print(("seed %d on %s: %s"):format(seed, target, tostring(why)))
      end
    end
  end
  if not right then print(text) end
end
print(("seeds %d to %d: %d runs, %d findings"):format(options.seed, options.seed + options.count - 1, counts.runs,
  counts.found))
os.exit(counts.found == 0 and 0 or 1, true)
