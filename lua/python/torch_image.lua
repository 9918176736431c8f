-- python/torch_image.lua: torch.nn.functional's unfold, fold, conv3d and interpolate: elements that are taken by index, so that
-- each has the derivative of index_select, index_add and a product.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local rows = require("moontile.tl.host.registry").rows
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {functions = {}}

local None, to_lua = core.None, foreign.to_lua

local function op(name, ...)
  return (rows[name].fn(...))
end

local function refuse(class, text, ...)
  exc.fail(class, text:format(...), "py_value")
end

local function given(v, default)
  if v == nil or v == None then
    return default
  end
  return to_lua(v)
end

-- One whole number for each of n dimensions.
local function each(name, what, v, n, default, least)
  v = given(v, default)
  local list = {}
  for i = 1, n do
    local e = type(v) == "table" and v[#v == 1 and 1 or i] or v
    if math.type(e) ~= "integer" or e < least or type(v) == "table" and #v ~= 1 and #v ~= n then
      refuse("RuntimeError", "%s: %s must be %d or more, one number or %d of them", name, what, least, n)
    end
    list[i] = e
  end
  return list
end

-- Windows --------------------------------------------------------------------------

-- Of windows k over padded sizes: how many there are along each dimension, and places in the flat image, an int64 tensor
-- of [elements of a window * windows], window after window for each element.
local function places(sizes, k, stride, dilation)
  local n, counts, list = #sizes, {}, {}
  for i = 1, n do
    counts[i] = (sizes[i] - dilation[i] * (k[i] - 1) - 1) // stride[i] + 1
  end
  local function windows(i, at, shift)
    if i > n then
      list[#list + 1] = at + shift
      return
    end
    for c = 0, counts[i] - 1 do
      windows(i + 1, at * sizes[i] + c * stride[i], shift)
    end
  end
  local function elements(i, shift)
    if i > n then
      return windows(1, 0, shift)
    end
    for e = 0, k[i] - 1 do
      elements(i + 1, shift * sizes[i] + e * dilation[i])
    end
  end
  if math.min(table.unpack(counts)) > 0 then
    elements(1, 0)
  end
  return counts, list
end

local function product(list)
  local n = 1
  for _, v in ipairs(list) do
    n = n * v
  end
  return n
end

-- x[N, C, sizes ..] with zeros around it; low and high: how many, of each dimension
local function padded(x, low, high)
  local amounts, any = {}, false
  for i = #low, 1, -1 do
    amounts[#amounts + 1], amounts[#amounts + 2] = low[i], high[i]
    any = any or low[i] > 0 or high[i] > 0
  end
  return any and op("pad", x, amounts) or x
end

-- x[N, C, sizes ..] -> [N, C, elements of a window, windows], and how many windows along each dimension
local function columns(name, x, k, stride, low, high, dilation)
  local p = padded(x, low, high)
  local sizes = table.move(p.shape, 3, p.ndim, 1, {})
  local counts, list = places(sizes, k, stride, dilation)
  if #list == 0 then
    refuse("RuntimeError", "%s: the kernel is larger than the padded input", name)
  end
  local flat = op("reshape", p, {p.shape[1], p.shape[2], product(sizes)})
  local taken = op("index_select", flat, 2, tensor.from_table(list, "int64"))
  return op("reshape", taken, {p.shape[1], p.shape[2], product(k), product(counts)}), counts
end

-- fn of x with a dimension of batches in front, which it loses again where x has none; n: dimensions without it
local function batched(name, x, n, fn)
  if x.ndim ~= n and x.ndim ~= n + 1 then
    refuse("RuntimeError", "%s: expected an input of %d or %d dimensions, but got %d", name, n, n + 1, x.ndim)
  elseif x.ndim == n then
    return op("squeeze", fn(op("unsqueeze", x, 0)), 0)
  end
  return fn(x)
end

M.functions["unfold(input, kernel_size, dilation?, padding?, stride?)"] = function(x, k, dilation, pad, stride)
  k, pad = each("unfold", "kernel_size", k, 2, 1, 1), each("unfold", "padding", pad, 2, 0, 0)
  return batched("unfold", x, 3, function(v)
    local c = columns("unfold", v, k, each("unfold", "stride", stride, 2, 1, 1), pad, pad, each("unfold", "dilation", dilation, 2, 1, 1))
    return op("reshape", c, {c.shape[1], c.shape[2] * c.shape[3], c.shape[4]})
  end)
end

-- Half precision is added up in float32.
local function wide(x, fn)
  if x.dtype == "float16" or x.dtype == "bfloat16" then
    return fn(x:astype "float32"):astype(x.dtype)
  end
  return fn(x)
end

M.functions["fold(input, output_size, kernel_size, dilation?, padding?, stride?)"] = function(x, size, k, dilation, pad, stride)
  size, k = each("fold", "output_size", size, 2, 1, 1), each("fold", "kernel_size", k, 2, 1, 1)
  pad = each("fold", "padding", pad, 2, 0, 0)
  local sizes = {size[1] + 2 * pad[1], size[2] + 2 * pad[2]}
  local counts, list = places(sizes, k, each("fold", "stride", stride, 2, 1, 1), each("fold", "dilation", dilation, 2, 1, 1))
  return batched("fold", x, 2, function(v)
    local n, rows_, windows = v.shape[1], v.shape[2], v.shape[3]
    if rows_ % product(k) ~= 0 then
      refuse("RuntimeError", "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got \z
        input.size(1)=%d and kernel_size=(%d, %d).", rows_, k[1], k[2])
    elseif #list ~= product(k) * windows then
      refuse("RuntimeError", "Given output_size=(%d, %d), kernel_size=(%d, %d), expected size of input's dimension 2 to match the \z
        calculated number of sliding blocks %d * %d = %d, but got input.size(2)=%d.", size[1], size[2], k[1], k[2], counts[1], counts[2],
        product(counts), windows)
    end
    local c = rows_ // product(k)
    return wide(v, function(w)
      local r = op("index_add", tensor.new({n, c, product(sizes)}, w.dtype):fill_(0), 2, tensor.from_table(list, "int64"),
        op("reshape", w, {n, c, #list}))
      r = op("reshape", r, {n, c, sizes[1], sizes[2]})
      return op("narrow", op("narrow", r, 2, pad[1], size[1]), 3, pad[2], size[2])
    end)
  end)
end

-- The product is taken in float64 and rounded once, as that of conv2d is.
M.functions["conv3d(input, weight, bias?, stride?, padding?, dilation?, groups?)"] = function(x, w, bias, stride, pad, dilation, groups)
  groups, bias = given(groups, 1), given(bias, nil)
  if w.ndim ~= 5 then
    refuse("RuntimeError", "conv3d: expected a weight of 5 dimensions, but got %d", w.ndim)
  elseif x.dtype ~= w.dtype or bias and bias.dtype ~= x.dtype or not types.isfloat(x.dtype) then
    refuse("RuntimeError", "conv3d: input (%s), weight (%s) and bias are to be of one float dtype", x.dtype, w.dtype)
  end
  local k, s, d = table.move(w.shape, 3, 5, 1, {}), each("conv3d", "stride", stride, 3, 1, 1), each("conv3d", "dilation", dilation, 3, 1, 1)
  local low, high = {}, {}
  local word = given(pad, 0)
  local amounts = type(word) ~= "string" and each("conv3d", "padding", pad, 3, 0, 0)
  if not amounts and word ~= "same" and word ~= "valid" then
    refuse("RuntimeError", "Invalid padding string: '%s'", word)
  elseif word == "same" and math.max(s[1], s[2], s[3]) > 1 then
    refuse("RuntimeError", "padding='same' is not supported for strided convolutions")
  end
  for i = 1, 3 do
    local all = word == "same" and d[i] * (k[i] - 1) or 0
    low[i] = amounts and amounts[i] or all // 2
    high[i] = amounts and amounts[i] or all - all // 2
  end
  return batched("conv3d", x, 4, function(v)
    local n, o, of = v.shape[1], w.shape[1], w.shape[2]
    if v.shape[2] ~= of * groups or o % groups ~= 0 then
      refuse("RuntimeError", "Given groups=%d, weight of size [%s], expected input[%s] to have %d channels, but got %d channels instead", groups,
        table.concat(w.shape, ", "), table.concat(v.shape, ", "), of * groups, v.shape[2])
    end
    local c, counts = columns("conv3d", v:astype "float64", k, s, low, high, d)
    local window = of * product(k)
    local y = op("matmul", op("reshape", w:astype "float64", {1, groups, o // groups, window}),
      op("reshape", c, {n, groups, window, product(counts)}))
    y = op("reshape", y, {n, o, counts[1], counts[2], counts[3]})
    if bias then
      y = op("add", y, op("reshape", bias:astype "float64", {1, o, 1, 1, 1}))
    end
    return y:astype(x.dtype)
  end)
end

-- interpolate ----------------------------------------------------------------------

local function float32(v)
  return (string.unpack("f", string.pack("f", v)))
end

-- The place that each of `to` elements is taken of, of n; scale: float32, as PyTorch's own.
local function nearest(n, to, factor, shift)
  local scale, list = float32(factor and 1 / factor or n / to), {}
  for i = 0, to - 1 do
    list[i + 1] = math.min(math.floor(float32((i + shift) * scale)), n - 1)
  end
  return list
end

-- The same for lines between elements: the two places, and how much of the second.
local function between(n, to, factor, corners)
  local first, second, part = {}, {}, {}
  local scale = corners and (to > 1 and (n - 1) / (to - 1) or 0) or factor and 1 / factor or n / to
  for i = 0, to - 1 do
    local at = corners and scale * i or math.max(scale * (i + 0.5) - 0.5, 0)
    local low = math.min(math.floor(at), n - 1)
    first[i + 1], second[i + 1] = low, math.min(low + 1, n - 1)
    part[i + 1] = math.min(math.max(at - low, 0), 1)
  end
  return first, second, part
end

local function take(x, d, list)
  return op("index_select", x, d, tensor.from_table(list, "int64"))
end

local function line(x, d, n, to, factor, corners)
  local first, second, part = between(n, to, factor, corners)
  local shape, rest = {}, {}
  for i = 1, x.ndim do
    shape[i] = i == d + 1 and to or 1
  end
  for i, p in ipairs(part) do
    rest[i] = 1 - p
  end
  local function weighted(places_, by)
    return op("mul", take(x, d, places_), op("reshape", tensor.from_table(by, x.dtype), shape))
  end
  return op("add", weighted(first, rest), weighted(second, part))
end

local lines = {linear = 1, bilinear = 2, trilinear = 3}
local modes = "nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact"

-- The sizes of the result, and the factors that PyTorch's kernels are told (or nil).
local function targets(x, size, factor, recompute)
  local dims, to = x.ndim - 2, {}
  if size == nil and factor == nil then
    refuse("ValueError", "either size or scale_factor should be defined")
  elseif size ~= nil and factor ~= nil then
    refuse("ValueError", "only one of size or scale_factor should be defined")
  end
  local v, told = size == nil and factor or size, {}
  if type(v) == "table" and #v ~= dims then
    refuse("ValueError", "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of [%s] and \z
      %s of [%s].", table.concat(x.shape, ", ", 3), size and "output size" or "scale_factor", table.concat(v, ", "))
  end
  for i = 1, dims do
    local e = type(v) == "table" and v[i] or v
    to[i] = size and e or math.floor(x.shape[i + 2] * e)
    told[i] = not size and recompute ~= true and e or nil
    if math.type(to[i]) ~= "integer" or to[i] < 1 then
      refuse("RuntimeError", "interpolate: output sizes are to be greater than 0")
    end
  end
  return to, told
end

M.functions["interpolate(input, size?, scale_factor?, mode?, align_corners?, recompute_scale_factor?, antialias?)"] = function(x, size, factor, mode,
    corners, recompute, antialias)
  mode, corners = given(mode, "nearest"), given(corners, nil)
  local dims = x.ndim - 2
  if antialias == true or mode == "bicubic" then
    refuse("NotImplementedError", "interpolate: %s is not available here", mode == "bicubic" and "mode='bicubic'" or "antialias=True")
  elseif not lines[mode] and mode ~= "nearest" and mode ~= "nearest-exact" and mode ~= "area" or dims < 1 or dims > 3 then
    refuse("NotImplementedError", "Input Error: Only 3D, 4D and 5D input Tensors supported (got %dD) for the modes: %s (got %s)", x.ndim, modes, mode)
  elseif not lines[mode] and corners ~= nil then
    refuse("ValueError", "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
  elseif lines[mode] and lines[mode] ~= dims then
    refuse("NotImplementedError", "Got %dD input, but %s mode needs %dD input", x.ndim, mode, lines[mode] + 2)
  elseif not types.isfloat(x.dtype) and not (x.dtype == "uint8" and not lines[mode] and mode ~= "area") then
    refuse("NotImplementedError", "\"upsample_%s\" not %s for '%s'", mode, "implemented", x.dtype)
  end
  local to, told = targets(x, given(size, nil), given(factor, nil), recompute)
  if mode == "area" then
    return require("moontile.python.torch_pool").functions[("adaptive_avg_pool%dd(input, output_size)"):format(dims)](x, core.list(to))
  end
  local function all(v)
    for i = 1, dims do
      local n = x.shape[i + 2]
      if lines[mode] then
        v = line(v, i + 1, n, to[i], told[i], corners == true)
      else
        v = take(v, i + 1, nearest(n, to[i], told[i], mode == "nearest" and 0 or 0.5))
      end
    end
    return v
  end
  return lines[mode] and wide(x, all) or all(x)
end

return M
