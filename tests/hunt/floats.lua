-- floats.lua: a constant with a type of its own, beside values of other types, counts as a value of that type does:
-- T.atan2(h, T.float32(0.1)) of a float16 h is computed in float32, like T.atan2(h, f) of an element f that holds 0.1.
-- A float written down is a float32 to operators and T.pow, beside a float64 that; other functions give it the other side's
-- type, or float32 beside integers.
--
--     moontile tests/hunt/floats.lua [--seed N] [--count kernels] [--size expressions] [--targets a,b]
--
-- Each expression is computed twice, with the constant and with elements of that type that hold it; the two must agree
-- to the last bit.  Without arguments it is the short test.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local random = dofile(here .. "lib/random.lua")

local options = {seed = 1, count = 2, size = 150, targets = "sim,sim -arch=sm_90a,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile floats.lua [--seed N] [--count kernels] [--size expressions] [--targets a,b]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local N = 32
local order = {"float16", "bfloat16", "float32", "float64", "int8", "int32", "int64"}
local constants = {0.1, 3.7, -2.3, 0.5, 1.00048828125, 301.3, 1e-3, 65519.0}

local forms = {
  "T.atan2(%s, %s)", "T.fmod(%s, %s)", "T.hypot(%s, %s)", "T.copysign(%s, %s)", "T.pow(%s, %s)", "T.ldexp(%s, %s)",
  "T.nextafter(%s, %s)", "T.ieee_add(%s, %s)", "T.ieee_fmaf(%s, %s, 0.1)", "T.min(%s, %s)", "T.max(%s, %s)",
  "(%s + %s)", "(%s - %s)", "(%s * %s)", "T.Select(%s > 1, %s, 2)", "T.if_then_else(%s < %s, 1, 0)", "T.atan2(%s, %s) + 0.1",
}

local function is_float(t) return t:find "float" ~= nil end

-- Forms that compute as operators do, powers too: what is written down has a type of its own there.
local function operator(form)
  return form:find "^%(" or form:find "^T%.pow" or form:find "^T%.m[ia][nx]%(" or form:find "^T%.Select"
end

-- A constant: its value, how it is written, and the type that it counts as beside x's.
local function constant(r, x, form)
  local t = r:of(order)
  local v = is_float(t) and r:of(constants) or r:of {1, 2, 3, -2, 7, 100}
  if r:chance(0.2) then
    local own = is_float(x) and x or math.type(v) == "float" and "float32" or x
    if math.type(v) == "float" and operator(form) and (x ~= "float64" or form:find "Select") then
      own = "float32" -- a choice's x is in its condition only
    end
    return v, tostring(v), own
  end
  return v, r:chance(0.5) and ("T.%s(%s)"):format(t, v) or ("T.cast(%s, %q)"):format(v, t), t
end

-- x, c: types; {text with the constant, text with an element, value, type}
local function case(r)
  local form, x, v, text, t = r:of(forms)
  repeat -- a whole number as T.pow's makes products
    x = r:of(order)
    v, text, t = constant(r, x, form)
  until (is_float(x) or is_float(t)) and not (form:find "^T%.pow" and math.type(v) == "integer" and text == tostring(v))
  local first, load = ("X_%s[i]"):format(x), ("C_%s[%%d, i]"):format(t)
  -- the choice's condition is on x, and so is ldexp's first argument
  local swap = r:chance(0.4) and not form:find "Select" and not form:find "ldexp"
  local function fill(c)
    return swap and form:format(c, first) or form:format(first, c)
  end
  return {const = fill(text), load = fill(load), v = v, t = t}
end

local function program(seed)
  local r = random.new(seed)
  local list, X, C = {}, {}, {}
  for _, t in ipairs(order) do
    X[t], C[t] = {}, {}
    for i = 1, N do
      local v = (r:int(-4000, 4000)) / r:of {8, 1000, 64}
      X[t][i] = is_float(t) and v or r:int(-20, 20)
    end
  end
  while #list < options.size do
    local k = case(r)
    local row = C[k.t]
    row[#row + 1] = {}
    for i = 1, N do row[#row][i] = k.v end
    k.load = k.load:format(#row - 1)
    list[#list + 1] = k
  end
  return list, X, C
end

local function text(list, C)
  local out = {"local target = ...", "return tl.jit(function(X_" .. table.concat(order, ", X_") .. ", C_" ..
    table.concat(order, ", C_") .. ")"}
  for _, t in ipairs(order) do
    out[#out + 1] = ("  X_%s: T.Tensor({%d}, %q)"):format(t, N, t)
    out[#out + 1] = ("  C_%s: T.Tensor({%d, %d}, %q)"):format(t, math.max(#C[t], 1), N, t)
  end
  out[#out + 1] = ("  local O = T.empty({%d, %d}, \"float64\")"):format(2 * #list, N)
  out[#out + 1] = "  for bx in T.Kernel(1, {threads = 32}) do"
  for k, e in ipairs(list) do
    if k % 8 == 1 then out[#out + 1] = ("    for i in T.Parallel(%d) do"):format(N) end
    out[#out + 1] = ("      O[%d, i] = %s"):format(2 * k - 2, e.const)
    out[#out + 1] = ("      O[%d, i] = %s"):format(2 * k - 1, e.load)
    if k % 8 == 0 or k == #list then out[#out + 1] = "    end" end
  end
  out[#out + 1] = "  end\n  return O\nend, {target = target})"
  return table.concat(out, "\n")
end

local found, expressions = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  local list, X, C = program(seed)
  expressions = expressions + #list
  local args = {}
  for k, t in ipairs(order) do
    args[k] = tl.from_table(X[t], t)
    args[#order + k] = #C[t] > 0 and tl.from_table(C[t], t) or tl.zeros({1, N}, t)
  end
  for target in options.targets:gmatch "[^,]+" do
    local O = assert(load(text(list, C), "=floats"))(target)(table.unpack(args)):totable()
    for k, e in ipairs(list) do
      for i = 1, N do
        local a, b = O[2 * k - 1][i], O[2 * k][i]
        if a ~= b and (a == a or b == b) then
          found = found + 1
          print(("seed %d on %s: %s is %.17g, %s is %.17g"):format(seed, target, e.const, a, e.load, b))
          break
        end
      end
    end
  end
end
print(("seeds %d to %d: %d expressions, %d findings"):format(options.seed, options.seed + options.count - 1, expressions, found))
os.exit(found == 0 and 0 or 1, true)
