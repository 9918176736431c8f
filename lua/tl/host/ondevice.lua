-- tl/host/ondevice.lua: operators of large tensors as kernels, where the device has memory of its own.
--
-- A host's operator would bring its inputs from the device and compute in float64 on a few processors; a reference
-- of attention then takes minutes beside a kernel of a millisecond.  Here the same operator is a kernel (kernels.lua),
-- compiled once for its dtypes and number of dimensions: sizes, strides and numbers are arguments.  Floats are
-- computed in float32, as PyTorch computes them on a device, float64 in float64; integers in int64.
--
-- Each function has the arguments of its namesake in moontile.host and gives nil where that one is to do it: for small
-- tensors, operators and dtypes that kernels do not have, and targets that share the host's memory.

local device = require "moontile.tl.device"
local dry = require "moontile.tl.dry"
local host = require "moontile.host"
local ir = require "moontile.ir"
local kernels = require "moontile.tl.host.kernels"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

-- Elements, and multiplications of a product, from which a kernel pays: compiling one takes a tenth of a second, in which
-- the host does that much several times.  By size alone, so that the same operator gives the same bits each time.
local Least, LeastProduct = 1 << 21, 1 << 31
-- One launch has fewer elements of a tensor: sizes of kernels stay so far below 2^31 (core/ir/sizes.c).
local Most <const> = (1 << 31) - (1 << 20)
local most = Most

local forced -- a target for all sizes: for tests

-- All operators run as kernels on `target`, whatever their size, of fewer than n elements; nil: as usual.
function M.force(target, n)
  forced = target and device.resolve(target) or nil
  most = target and n or Most
end

local apart = {} -- resolved target -> has it a card with memory of its own here?

local function is_apart(spec)
  if apart[spec] == nil then
    local kind = spec:match "^%S+"
    apart[spec] = ir.hasthreads(spec) and kind ~= "sim" and kind ~= "remote" and ir.present(spec)
  end
  return apart[spec]
end

-- The target that an operator of so much work runs on, or nil: the host.
local function target_for(work, least)
  if forced then
    return forced
  elseif work < (least or Least) or device.emit or device.launched or dry.hidden then
    return nil
  end
  local spec = device.resolve()
  return is_apart(spec) and spec or nil
end

-- Views ------------------------------------------------------------------------

-- Elements from the first of t to its last in memory; t has some.
local function extent(t)
  local n, strides = 1, t.strides
  for d, size in ipairs(t.shape) do
    n = n + (size - 1) * strides[d]
  end
  return n
end

-- Those as one dimension.
local function flat(t)
  local _, offset = host.place(t)
  return (host.strided(t, {extent(t)}, {1}, offset))
end

-- The strides of t as one of that shape: 0 where it is repeated.
local function strides_in(t, shape)
  local own, have, lead = t.strides, t.shape, #shape - t.ndim
  local s = {}
  for d = 1, #shape do
    local n = have[d - lead]
    s[d] = n and n == shape[d] and own[d - lead] or 0
  end
  return s
end

-- Dimensions that lie behind each other in all operands become one; those of size 1 none.  -> sizes, lists of strides
local function collapse(shape, lists)
  local sizes, out = {}, {}
  for i = 1, #lists do out[i] = {} end
  for d, n in ipairs(shape) do
    local r, joins = #sizes, #sizes > 0
    for i, s in ipairs(lists) do
      joins = joins and out[i][r] == s[d] * n
    end
    if n ~= 1 then
      r = joins and r or r + 1
      sizes[r] = joins and sizes[r] * n or n
      for i, s in ipairs(lists) do out[i][r] = s[d] end
    end
  end
  if #sizes == 0 then
    sizes[1] = 1
    for i = 1, #lists do out[i][1] = 0 end
  end
  return sizes, out
end

local function known(dtype) return kernels.dtypes[dtype] end

-- Each in a launch of its own: parts of out along its first dimension of more than one element, where out or an input
-- has too many.  f(part of out, the same parts of inputs)
local function in_parts(out, inputs, f)
  local size = extent(out)
  for _, t in ipairs(inputs) do
    size = math.max(size, extent(t))
  end
  if size < most then
    f(out, inputs)
    return
  end
  local d = 1
  while out.shape[d] == 1 do d = d + 1 end
  local half = out.shape[d] // 2
  for _, p in ipairs {{0, half}, {half, out.shape[d] - half}} do
    local list = {}
    for i, t in ipairs(inputs) do
      local own = d - (out.ndim - t.ndim)
      list[i] = own > 0 and t.shape[own] > 1 and t:narrow(own - 1, p[1], p[2]) or t
    end
    in_parts(out:narrow(d - 1, p[1], p[2]), list, f)
  end
end

-- Operators -----------------------------------------------------------------------

-- What an operator computes in; nil: no kernel does, or whole numbers would go through a float that does not hold them.
local function computes_in(out, inputs)
  local whole, wide, large = not types.isfloat(out.dtype), out.dtype == "float64", false
  local ints = whole
  for _, t in ipairs(inputs) do
    if not known(t.dtype) then return nil end
    local float = types.isfloat(t.dtype)
    ints = ints and not float
    wide = wide or t.ndim > 0 and t.dtype == "float64"
    large = large or not float and types.info(t.dtype).bits >= 32
  end
  if not known(out.dtype) or whole and large and not ints then return nil end
  return ints and "int64" or wide and "float64" or "float32"
end

function M.elem(out, name, p, q, r, ...)
  local inputs = {...}
  local target = target_for(out:numel())
  local as = target and out:numel() > 0 and not out.dtype:find "float8" and computes_in(out, inputs)
  if not as or not kernels.has(name, as) then return nil end
  in_parts(out, inputs, function(part, list)
    local shape, lists, dtypes = part.shape, {part.strides}, {}
    for i, t in ipairs(list) do
      lists[i + 1], dtypes[i] = strides_in(t, shape), t.dtype
    end
    local sizes, strides = collapse(shape, lists)
    local spread = not part:is_contiguous()
    local args = {flat(part)}
    for i, t in ipairs(list) do args[i + 1] = flat(t) end
    args[#args + 1] = part:numel()
    for d = 2, #sizes do args[#args + 1] = sizes[d] end
    for i = spread and 0 or 1, #list do table.move(strides[i + 1], 1, #sizes, #args + 1, args) end
    args[#args + 1], args[#args + 2], args[#args + 3] = p or 1.0, q or 0.0, r or 0.0
    kernels.elem(target, name, as, out.dtype, dtypes, #sizes, spread)(table.unpack(args))
  end)
  return out
end

local function sublist(t, first, last) return table.move(t, first, last, 1, {}) end

-- Parts that a row of n elements is folded in, so that there are enough blocks.
local function part_count(rows, n)
  return rows < 1024 and n > 1 << 14 and math.min(1024, (n + 4095) // 4096) or 1
end

-- One launch: x [rows .., gone ..] in parts to out [rows, parts].  beside: another tensor like out that it reads.
local function fold_once(target, name, as, out, x, reduced, n, whole, last, beside)
  local shape, strides, keep = x.shape, x.strides, x.ndim - reduced
  local rows, a = collapse(sublist(shape, 1, keep), {sublist(strides, 1, keep)})
  local gone, b = collapse(sublist(shape, keep + 1, x.ndim), {sublist(strides, keep + 1, x.ndim)})
  local chunk = (n + out.shape[2] - 1) // out.shape[2]
  local args = {out, flat(x), chunk, n, whole}
  for _, part in ipairs {{rows, a[1]}, {gone, b[1]}} do
    table.move(part[1], 2, #part[1], #args + 1, args)
    table.move(part[2], 1, #part[1], #args + 1, args)
  end
  args[#args + 1] = beside
  kernels.fold(target, name, as, out.dtype, x.dtype, #rows, #gone, last, beside and beside.dtype)(table.unpack(args))
end

-- The first dimension of more than one element among the first n of t's, counted from 0; nil: even without them t
-- would be too large.
local function divisible(t, n)
  local first, rest = nil, t
  for d = 1, n do
    if t.shape[d] > 1 then
      first, rest = first or d - 1, rest:narrow(d - 1, 0, 1)
    end
  end
  return extent(rest) < most and first
end

-- f of halves of tensors along dimension d of each, which are large still.
local function in_halves(f, d, ...)
  local n = (...).shape[d + 1]
  for _, p in ipairs {{0, n // 2}, {n // 2, n - n // 2}} do
    local list = {}
    for i, t in ipairs {...} do
      list[i] = t:narrow(d, p[1], p[2])
    end
    f(table.unpack(list))
  end
end

-- What becomes the place of which extreme.
local extreme = {max = "max", min = "min", argmax = "max", argmin = "min"}

-- index = where values, the extremes of rows, stand first in x.
local function places(target, as, index, values, x, reduced, n)
  fold_once(target, "place", as, index:reshape {index:numel(), 1}, x, reduced, n, n, true,
    values:reshape {values:numel(), 1})
end

function M.fold(out, index, name, x, reduced)
  local only = name:find "^arg" and out -- places, no values
  name = only and extreme[name] or name
  index = index or only or nil
  local total, rows = x:numel(), out:numel()
  local target = kernels.folds(name) and total > 0 and rows < most and target_for(total)
  if index and not extreme[name] then return nil end
  local values = target and only and tensor.new(out.shape, x.dtype) or out
  local as = target and computes_in(values, {x})
  if not as then return nil end
  local n = total // rows
  if name == "count" and as == "float32" and n > 1 << 24 then return nil end -- which it could not hold
  if extent(x) >= most then
    local d = divisible(x, x.ndim - reduced)
    if not d then return nil end
    in_halves(function(o, t, i) assert(M.fold(o, i, only and "arg" .. name or name, t, reduced)) end, d, out, x,
      index ~= only and index or nil)
    return out
  end
  local parts = part_count(rows, n)
  local result = values:reshape {rows, 1}
  if parts == 1 then
    fold_once(target, name, as, result, x, reduced, n, n, true)
  else
    local some = tensor.new({rows, parts}, as)
    fold_once(target, name, as, some, x, reduced, n, n, false)
    fold_once(target, kernels.parts(name), as, result, some, 1, parts, n, true)
  end
  if index then
    places(target, as, index, values, x, reduced, n)
  end
  return out
end

function M.softmax(out, x, dim, logarithm)
  local target = target_for(x:numel())
  local as = target and x:numel() > 0 and computes_in(out, {x})
  if not as or as == "int64" then return nil end
  if extent(x) >= most or out:numel() >= most then
    local d = divisible(out, dim) and divisible(x, dim) -- in front of it
    if not d then return nil end
    in_halves(function(o, t) assert(M.softmax(o, t, dim, logarithm)) end, d, out, x)
    return out
  end
  local shape, lists = x.shape, {x.strides, out.strides}
  local n, step, ostep = table.remove(shape, dim + 1), table.remove(lists[1], dim + 1), table.remove(lists[2], dim + 1)
  local sizes, strides = collapse(shape, lists)
  local args = {flat(out), flat(x), x:numel() // n, n, step, ostep}
  for _, s in ipairs(strides) do
    table.move(sizes, 2, #sizes, #args + 1, args)
    table.move(s, 1, #sizes, #args + 1, args)
  end
  kernels.softmax(target, logarithm, as, out.dtype, x.dtype, #sizes)(table.unpack(args))
  return out
end

-- What a product of matrices has as operands: halves as they are, 8 bits as halves, which hold them.
local operand = {float32 = "float32", float16 = "float16", bfloat16 = "bfloat16", float8_e4m3fn = "float16",
  float8_e5m2 = "float16"}

-- t [b, r, c] as a kernel takes it: a tensor [b or 1, r, c] without gaps, or [.., c, r]: whether it is that, and
-- whether it is one for all b.
local function matrices(t, dtype)
  local b, r, c = table.unpack(t.shape)
  local bs, rs, cs = table.unpack(t.strides)
  local _, offset = host.place(t)
  local one = b == 1 or bs == 0
  local whole = t.dtype == dtype and offset * types.info(dtype).bits % 128 == 0 and (one or bs == r * c)
  local size = {one and 1 or b, r, c}
  if whole and (cs == 1 or c == 1) and (rs == c or r == 1) then
    return host.strided(t, size, {r * c, c, 1}, offset), false, one
  elseif whole and (rs == 1 or r == 1) and (cs == r or c == 1) then
    return host.strided(t, {size[1], c, r}, {r * c, r, 1}, offset), true, one
  end
  local copy = tensor.new(size, dtype)
  return M.clone(copy, one and t:narrow(0, 0, 1) or t) and copy, false, one
end

function M.product(out, a, b)
  local n, m, k, w = a.shape[1], a.shape[2], a.shape[3], b.shape[3]
  local target = n > 0 and m > 0 and k > 0 and w > 0 and n <= 65535 and target_for(n * m * w * k, LeastProduct)
  local dtype = operand[a.dtype] == operand[b.dtype] and operand[a.dtype] or "float32"
  if not target or not operand[a.dtype] or not operand[b.dtype] or not operand[out.dtype] or out.dtype:find "float8" then
    return nil
  end
  if math.max(n * m * w, n * m * k, n * k * w) >= most then
    if n == 1 then return nil end
    in_halves(function(o, x, y) return M.product(o, x, y) or host.product(o, x, y) end, 0, out, a, b)
    return out
  end
  local x, xt, xs = matrices(a, dtype)
  local y, yt, ys = matrices(b, dtype)
  if not x or not y then return nil end
  kernels.product(target, {m = m, n = w, k = k, xt = xt, yt = yt, xs = xs, ys = ys, dtype = dtype, out = out.dtype})(
    out, x, y)
  return out
end

-- Copies x to out, of its shape (or one that x is repeated to) and any dtype; they do not overlap.
function M.clone(out, x)
  for _, s in ipairs(x.strides) do
    if s < 0 then return nil end
  end
  for d, s in ipairs(out.strides) do
    if s < 0 or s == 0 and out.shape[d] > 1 then return nil end
  end
  return M.elem(out, "copy", nil, nil, nil, x)
end

tensor.cloner(M.clone)

return M
