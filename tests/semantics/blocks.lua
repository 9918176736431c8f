-- Do blocks of one launch meet in an element?  Random kernels, whose blocks and elements are run
-- through by plain Lua as well: a warning is said of those that do, and of no others.
local seed, count = tonumber(arg[1] or 1), tonumber(arg[2] or 400)
local random, fmt = math.random, string.format
math.randomseed(seed)

local function chance(p) return random() < p end
local function pick(t) return t[random(#t)] end
local function join(t) return table.concat(t, ", ") end

-- An expression: one text for the kernel and for Lua.
local binary = {
  function(a, b) return fmt("(%s + %s)", a, b) end,
  function(a, b) return fmt("(%s - %s)", a, b) end,
  function(a) return fmt("(%s * %d)", a, pick {2, 3, 4, 8, 16}) end,
  function(a) return fmt("(%s // %d)", a, pick {2, 3, 4, 8}) end,
  function(a) return fmt("(%s %% %d)", a, pick {3, 4, 8, 16}) end,
  function(a) return fmt("(%s %s %d)", a, pick {"&", "~", "|"}, random(0, 15)) end,
  function(a, b) return fmt("T.min(%s, %s)", a, b) end,
  function(a, b) return fmt("T.max(%s, %s)", a, b) end,
  function(a, b) return fmt("T.if_then_else(%s %s %s, %s, %s)", a, pick {"<", "==", ">="}, b, b, a) end,
}
local function expr(vars, depth)
  if depth == 0 or chance(0.15) then
    return chance(0.8) and pick(vars) or tostring(random(0, 9))
  end
  return pick(binary)(expr(vars, depth - 1), expr(vars, depth - 1))
end

-- What tiles are addressed by: blocks times the tile's size, and the loops inside.
local function affine(w, vars, n)
  local t = {tostring(chance(0.4) and random(0, 20) or 0)}
  for _, b in ipairs(w.blocks) do
    if chance(0.8) then t[#t + 1] = fmt("%s * %d", b, pick {1, n, n, n, 2 * n, 16}) end
  end
  for _, v in ipairs(vars) do
    if chance(0.9) then t[#t + 1] = fmt("%s * %d", v, pick {1, 1, 1, 2, 4}) end
  end
  local e = "(" .. table.concat(t, " + ") .. ")"
  return pick {e, e, e, fmt("(%s %% %d)", e, pick {8, 16, 32}), fmt("(%s // %d)", e, pick {2, 4})}
end

-- Statements: w.out(kernel's line, Lua's line).
local function loops(w)
  local vars, all, n, depth = {}, {table.unpack(w.blocks)}, 1, random(0, 2)
  for l = 1, depth do
    local v, e, kind = ("ij"):sub(l, l), random(l == 1 and 16 or 6), random(5)
    local hi = kind == 1 and fmt("T.min(%d, T.max(0, %s))", e, expr(all, 1)) or tostring(e)
    if kind == 2 then -- a persistent one
      local step = w.extent[1]
      w.out(fmt("for %sw in T.serial(T.ceildiv(%d - bx, %d)) do local %s = bx + %sw * %d", v, 2 * e, step, v, v, step),
        fmt("for %s = bx, %d, %d do", v, 2 * e - 1, step))
      e = 2 * e
    else
      w.out(fmt("for %s in T.%s(%s) do", v, pick {"serial", "unroll"}, hi), fmt("for %s = 0, %s - 1 do", v, hi))
    end
    vars[l], all[#all + 1], n = v, v, n * e
  end
  if chance(0.3) then
    w.out(fmt("if %s %s %s then", expr(all, 2), pick {"<", "==", ">", "~="}, expr(all, 1)))
    depth = depth + 1
  end
  return vars, all, n, depth
end

local touch = {}
function touch.element(w, t, at, write)
  local e = at(1)
  if write then return fmt("%s[%s] = %s", t, e, w.value()), fmt("W(%q, %s)", t, e) end
  return fmt("v[0] = v[0] + %s[%s]", t, e), fmt("R(%q, %s)", t, e)
end
function touch.view(w, t, at, write)
  local e, g = at(4), at(4) .. " % 4"
  local place = fmt("%q, inside(%s) * 4 + %s", t, e, g)
  if write then return fmt("V%s[%s, %s] = %s", t, e, g, w.value()), fmt("W(%s)", place) end
  return fmt("v[0] = v[0] + V%s[%s, %s]", t, e, g), fmt("R(%s)", place)
end
function touch.region(w, t, at, write)
  local e, n = at(8), 8
  local each = fmt("for q = 0, %d do %s(%q, %s + q) end", n - 1, write and "W" or "R", t, e)
  if write then return fmt("T.fill(s, %s) T.copy(s, %s[%s:%s + %d])", w.value(), t, e, e, n), each end
  return fmt("T.copy(%s[%s:%s + %d], s)", t, e, e, n), each
end
function touch.atomic(_, t, at)
  local e = at(1)
  return fmt("T.atomic_add(%s[%s], 1)", t, e), fmt("U(%q, %s)", t, e)
end

-- A kernel's text, Lua's text for one block, and what both are about.
local function program()
  local w = {blocks = {}, extent = {}, kernel = {}, lua = {}, stores = 0}
  local dims = random(3)
  for d = 1, dims do
    w.blocks[d], w.extent[d] = ("b" .. ("xyz"):sub(d, d)), random(dims == 1 and 8 or dims == 2 and 4 or 3)
  end
  local number = "bx"
  for d = 2, dims do
    number = fmt("(%s * %d + %s)", number, w.extent[d], w.blocks[d])
  end
  function w.out(kernel, lua)
    w.kernel[#w.kernel + 1], w.lua[#w.lua + 1] = kernel, lua or kernel
  end
  function w.value() -- another one for each block and statement
    w.stores = w.stores + 1
    return fmt("%s * 100 + %d", number, w.stores)
  end
  w.size = pick {16, 32, 64, 100, 128, 200}
  for _ = 1, random(2, 4) do
    local vars, all, n, depth = loops(w)
    local function at(tile)
      return chance(0.65) and affine(w, vars, math.max(n, tile)) or "(" .. expr(all, random(3)) .. ")"
    end
    local kind = pick {"element", "element", "element", "view", "region", chance(0.5) and "atomic" or "element"}
    w.out(touch[kind](w, pick {"A", "A", "B"}, at, chance(0.5)))
    w.out(("end "):rep(depth))
  end
  return w
end

local function kernel(w)
  return fmt([[return T.prim_func(function(A, B, O)
  A: T.Tensor({%d}, T.int32)
  B: T.Tensor({%d}, T.int32)
  O: T.Tensor({%s}, T.int32)
  local VA, VB = T.reshape(A, {%d, 4}), T.reshape(B, {%d, 4})
  for %s in T.Kernel(%s, {threads = 32}) do
    local v = T.alloc_var(T.int32, 0)
    local s = T.alloc_shared({8}, T.int32)
    %s
    O[%s] = v[0]
  end
end)]], w.size, w.size, join(w.extent), w.size // 4, w.size // 4, join(w.blocks), join(w.extent),
    table.concat(w.kernel, "\n    "), join(w.blocks))
end

-- The other opinion -------------------------------------------------------

-- By element: the blocks that read, write, update it.  nil: a block goes outside of a tensor.
local function run(w)
  local seen, block, outside = {}, 0, false
  local function note(kind)
    return function(t, at)
      outside = outside or at < 0 or at >= w.size
      local e = seen[t .. at] or {R = {}, W = {}, U = {}}
      seen[t .. at] = e
      e[kind][block] = true
    end
  end
  local env = {R = note "R", W = note "W", U = note "U", O = {min = math.min, max = math.max}}
  function env.O.if_then_else(c, a, b)
    if c then return a end
    return b
  end
  function env.inside(row)
    outside = outside or row < 0 or row >= w.size // 4
    return row
  end
  -- Of another name than T: the reader knows what T.if_then_else leaves out.
  local text = table.concat(w.lua, "\n"):gsub("%f[%w]T%.", "O.")
  local body = assert(load("local bx, by, bz = ...\n" .. text, "oracle", "t", env))
  for x = 0, w.extent[1] - 1 do
    for y = 0, (w.extent[2] or 1) - 1 do
      for z = 0, (w.extent[3] or 1) - 1 do
        block = (x * 8 + y) * 8 + z
        body(x, y, z)
      end
    end
  end
  return not outside and seen or nil
end

local function differ(a, b)
  for x in pairs(a) do
    for y in pairs(b) do
      if x ~= y then return true end
    end
  end
  return false
end

-- Which of the three warnings would be right.
local function conflicts(seen)
  local c = {}
  for _, e in pairs(seen) do
    c.E517 = c.E517 or differ(e.W, e.W)
    c.E756 = c.E756 or differ(e.R, e.W) or differ(e.R, e.U)
    c.E757 = c.E757 or differ(e.W, e.U)
  end
  return c
end

-- Both ----------------------------------------------------------------------

local function warnings(text)
  local said = {}
  local stderr = io.stderr
  io.stderr = {write = function(_, ...) said[#said + 1] = table.concat {...} end}
  local ok, why = pcall(function() tl.compile(load(text, "=kernel")(), {target = "sim"}) end)
  io.stderr = stderr
  return table.concat(said), not ok and tostring(why)
end

local counted = {}
for i = 1, count do
  local w, seen
  repeat
    w = program()
    seen = run(w)
  until seen
  local text, right = kernel(w), conflicts(seen)
  local said, why = warnings(text)
  if why and why:find "E135" then -- a place below 0 that is known counts from the end
    why, right = nil, {}
  end
  local code = said:match "%[(E517)%]" or said:match "%[(E75[67])%]"
  local good = not why and (code and right[code] or not code and not (right.E517 or right.E756 or right.E757))
  counted[code or "nothing"] = (counted[code or "nothing"] or 0) + 1
  if not good then
    print(fmt("kernel %d of seed %d: said %s\n%s\n%s", i, seed, code or "nothing", text, why or said))
  end
end
for _, code in ipairs {"E517", "E756", "E757", "nothing"} do
  print(code, counted[code] and "was said" or "never")
end
