-- layout/cute.lua: layouts in CuTe's notation: read, composed, written.
--
--   "(8,4):(4,1)"  "((2,4),8):((1,16),2)"      shape:stride, nested alike
--   "(8,4)"                                   strides as CuTe fills them in: the first
--                                             mode is the fastest
--   "Sw<3,4,3> o 0 o (8,8):(8,1)"             what stands right is done first; a number
--                                             is added, Sw<B,M,S> swizzles the result
--   "(8,8):(8,1) o (4,2):(2,1)"               a layout takes the number that the one on
--                                             its right gives
--
-- A number goes into a layout column-major: its first leaf takes the lowest mode.

local diag = require "moontile.diag"
local layouts = require "moontile.layout"
local object = require "moontile.layout.algebra"
local W = require "moontile.base.translations"

local M = {}

-- Reading ----------------------------------------------------------------------------

-- "(8,(4,2))" or "_8" -> nested list or number, where the rest begins
local function nested(text, at, whole)
  local open = text:match("^%s*%(()", at)
  if not open then
    local n, rest = text:match("^%s*_?(%-?%d+)%s*()", at)
    if not n then
      diag.fail("layout_cute", whole, W"a number is missing")
    end
    return math.tointeger(tonumber(n)), rest
  end
  local t = {}
  at = open
  repeat
    t[#t + 1], at = nested(text, at, whole)
    local mark, rest = text:match("^%s*([,)])%s*()", at)
    if not mark then
      diag.fail("layout_cute", whole, W"a parenthesis is missing")
    end
    at = rest
  until mark == ")"
  return t, at
end

local function leaves(t, out)
  if type(t) ~= "table" then
    out[#out + 1] = t
    return out
  end
  for _, v in ipairs(t) do
    leaves(v, out)
  end
  return out
end

-- Strides of a shape that are not given: the first mode is the fastest.
local function compact(shape, step)
  if type(shape) ~= "table" then
    return step, step * shape
  end
  local t = {}
  for i, v in ipairs(shape) do
    t[i], step = compact(v, step)
  end
  return t, step
end

local function congruent(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return type(a) ~= "table" and type(b) ~= "table"
  end
  for i = 1, math.max(#a, #b) do
    if a[i] == nil or b[i] == nil or not congruent(a[i], b[i]) then
      return false
    end
  end
  return true
end

-- One part of a chain: {sw = {B, M, S}}, {add = n} or {shape =, stride =}.
local function part_of(text, whole)
  local sw = {text:match "^%s*Sw<(%d+),%s*(%d+),%s*(%-?%d+)>%s*$"}
  if sw[1] then
    for i, v in ipairs(sw) do
      sw[i] = math.tointeger(tonumber(v))
    end
    return {sw = sw}
  end
  local n = text:match "^%s*_?(%d+)%s*$"
  if n then
    return {add = math.tointeger(tonumber(n))}
  end
  local left, right = text:match "^([^:]*):?(.*)$"
  local shape, at = nested(left, 1, whole)
  if left:find("%S", at) then
    diag.fail("layout_cute", whole, W"something follows it")
  end
  local stride
  if right ~= "" then
    stride, at = nested(right, 1, whole)
    if right:find("%S", at) then
      diag.fail("layout_cute", whole, W"something follows it")
    end
  else
    stride = compact(shape, 1)
  end
  if not congruent(shape, stride) then
    diag.fail("layout_cute", whole, W"shape and stride differ in form")
  end
  for _, v in ipairs(leaves(shape, {})) do
    if v < 1 then
      diag.fail("layout_cute", whole, W"sizes are positive")
    end
  end
  return {shape = shape, stride = stride}
end

-- The parts of "A o B o C", left to right.
local function chain(text)
  local list, at = {}, 1
  while true do
    local from, to = text:find("%s+o%s+", at)
    list[#list + 1] = part_of(text:sub(at, (from or #text + 1) - 1), text)
    if not from then
      return list
    end
    at = to + 1
  end
end

-- Evaluating --------------------------------------------------------------------------

local function shifted(v, by)
  return by >= 0 and v >> by or v << -by
end

-- CuTe's swizzle: B bits from M + S on (or from M on, where S is negative) are joined
-- to those S below.
local function swizzle(sw, v)
  local b, m, s = sw[1], sw[2], sw[3]
  local from = ((1 << b) - 1) << (m + math.max(0, s))
  return v ~ shifted(v & from, s)
end

-- The offset of number n, column-major over the leaves; the last one takes the rest.
local function linear(part, n)
  local e, s = leaves(part.shape, {}), leaves(part.stride, {})
  local sum = 0
  for k = 1, #e do
    local v = k < #e and n % e[k] or n
    sum, n = sum + v * s[k], n // e[k]
  end
  return sum
end

local function apply(part, n)
  if part.sw then
    return swizzle(part.sw, n)
  elseif part.add then
    return n + part.add
  end
  return linear(part, n)
end

local function size(t)
  local n = 1
  for _, v in ipairs(leaves(t, {})) do
    n = n * v
  end
  return n
end

-- Writing -----------------------------------------------------------------------------

local function write(t)
  if type(t) ~= "table" then
    return tostring(t)
  end
  local list = {}
  for i, v in ipairs(t) do
    list[i] = write(v)
  end
  return "(" .. table.concat(list, ",") .. ")"
end

local function write_chain(parts)
  local t = {}
  for i, p in ipairs(parts) do
    t[i] = p.sw and ("Sw<%d,%d,%d>"):format(table.unpack(p.sw)) or p.add and tostring(p.add) or
      write(p.shape) .. ":" .. write(p.stride)
  end
  return table.concat(t, " o ")
end

-- Making -------------------------------------------------------------------------------

-- The layout of one plain layout, or nil: strides of 0, or elements in one place.
local function map_of(parts, sizes)
  local last = parts[#parts]
  local list, xor = {}, nil
  if #parts == 3 and parts[1].sw and parts[2].add == 0 and parts[1].sw[3] > 0 then
    xor = parts[1].sw
  elseif #parts == 2 and parts[1].sw and parts[1].sw[3] > 0 then
    xor = parts[1].sw
  elseif #parts ~= 1 then
    return nil
  end
  for d, mode in ipairs(last.shape) do
    local e, s = leaves(mode, {}), leaves(last.stride[d], {})
    for k, v in ipairs(e) do
      if s[k] < 1 and v > 1 then
        return nil
      end
      list[#list + 1] = {d - 1, v, "off", math.max(s[k], 1)}
    end
  end
  local map = layouts.modes(sizes, list)
  return map and xor and layouts.parse(("%s xor(%d,%d,%d)"):format(map:text(), table.unpack(xor))) or
    not xor and map or nil
end

local function plain(parts)
  for _, p in ipairs(parts) do
    if not p.shape then
      return false
    end
  end
  return true
end

-- The layout that a text says.
function M.layout(text)
  local parts = chain(text)
  local last = parts[#parts]
  if not last.shape then
    diag.fail("layout_cute", text, W"the last part is a layout")
  end
  local notation = write_chain(parts)
  if type(last.shape) ~= "table" then
    last.shape, last.stride = {last.shape}, {last.stride}
  end
  local sizes = {}
  for d, mode in ipairs(last.shape) do
    sizes[d] = size(mode)
  end
  if #sizes > 8 then
    diag.fail("layout_cute", text, W"it has more than 8 modes")
  end
  local l
  local map = map_of(parts, sizes)
  if map then
    l = object.of(map, text)
  else
    l = object.layout(sizes, function(...)
      local n = 0
      for d, v in ipairs {...} do
        if d <= #sizes then
          n = n + linear({shape = last.shape[d], stride = last.stride[d]}, v)
        end
      end
      for i = #parts - 1, 1, -1 do
        n = apply(parts[i], n)
      end
      return n
    end, text)
  end
  l.source = ("tl.layout.cute(%q)"):format(text)
  if #parts == 1 or not plain(parts) or not object.map(l) then -- A o B is one layout
    l.notation = notation
  end
  return l
end

-- Thread-value layouts -------------------------------------------------------------------

-- Who holds each element of a tile of `all` elements, and in which register, from a TV
-- layout; each as often as the first.
local function holders(text, tv, all)
  local owner, reg = {}, {}
  for t = 0, tv.shape[1] - 1 do
    for v = 0, tv.shape[2] - 1 do
      local e = tv:at(t, v)
      if e < 0 or e >= all or owner[e] and reg[e] ~= v then
        diag.fail("cute_tile", text,
          W"thread %d, value %d is element %d of %d":format(t, v, e, all))
      end
      owner[e], reg[e] = owner[e] or {}, v
      table.insert(owner[e], t)
    end
  end
  for e = 0, all - 1 do
    local n = owner[e] and #owner[e] or 0
    if n == 0 or n ~= #owner[0] then
      diag.fail("cute_tile", text, W"element %d is held %d times":format(e, n))
    end
  end
  return owner, reg
end

-- The Fragment of a TV layout: (thread, value) -> m + M * n of the tile {M, N}; lanes:
-- of a warp, 32 or 64.
function M.fragment(text, tile, lanes)
  local tv, all = M.layout(text), 1
  if #tv.shape ~= 2 then
    diag.fail("layout_cute", text, W"a TV layout has two modes: threads and values")
  end
  for _, n in ipairs(tile) do
    all = all * n
  end
  local owner, reg = holders(text, tv, all)
  local function number(...)
    local e, step = 0, 1
    for d, n in ipairs(tile) do
      e, step = e + (select(d, ...)) * step, step * n
    end
    return e
  end
  local l = object.fragment(table.move(tile, 1, #tile, 1, {}), function(...)
    return owner[number(...)][((select(#tile + 1, ...)) or 0) + 1]
  end, function(...) return reg[number(...)] end, #owner[0], text)
  l.notation, l.warp = tv.notation, lanes
  l.source = ("tl.layout.cute(%q, {tile = {%s}%s})"):format(text, table.concat(tile, ", "),
    lanes and ", lanes = " .. lanes or "")
  return l
end

-- From layouts -------------------------------------------------------------------------

-- Modes of one list of {extent, stride}: a number where there is one, (1):(0) for none.
local function mode(list)
  if #list == 0 then
    return 1, 0
  elseif #list == 1 then
    return list[1][1], list[1][2]
  end
  local e, s = {}, {}
  for i, v in ipairs(list) do
    e[i], s[i] = v[1], v[2]
  end
  return e, s
end

local function sorted(map, field, of)
  local list = {}
  for _, g in ipairs(map:modes()) do
    if of(g) then
      list[#list + 1] = g
    end
  end
  table.sort(list, function(a, b) return a[field] < b[field] end)
  return list
end

local function memory_text(l, map)
  local shape, stride, total = {}, {}, {}
  for d = 1, #l.shape do
    local list = {}
    total[d] = 1
    for i, g in ipairs(sorted(map, "weight", function(g) return g.dim == d - 1 end)) do
      list[i], total[d] = {g.extent, g.stride}, total[d] * g.extent
    end
    if total[d] ~= l.shape[d] then
      diag.fail("cute_shape", tostring(l), map:text())
    end
    shape[d], stride[d] = mode(list)
  end
  if #shape == 1 then
    shape, stride = shape[1], stride[1]
  end
  local x = map:info().xor
  return (x and ("Sw<%d,%d,%d> o 0 o "):format(x[1], x[2], x[3]) or "") .. write(shape) .. ":" ..
    write(stride)
end

-- "((4,8),(2,2)):((32,1),(16,8))": threads and values to m + M * n
local function tv_text(l, map)
  local step, scale = 1, {}
  for d, n in ipairs(l.shape) do
    scale[d - 1], step = step, step * n
  end
  local function part(axes)
    local list = {}
    for _, axis in ipairs(axes) do
      local at = 1
      for _, g in ipairs(sorted(map, "stride", function(g) return g.axis == axis end)) do
        if g.stride ~= at then
          diag.fail("cute_shape", tostring(l), map:text())
        end
        at = g.stride * g.extent
        list[#list + 1] = {g.extent, g.dim and g.weight * scale[g.dim] or 0}
      end
    end
    return mode(list)
  end
  local total = {}
  for _, g in ipairs(map:modes()) do
    if g.dim then
      total[g.dim] = (total[g.dim] or 1) * g.extent
    end
  end
  for d, n in ipairs(l.shape) do
    if (total[d - 1] or 1) ~= n then
      diag.fail("cute_shape", tostring(l), map:text())
    end
  end
  local te, ts = part {"lane", "warp"}
  local ve, vs = part {"reg"}
  return write {te, ve} .. ":" .. write {ts, vs}
end

-- The notation of a layout: of a Layout shape:stride, of a Fragment that of the map
-- (thread, value) -> m + M * n.
function M.text(l)
  if l.notation then
    return l.notation
  end
  local map = object.need(l, tostring(l))
  return l.thread and tv_text(l, map) or memory_text(l, map)
end

return M
