-- layout/algebra.lua: layouts from layouts: TileLang's methods, inverse,
-- composition, and the rows that explain a layout.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local layouts = require "moontile.layout"
local object = require "moontile.layout.object"
local W = require "moontile.base.translations"

local methods, pack, each, log2 = object.methods, object.pack, object.each, object.log2

local function copy(t)
  return {table.unpack(t)}
end

-- Methods that only one kind has.
local function need(self, fragment, what)
  if (self.thread ~= nil) ~= fragment then
    diag.fail("layout_method", what, tostring(self), fragment and "T.Fragment" or "T.Layout")
  end
end

local function positive(what, name, v)
  if math.type(v) ~= "integer" or v < 1 then
    diag.fail("arg_value", what, name, W"a positive integer", tostring(v))
  end
  return v
end

-- Repeat, expand, reshape ------------------------------------------------------

-- Layout: the block again along dimension dim, in an outer coordinate.
local function repeat_layout(self, dim, factor)
  if math.type(dim) ~= "integer" or dim < 0 or dim >= #self.shape then
    diag.fail("arg_value", "Layout:repeat_", "dim", W"a dimension of the layout", tostring(dim))
  end
  local shape, extent = copy(self.shape), self.shape[dim + 1]
  shape[dim + 1] = extent * positive("Layout:repeat_", "factor", factor)
  return object.layout(shape, function(...)
    local idx = {...}
    local block = idx[dim + 1] // extent
    idx[dim + 1] = idx[dim + 1] % extent
    return {block, table.unpack(pack(self.forward(table.unpack(idx))))}
  end, "user")
end

-- Fragment: the block again along each dimension, over threads or registers; q
-- numbers the blocks, the last dimension first unless lower_dim_first is false.
local function repeat_fragment(self, repeats, on_thread, lower_dim_first)
  local shape, n = {}, #self.shape
  if type(repeats) ~= "table" or #repeats ~= n then
    diag.fail("arg_value", "Fragment:repeat_", "repeats", W"one number for each dimension",
      describe(repeats))
  end
  for d = 1, n do
    shape[d] = self.shape[d] * positive("Fragment:repeat_", "repeats", repeats[d])
  end
  local function split(...)
    local idx, q = {...}, 0
    local first, last, step = 1, n, 1
    if lower_dim_first == false then
      first, last, step = n, 1, -1
    end
    for d = first, last, step do
      q = q * repeats[d] + idx[d] // self.shape[d]
      idx[d] = idx[d] % self.shape[d]
    end
    return q, idx
  end
  local threads, regs = self:get_thread_size(), self:get_register_size()
  return object.fragment(shape, function(...)
    local q, idx = split(...)
    return self.thread(table.unpack(idx, 1, n + 1)) + (on_thread and threads * q or 0)
  end, function(...)
    local q, idx = split(...)
    return self.index(table.unpack(idx, 1, n)) + (on_thread and 0 or regs * q)
  end, self.copies, "user")
end

-- Layout:repeat_(dim, factor); Fragment:repeat_(repeats [, on_thread [,
-- lower_dim_first]]), also by name in a last table.  `repeat` is a word of Lua.
function methods:repeat_(a, b, c)
  if not self.thread then
    return repeat_layout(self, a, b)
  end
  if type(b) == "table" then
    b, c = b.repeat_on_thread, b.lower_dim_first
  end
  return repeat_fragment(self, a, b, c)
end
methods["repeat"] = methods.repeat_

-- Leading dimensions that pass through.
function methods:expand(leading)
  local shape, n = {}, #leading
  for d = 1, n do
    shape[d] = positive("Layout:expand", "leading_shape", leading[d])
  end
  for _, v in ipairs(self.shape) do
    shape[#shape + 1] = v
  end
  need(self, false, "expand")
  return object.layout(shape, function(...)
    local idx = {...}
    local out = pack(self.forward(table.unpack(idx, n + 1)))
    return {table.unpack(table.move(out, 1, #out, n + 1, {table.unpack(idx, 1, n)}))}
  end, "user")
end

local function count(shape)
  local n = 1
  for _, v in ipairs(shape) do
    n = n * v
  end
  return n
end

-- The same elements, in row-major order, under another shape.
function methods:reshape(shape)
  if count(shape) ~= count(self.shape) then
    diag.fail("arg_value", "Layout:reshape", "shape", W"as many elements as before",
      "{" .. table.concat(shape, ", ") .. "}")
  end
  local old, n = self.shape, #shape
  local function back(...)
    local idx, flat = {...}, 0
    for d = 1, n do
      flat = flat * shape[d] + idx[d]
    end
    local rep = idx[n + 1]
    for d = #old, 1, -1 do
      idx[d], flat = flat % old[d], flat // old[d]
    end
    idx[#old + 1] = rep
    return table.unpack(idx, 1, #old + 1)
  end
  if self.thread then
    return object.fragment(copy(shape), function(...) return self.thread(back(...)) end,
      function(...) return self.index(back(...)) end, self.copies, "user")
  end
  return object.layout(copy(shape), function(...) return self.forward(back(...)) end, "user")
end

-- Copies -----------------------------------------------------------------------

-- n times as many threads, each group with all of it.
function methods:replicate(n)
  need(self, true, "replicate")
  positive("Fragment:replicate", "replicate", n)
  local threads, old, dims = self:get_thread_size(), self.copies, #self.shape
  return object.fragment(copy(self.shape), function(...)
    local idx = {...}
    local rep = idx[dims + 1] or 0
    idx[dims + 1] = rep % old
    return self.thread(table.unpack(idx, 1, dims + 1)) + threads * (rep // old)
  end, self.index, old * n, "user")
end

-- Without the copies that stand in one thread.
function methods:condense_rep_var()
  need(self, true, "condense_rep_var")
  local zero, used, seen, dims = {}, {}, {}, #self.shape
  for d = 1, dims do
    zero[d] = 0
  end
  for r = 0, self.copies - 1 do
    zero[dims + 1] = r
    local t = self.thread(table.unpack(zero))
    if not seen[t] then
      seen[t], used[#used + 1] = true, r
    end
  end
  return object.fragment(copy(self.shape), function(...)
    local idx = {...}
    idx[dims + 1] = used[(idx[dims + 1] or 0) + 1]
    return self.thread(table.unpack(idx, 1, dims + 1))
  end, self.index, #used, self.name)
end

-- Inverse, composition -----------------------------------------------------------

local function element(self, ...)
  return table.unpack(self.forward(...))
end

local function key_of(place)
  for i = 1, place.n do
    place[i] = tostring(place[i])
  end
  return table.concat(place, ",")
end

-- From coordinates (of a Fragment: thread, register) to the element there; nothing
-- where there is none.
function methods:inverse()
  if self.inverted then
    return self.inverted
  end
  local at, dims = {}, #self.shape
  local size = self:get_output_shape()
  if self.thread then
    size = {self:get_thread_size(), self:get_register_size()}
  end
  each(self.shape, function(idx)
    local own = copy(idx)
    for r = 0, (self.copies or 1) - 1 do
      local key
      if self.thread then
        own[dims + 1] = r
        key = self.thread(table.unpack(own)) .. "," .. self.index(table.unpack(idx))
      else
        key = table.concat(pack(self.forward(table.unpack(idx))), ",")
      end
      at[key] = copy(idx)
    end
  end)
  local inv = object.layout(size, function(...) return at[key_of(table.pack(...))] or {} end, "inverse")
  inv.at, inv.element = element, element
  self.inverted = inv
  return inv
end

-- self after other: index -> other(index) -> self of that.
function methods:compose(other)
  if not object.is(other) or other.thread then
    diag.fail("layout_kind", "compose", W"a T.Layout", tostring(other))
  end
  local zero = {}
  for d = 1, #other.shape do
    zero[d] = 0
  end
  local rank = #pack(other.forward(table.unpack(zero)))
  local flat = rank == 1 and #self.shape > 1 -- one offset: row-major over self's shape
  if rank ~= #self.shape and not flat then
    diag.fail("rank", tostring(self), #self.shape, rank)
  end
  local inner = flat and self:reshape {count(self.shape)} or self
  local dims = #other.shape
  local function through(...)
    local idx = pack(other.forward(table.unpack({...}, 1, dims)))
    idx = copy(idx)
    idx[#inner.shape + 1] = (select(dims + 1, ...))
    return table.unpack(idx)
  end
  if self.thread then
    return object.fragment(copy(other.shape), function(...) return inner.thread(through(...)) end,
      function(...) return inner.index(through(...)) end, self.copies, "user")
  end
  return object.layout(copy(other.shape), function(...) return inner.forward(through(...)) end,
    "user")
end

-- Explaining ---------------------------------------------------------------------

local List = {__tostring = function(t) return table.concat(t, "\n") end}

local axes = {lane = "lane", warp = "warp", reg = "register", off = "offset"}

-- "row bits 0..2", "register mode 3*4": bits where everything is one
local function part(name, extent, stride)
  local e, s = log2(extent), log2(stride)
  if not (e and s) then
    return W"%s mode of %d, weight %d":format(W(name), extent, stride)
  elseif e == 1 then
    return W"%s bit %d":format(W(name), s)
  end
  return W"%s bits %d..%d":format(W(name), s, s + e - 1)
end

local function dim_name(l, dim)
  if #l.shape == 2 then
    return dim == 0 and "row" or "column"
  end
  return ("i%d"):format(dim)
end

-- modes() -> one readable row a mode, in the order of lanes, warps,
-- registers, offsets; tostring() joins them
function methods:modes()
  local map = object.need(self, tostring(self))
  local order, rows = {lane = 1, warp = 2, reg = 3, off = 4}, setmetatable({}, List)
  local list = map:modes()
  table.sort(list, function(a, b)
    if a.axis ~= b.axis then
      return order[a.axis] < order[b.axis]
    end
    return a.stride < b.stride
  end)
  for _, d in ipairs(list) do
    local place = part(axes[d.axis], d.extent, d.stride)
    rows[#rows + 1] = place .. " = " ..
      (d.dim and part(dim_name(self, d.dim), d.extent, d.weight) or W"copies")
  end
  local x = map:info().xor
  if x then
    rows[#rows + 1] = part("offset", 1 << x[1], 1 << x[2]) .. " ^= " ..
      part("offset", 1 << x[1], 1 << (x[2] + x[3]))
  end
  return rows
end

local function vars(self)
  local names, all = {}, {"i", "j", "k", "l", "m", "n", "p", "q"}
  for d = 1, #self.shape do
    names[d] = all[d]
  end
  return names
end

function methods:get_forward_vars()
  return vars(self)
end

-- Sum of the modes on the axes of `scale` (axis -> factor) as an expression.
local function expression(self, map, scale)
  local terms, name, extent = {}, vars(self), {}
  for _, d in ipairs(map:modes()) do
    if d.dim then
      extent[d.dim] = d.weight * d.extent
    end
  end
  for _, d in ipairs(map:modes()) do
    if d.dim and scale[d.axis] then
      local t, s = name[d.dim + 1], d.stride * scale[d.axis]
      if d.weight > 1 then
        t = ("%s // %d"):format(t, d.weight)
      end
      if d.weight * d.extent < extent[d.dim] then
        t = ("%s %% %d"):format(t, d.extent)
      end
      if s > 1 then
        t = (t:find " " and "(%s) * %d" or "%s * %d"):format(t, s)
      end
      terms[#terms + 1] = t
    end
  end
  return #terms > 0 and table.concat(terms, " + ") or "0"
end

-- Texts of the coordinates: {offset} of a Layout, {thread, register} of a Fragment.
function methods:get_forward_index()
  local map = object.need(self, tostring(self))
  local info = map:info()
  if self.thread then
    return {expression(self, map, {lane = 1, warp = info.lanes}), expression(self, map, {reg = 1})}
  end
  local off, x = expression(self, map, {off = 1}), info.xor
  if x then
    off = ("xor(%s, bits %d..%d by %d..%d)"):format(off, x[2], x[2] + x[1] - 1,
      x[2] + x[3], x[2] + x[3] + x[1] - 1)
  end
  return {off}
end

function methods:get_linearized_forward_index()
  need(self, false, "get_linearized_forward_index")
  return self:get_forward_index()[1]
end

-- What a reduction over dimension dim leaves: the same threads hold copies.
function methods:reduce(dim)
  need(self, true, "reduce")
  if math.type(dim) ~= "integer" or dim < 0 or dim >= #self.shape or #self.shape < 2 then
    diag.fail("arg_value", "Fragment:reduce", "dim", W"a dimension of the layout", tostring(dim))
  end
  return object.of(object.need(self, tostring(self)):project(dim), "user")
end

-- How elements get from this Fragment's threads to the other's: "same",
-- "registers", "shuffles" or "shared".
function methods:convert(other)
  need(self, true, "convert")
  need(other, true, "convert")
  return object.need(self, tostring(self)):convert(object.need(other, tostring(other), self.warp))
end

-- CuTe's notation, "(8,(4,2)):(4,(1,32))"; of a Fragment that of the map from (thread,
-- value) to m + M * n of the tile.
function methods:cute()
  return require("moontile.layout.cute").text(self)
end

-- Conflicts ------------------------------------------------------------------------

-- Named accesses: the element that a lane starts at.
local patterns = {
  -- consecutive vectors along the rows
  rows = function(l, shape, vec)
    local at = l * vec
    return at // shape[#shape], at % shape[#shape]
  end,
  -- a lane a row, all at the same column
  columns = function(l) return l, 0 end,
  -- the rows of four 8x8 matrices, as ldmatrix.x4 takes them
  ldmatrix = function(l, _, vec) return l % 16, l // 16 * vec end,
}

-- What methods take, for base/accept.lua.
local takes = {
  expand = {"leading_shape:shape"},
  reshape = {"shape:shape"},
  convert = {"other:layout"},
  compose = {"other:layout"},
  text = {"warp:lanes?"},
  conflicts = {"opts:options?", bits = "bits", vector = "positive", lanes = "lanes", access = "access"},
}

local check_access = accept.checker("layout:conflicts", takes.conflicts)

local Cost = {__tostring = function(c)
  return W"%d-way, %d wavefronts of %d needed":format(c.ways, c.waves, c.ideal)
end}

-- conflicts{bits = 16, vector = 8, lanes = 32, access = "columns" or a function
-- of the lane that gives an index} -> {ways =, waves =, ideal =, bank =}: what one
-- access of a warp costs.  access may be a Fragment: its registers are stored
-- `vector` at a time, and the worst one counts.
function methods:conflicts(o)
  return (object.access(self, o or {}))
end

-- The same, and the byte address of each lane (-1: it does nothing) and the bytes
-- that a lane moves.
function object.access(self, o)
  check_access(o)
  need(self, false, "conflicts")
  local map = object.need(self, tostring(self))
  local bits, lanes = o.bits or self.bits or 16, o.lanes or 32
  local vec = o.vector or (bits >= 128 and 1 or 128 // bits)
  if vec * bits > 128 then
    diag.fail("arg_value", "layout:conflicts", "vector", W"at most 16 bytes of an access", tostring(vec))
  end
  local access = o.access or "rows"
  if type(access) == "string" and not patterns[access] then
    diag.fail("arg_value", "conflicts", "access", "rows, columns, ldmatrix", access)
  end
  local function cost(index)
    local addr = {}
    for l = 0, lanes - 1 do
      local idx = pack(index(l))
      local inside = idx[1] ~= nil
      for d, v in ipairs(idx) do
        if math.type(v) ~= "integer" then
          diag.fail("arg_value", "layout:conflicts", "access", W"integers", tostring(v))
        end
        inside = inside and v >= 0 and v < self.shape[d]
      end
      addr[l + 1] = inside and map:eval(table.unpack(idx)) * bits // 8 or -1
    end
    local c, bytes = {}, math.max(vec * bits // 8, 1)
    c.waves, c.ideal, c.ways, c.bank = layouts.banks(addr, bytes)
    return setmetatable(c, Cost), addr, bytes
  end
  if not object.is(access) then
    local f = patterns[access] or access
    return cost(function(l) return f(l, self.shape, vec) end)
  end
  local frag, worst, at, bytes = object.need(access, tostring(access), lanes), nil, nil, nil
  for reg = 0, frag:info().registers - 1, vec do
    local c, addr, width = cost(function(l) return {frag:invert(l, reg)} end)
    if not worst or c.waves > worst.waves then
      worst, at, bytes = c, addr, width
    end
  end
  return worst, at, bytes
end

accept.methods(methods, {what = "layout:", self = {object.is, "a layout"}}, takes)

return object
