-- layout/digits.lua: a layout's function of the indices, evaluated once on the indices themselves
-- instead of on each of their values: dQ of 2 x 32 x 8192 x 128 has 67 million.
--
--     l // 8 * 64 + l % 8      ->   64 * digit(l, weight 8, extent n / 8)  +  digit(l, weight 1, extent 8)
--
-- A value here is a constant and a sum of digits of indices, each times a number.  Digits never overlap
-- and always run over their whole extent, so that sums, products with numbers, floor division and
-- remainder by a number are exact, as are bounds.  Whatever else is asked of a value (a comparison, a
-- division that cuts a digit unevenly) raises Unknown: the caller enumerates then.

local M = {}

local Unknown = setmetatable({}, {__tostring = function() return "no sum of digits" end})

local function unknown()
  error(Unknown, 0)
end

local Value = {__name = "index digits"}

local function is(v)
  return getmetatable(v) == Value
end
M.is = is

-- terms: a list of {dim, w, e, s}: s * (index[dim] // w % e), by dim and w, disjoint, no s of 0
local function value(c, terms)
  return setmetatable({c = c, terms = terms}, Value)
end

local function number(v)
  local n = math.tointeger(v)
  return n or unknown()
end

local function order(a, b)
  return a.dim < b.dim or a.dim == b.dim and a.w < b.w
end

-- The digit's part below k of its values, and that from k on.
local function split(t, k)
  if t.e % k ~= 0 then
    unknown()
  end
  return {dim = t.dim, w = t.w, e = k, s = t.s}, {dim = t.dim, w = t.w * k, e = t.e // k, s = t.s * k}
end

-- The terms, each cut where another of its index begins or ends.
local function cut(terms)
  local out, todo = {}, {table.unpack(terms)}
  while #todo > 0 do
    local t = table.remove(todo)
    local at
    for _, o in ipairs(terms) do
      for _, w in ipairs {o.w, o.w * o.e} do
        if o.dim == t.dim and w > t.w and w < t.w * t.e then
          at = math.min(at or w, w)
        end
      end
    end
    if not at then
      out[#out + 1] = t
    elseif at % t.w ~= 0 then
      unknown()
    else
      local low, high = split(t, at // t.w)
      out[#out + 1] = low
      todo[#todo + 1] = high
    end
  end
  return out
end

-- A sum of terms, those of one digit together.
local function collect(c, terms)
  local by, out = {}, {}
  for _, t in ipairs(cut(terms)) do
    local key = t.dim .. "/" .. t.w
    local have = by[key]
    if have and have.e ~= t.e then
      unknown()
    elseif have then
      have.s = have.s + t.s
    else
      by[key] = {dim = t.dim, w = t.w, e = t.e, s = t.s}
    end
  end
  for _, t in pairs(by) do
    if t.s ~= 0 then
      out[#out + 1] = t
    end
  end
  table.sort(out, order)
  return value(c, out)
end

local function of(v)
  return is(v) and v or value(number(v), {})
end

local function bounds(v)
  local lo, hi = v.c, v.c
  for _, t in ipairs(v.terms) do
    local far = t.s * (t.e - 1)
    lo, hi = lo + math.min(far, 0), hi + math.max(far, 0)
  end
  return lo, hi
end

-- v // q and v % q
local function divide(v, q)
  v, q = of(v), number(q)
  if q < 1 then
    unknown()
  end
  local high, low = {}, {}
  for _, t in ipairs(v.terms) do
    if t.s % q == 0 then
      high[#high + 1] = {dim = t.dim, w = t.w, e = t.e, s = t.s // q}
    elseif t.s > 0 and q % t.s == 0 and q // t.s < t.e then
      local below, from = split(t, q // t.s)
      from.s = from.s // q
      low[#low + 1], high[#high + 1] = below, from
    else
      low[#low + 1] = t
    end
  end
  local rest = value(v.c % q, low)
  local lo, hi = bounds(rest)
  if lo < 0 or hi >= q then
    unknown()
  end
  return collect(v.c // q, high), rest
end

local function times(v, k)
  local terms = {}
  for i, t in ipairs(v.terms) do
    terms[i] = {dim = t.dim, w = t.w, e = t.e, s = t.s * k}
  end
  return collect(v.c * k, terms)
end

function Value.__add(a, b)
  a, b = of(a), of(b)
  return collect(a.c + b.c, table.move(b.terms, 1, #b.terms, #a.terms + 1, {table.unpack(a.terms)}))
end

function Value.__mul(a, b)
  if is(a) and is(b) then
    unknown()
  end
  return is(a) and times(a, number(b)) or times(b, number(a))
end

function Value.__unm(a) return times(a, -1) end
function Value.__sub(a, b) return of(a) + times(of(b), -1) end
function Value.__idiv(a, b) return (divide(a, b)) end
function Value.__mod(a, b) return (select(2, divide(a, b))) end
function Value.__shl(a, b) return times(of(a), 1 << number(b)) end
function Value.__shr(a, b) return (divide(a, 1 << number(b))) end

-- Only of the lowest bits.
function Value.__band(a, b)
  if not is(a) then
    a, b = b, a
  end
  local m = number(b)
  return m >= 0 and m & (m + 1) == 0 and a % (m + 1) or unknown()
end

for _, event in ipairs {"lt", "le", "div", "pow", "bor", "bxor", "bnot", "concat", "len", "tostring", "call",
  "opaque"} do
  Value["__" .. event] = unknown
end

-- What runs a function that does nothing with its arguments but compute, and says so when it asks them for
-- more: follow(f, args) -> results, or nothing where that is not known of f.  Set by who has such functions.
M.follow = function() end

-- The coordinates of a layout's function as values, and their extents; nil: enumerate.
local function coordinates(shape, f)
  local args = {}
  for d, n in ipairs(shape) do
    args[d] = value(0, n > 1 and {{dim = d - 1, w = 1, e = n, s = 1}} or {})
  end
  local out = M.follow(f, args)
  if not out then
    return nil
  end
  local size = {}
  for d, v in ipairs(out) do
    out[d] = of(v)
    local lo, hi = bounds(out[d])
    if lo < 0 then
      return nil
    end
    size[d] = hi + 1
  end
  return out, size
end

-- Whether different indices give different sums, where that is plain: each number is beyond what all
-- smaller ones reach together, and every index is there as a whole.
local function distinct(shape, terms)
  local sorted, reach, whole = {table.unpack(terms)}, 0, {}
  table.sort(sorted, function(a, b) return a.s < b.s end)
  for _, t in ipairs(sorted) do
    if t.s <= reach then
      return false
    end
    reach = reach + t.s * (t.e - 1)
    whole[t.dim] = (whole[t.dim] or 1) * t.e
  end
  for d, n in ipairs(shape) do
    if (whole[d - 1] or 1) ~= n then
      return false
    end
  end
  return true
end

-- The layout's text, as the IR shows it: neighbouring digits of an index that go on in equal steps are one.
local function text(shape, terms)
  local modes = {}
  for _, t in ipairs(terms) do
    local last = modes[#modes]
    if last and last.dim == t.dim and last.w * last.e == t.w and last.s * last.e == t.s then
      last.e = last.e * t.e
    else
      modes[#modes + 1] = {dim = t.dim, w = t.w, e = t.e, s = t.s}
    end
  end
  for i, m in ipairs(modes) do
    modes[i] = ("%d/%d:%d*%d"):format(m.dim, m.w, m.e, m.s)
  end
  return ("[%s] off(%s)"):format(table.concat(shape, ","), table.concat(modes, " "))
end

-- The layout of f as text and the extents of its coordinates; nil: it has to be enumerated.
function M.fit(shape, f)
  local ok, result, size = pcall(function()
    local out, extents = coordinates(shape, f)
    if not out then
      return nil
    end
    local at = value(0, {})
    for d, v in ipairs(out) do
      at = at * extents[d] + v
    end
    return at.c == 0 and distinct(shape, at.terms) and text(shape, at.terms) or nil, extents
  end)
  if ok and result then
    return result, size
  end
end

return M
