-- values.lua: expressions over all types with chains of casts, comparisons and arithmetic at the ends of the types, on
-- the cpu and the simulator against a reference of their own (lib/values.lua), to the last bit and the sign of zeros.
--
--     moontile tests/hunt/values.lua [--seed N] [--count kernels] [--size expressions] [--targets a,b]
--
-- Each value is stored as it is, and as float64 or int64: a cast that is not printed shows there.  Without arguments it
-- is the short test.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local random, values = dofile(here .. "lib/random.lua"), dofile(here .. "lib/values.lua")

local options = {seed = 1, count = 2, size = 120, targets = "sim,sim -arch=sm_90a,sim -arch=gfx942,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile values.lua [--seed N] [--count kernels] [--size expressions] [--targets a,b]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local N, order, types = 64, values.order, values.types

local function wide(t) return types[t].int and "int64" or "float64" end

-- Expressions, and elements for all types.
local function program(seed)
  local r, list, X = random.new(seed), {}, {}
  for _, t in ipairs(order) do
    X[t] = {}
    for i = 1, N do X[t][i] = values.element(r, t) end
  end
  for k = 1, options.size do
    local t = r:of(order)
    list[k] = values.new(r, t, r:int(1, 4))
    list[k].t, list[k].wide = t, r:chance(0.6) and wide(t) or t
  end
  return list, X
end

-- Each type's results are the rows of a tensor.
local function text(list)
  local rows, body, out = {}, {}, {"local target = ...", "return tl.jit(function(X_" .. table.concat(order, ", X_") .. ")"}
  for k, e in ipairs(list) do
    rows[e.wide] = (rows[e.wide] or 0) + 1
    e.row = rows[e.wide]
    local v = e.wide == e.t and e.text or ("T.cast(%s, %q)"):format(e.text, e.wide)
    if k % 8 == 1 then body[#body + 1] = ("    for i in T.Parallel(%d) do"):format(N) end
    body[#body + 1] = ("      O_%s[%d, i] = %s"):format(e.wide, e.row - 1, v)
    if k % 8 == 0 or k == #list then body[#body + 1] = "    end" end
  end
  for _, t in ipairs(order) do out[#out + 1] = ("  X_%s: T.Tensor({%d}, %q)"):format(t, N, t) end
  for _, t in ipairs(order) do out[#out + 1] = ("  local O_%s = T.empty({%d, %d}, %q)"):format(t, rows[t] or 1, N, t) end
  for _, t in ipairs(order) do
    if not rows[t] then table.insert(body, 1, ("    for i in T.Parallel(%d) do O_%s[0, i] = X_%s[i] end"):format(N, t, t)) end
  end
  out[#out + 1] = "  for bx in T.Kernel(1, {threads = 64}) do"
  out[#out + 1] = table.concat(body, "\n")
  out[#out + 1] = "  end\n  return O_" .. table.concat(order, ", O_") .. "\nend, {target = target})"
  return table.concat(out, "\n")
end

local found, expressions = 0, 0

-- What e is on this target, beside the reference.
local function judge(e, got, X, where)
  for i = 1, N do
    local row = {}
    for _, t in ipairs(order) do row[t] = X[t][i] end
    local want = values.cast(e.f(row), e.t, e.wide)
    local v = got[e.row][i]
    if not types[e.wide].int and math.type(v) == "integer" then v = v + 0.0 end
    if not values.same(v, want) then
      found = found + 1
      local used = {}
      for _, t in ipairs(order) do
        if e.text:find("X_" .. t .. "[", 1, true) then used[#used + 1] = ("%s = %s"):format(t, row[t]) end
      end
      print(("%s: %s of %s as %s is %s, not %s\n    %s"):format(where, e.text, e.t, e.wide, v, want, table.concat(used, ", ")))
      return
    end
  end
end

for seed = options.seed, options.seed + options.count - 1 do
  local list, X = program(seed)
  expressions = expressions + #list
  local args, source = {}, text(list)
  for k, t in ipairs(order) do args[k] = tl.from_table(X[t], t) end
  for target in options.targets:gmatch "[^,]+" do
    local O = {assert(load(source, "=values"))(target)(table.unpack(args))}
    local got = {}
    for k, t in ipairs(order) do got[t] = O[k]:totable() end
    for _, e in ipairs(list) do judge(e, got[e.wide], X, ("seed %d on %s"):format(seed, target)) end
  end
end
print(("seeds %d to %d: %d expressions, %d findings"):format(options.seed, options.seed + options.count - 1, expressions, found))
os.exit(found == 0 and 0 or 1, true)
