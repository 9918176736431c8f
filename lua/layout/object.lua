-- layout/object.lua: Layout and Fragment, the objects that users hold.
--
-- A Layout maps an index to coordinates in memory, a Fragment to a thread and a
-- register (and to further threads that hold copies).  Either is given by
-- functions of the indices, or by a layout of moontile.layout; the one is
-- made from the other where it is needed.  Everything counts from 0.
--
--   shape              sizes of the index
--   forward(i, ..)     coordinates, as several values or one list
--   thread(i, .., rep), index(i, ..), copies        of a Fragment
--   name               "user", "swizzle_128", ...
--   map                the layout, once it is known

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local digits = require "moontile.layout.digits"
local layouts = require "moontile.layout"
local ir = require "moontile.ir"
local W = require "moontile.base.translations"

local M = {}

local Layout = {__name = "layout"}
local methods = {}
Layout.__index = methods
M.methods = methods

function M.is(v)
  return getmetatable(v) == Layout
end

-- Results of a forward function as a list.
local function pack(...)
  local first = ...
  if select("#", ...) == 1 and type(first) == "table" and getmetatable(first) == nil then
    return first
  end
  return {...}
end
M.pack = pack

-- Calls f(index) for every index of the shape, row-major.
local function each(shape, f)
  local idx = {}
  local function go(d)
    if d > #shape then
      return f(idx)
    end
    for v = 0, shape[d] - 1 do
      idx[d] = v
      go(d + 1)
    end
  end
  go(1)
end
M.each = each

-- Making ---------------------------------------------------------------------

local Most = (1 << 31) - 1 -- elements, as of a buffer

-- Raises unless these are extents that a layout can have; they are argument `name` of `what`.
function M.extents(what, name, shape)
  local all = #shape > 0 and 1 or diag.fail("arg_value", what, name, W"positive integers", "{}")
  for _, n in ipairs(shape) do
    if math.type(n) ~= "integer" or n < 1 then
      diag.fail("arg_value", what, name, W"positive integers", tostring(n))
    end
    all = n <= Most // all and all * n
      or diag.fail("arg_value", what, name, W"at most 2147483647 elements", table.concat(shape, " x "))
  end
end

function M.layout(shape, forward, name)
  M.extents("T.Layout", "shape", shape)
  return setmetatable({shape = shape, forward = forward, name = name}, Layout)
end

function M.fragment(shape, thread, index, copies, name)
  local l = M.layout(shape, function(...) return thread(...), index(...) end, name)
  l.thread, l.index, l.copies = thread, index, copies or 1
  return l
end

-- The object of a layout.
function M.of(map, name)
  local info, shape = map:info(), map:shape()
  local l
  if info.memory then
    l = M.layout(shape, function(...) return {map:eval(...)} end, name)
  else
    local extra = {} -- threads of the copies, from that of the first
    for _, d in ipairs(map:modes()) do
      if not d.dim and d.axis ~= "reg" then
        extra[#extra + 1] = {d.extent, d.axis == "warp" and d.stride * info.lanes or d.stride}
      end
    end
    l = M.fragment(shape, function(...)
      local t, rep = map:eval(...), select(#shape + 1, ...) or 0
      for _, e in ipairs(extra) do
        t, rep = t + rep % e[1] * e[2], rep // e[1]
      end
      return t
    end, function(...) return (select(2, map:eval(...))) end, info.copies, name)
    l.warp = info.lanes
  end
  l.map = map
  return l
end

-- Maps of modes -----------------------------------------------------------------

local Few = 1 << 12 -- elements that are enumerated without asking for more

-- Whether the layout of many elements in memory is known from its function alone: its map and the extents
-- of its coordinates are set then.
local function by_digits(l)
  local n = 1
  for _, v in ipairs(l.shape) do
    n = n * v
  end
  if l.thread or l.tried or n <= Few then
    return false
  end
  l.tried = true
  local text, size = digits.fit(l.shape, l.forward)
  local map = text and layouts.parse(text)
  if map then
    l.map, l.output = map, size
  end
  return map ~= nil
end

-- Do copies begin within warps beyond the first?  They are no bits of a lane then.
local function across(l, warp)
  local first = {}
  for d = 1, #l.shape do
    first[d] = 0
  end
  local function copy(k)
    first[#l.shape + 1] = k
    return l.thread(table.unpack(first))
  end
  local at, by = copy(0), nil
  for k = 1, (l.copies or 1) - 1 do
    local s = l.copies % k == 0 and copy(k)
    if math.type(s) == "integer" and math.type(at) == "integer" then
      by = by or s - at
      if (k == 1 or s - at ~= k * by) and s - at > warp and (s - at) % warp ~= 0 then
        return true
      end
    end
  end
  return false
end

-- The layout of a layout for warps of so many lanes, or nil, why, element.
function M.map(l, warp)
  warp = warp or l.warp or 32
  if l.map and (not l.thread or l.warp == warp) then
    return l.map
  elseif l.map then
    return l.map:warps(warp), "lanes are not bits of an index", {}
  end
  if by_digits(l) then
    return l.map
  end
  local f
  local n = #l.shape -- fit gives the replica behind the indices
  if l.thread then
    if across(l, warp) then
      return nil, "lanes are not bits of an index", {}
    end
    f = function(...)
      return l.thread(...), l.index(table.unpack({...}, 1, n))
    end
  else
    local size = l:get_output_shape()
    f = function(...)
      local at = 0
      for d, v in ipairs(pack(l.forward(table.unpack({...}, 1, n)))) do
        at = at * size[d] + v
      end
      return at
    end
  end
  local map, why, at = layouts.fit(l.shape, f, not l.thread, l.copies or 1, warp)
  if map then
    l.map, l.warp = map, l.thread and warp or nil
    return map
  end
  return nil, why, at
end

-- The same, or an error that names `what`.
function M.need(l, what, warp)
  local map, why, at = M.map(l, warp)
  if not map then
    diag.fail("layout_fit", what, why, table.concat(at, ", "))
  end
  return map
end

-- Asking ---------------------------------------------------------------------

-- The arguments as a list of indices, of the right number and in range.
local function indices(l, ...)
  local idx = {...}
  if type(idx[1]) == "table" and getmetatable(idx[1]) == nil then
    idx = {table.unpack(idx[1])} -- callers add to it
  end
  if #idx ~= #l.shape then
    diag.fail("rank", tostring(l), #l.shape, #idx)
  end
  for d, v in ipairs(idx) do
    if not (math.type(v) and math.tointeger(v)) and not ir.kind(v) then -- or an expression, in a kernel
      diag.fail("arg_value", tostring(l), ("#%d"):format(d), W"an integer", describe(v))
    elseif math.type(v) and (v < 0 or v >= l.shape[d]) then
      diag.fail("layout_range", tostring(l), d - 1, v, l.shape[d] - 1)
    end
  end
  return idx
end

-- The coordinates in memory; of a Fragment thread and register.
function methods:map_forward_index(...)
  return pack(self.forward(table.unpack(indices(self, ...))))
end

function methods:map_forward_thread(...)
  if not self.thread then
    diag.fail("layout_method", "map_forward_thread", tostring(self), "T.Fragment")
  end
  local idx = indices(self, ...)
  idx[#idx + 1] = 0
  return (self.thread(table.unpack(idx)))
end

-- at(i, j) -> offset of a Layout; thread and register of a Fragment
function methods:at(...)
  local idx = indices(self, ...)
  if self.thread then
    local reg = self.index(table.unpack(idx))
    idx[#idx + 1] = 0
    return self.thread(table.unpack(idx)), reg
  end
  local out, size, at = pack(self.forward(table.unpack(idx))), self:get_output_shape(), 0
  for d, v in ipairs(out) do
    at = at * size[d] + v
  end
  return at
end

function Layout:__call(...)
  return self:at(...)
end

-- owner(i, j) -> the threads that hold an element of a Fragment, in a list;
-- owner(offset) of a Layout -> the element there, or nothing
function methods:owner(...)
  if not self.thread then
    return self:inverse():element(...)
  end
  local idx, list = indices(self, ...), {}
  for r = 0, self.copies - 1 do
    idx[#self.shape + 1] = r
    list[r + 1] = self.thread(table.unpack(idx))
  end
  table.sort(list)
  return list
end

function methods:get_input_shape()
  return {table.unpack(self.shape)}
end

function methods:get_output_shape()
  if not self.output then
    by_digits(self)
  end
  if not self.output then
    local max = {}
    if self.map and not self.thread then
      max[1] = self.map:info().span - 1
    else
      each(self.shape, function(idx)
        for d, v in ipairs(self:map_forward_index(idx)) do
          max[d] = math.max(max[d] or 0, v)
        end
      end)
    end
    for d, v in ipairs(max) do
      max[d] = v + 1
    end
    self.output = max
  end
  return {table.unpack(self.output)}
end

function methods:get_thread_size()
  if self.map and not self.nthreads then
    self.nthreads = self.map:info().threads
  elseif not self.nthreads then
    local n, dims = 0, #self.shape
    each(self.shape, function(idx)
      for r = 0, self.copies - 1 do
        idx[dims + 1] = r
        n = math.max(n, self.thread(table.unpack(idx)) + 1)
      end
    end)
    self.nthreads = n
  end
  return self.nthreads
end

-- Registers of a thread.
function methods:get_register_size()
  if self.map and not self.nregisters then
    self.nregisters = self.map:info().registers
  elseif not self.nregisters then
    local n, dims = 0, #self.shape
    each(self.shape, function(idx)
      n = math.max(n, self.index(table.unpack(idx, 1, dims)) + 1)
    end)
    self.nregisters = n
  end
  return self.nregisters
end

function methods:is_equal(other)
  if not M.is(other) or #other.shape ~= #self.shape or (other.copies ~= self.copies) then
    return false
  end
  for d, v in ipairs(self.shape) do
    if other.shape[d] ~= v then
      return false
    end
  end
  local same = true
  each(self.shape, function(idx)
    local a, b = table.pack(self:at(idx)), table.pack(other:at(idx))
    same = same and a[1] == b[1] and a[2] == b[2]
  end)
  return same
end

function Layout:__tostring()
  return ("%s({%s}%s)"):format(self.thread and "T.Fragment" or "T.Layout",
    table.concat(self.shape, ", "),
    self.name and ", " .. self.name or "")
end

-- The layout as text, what the IR keeps.
function methods:text(warp)
  return M.need(self, tostring(self), warp):text()
end

-- The exponent of a power of two; nil for other numbers.
function M.log2(v)
  local n = 0
  while v > 1 and v % 2 == 0 do
    v, n = v // 2, n + 1
  end
  return v == 1 and n or nil
end

return M
