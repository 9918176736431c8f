-- python/torch_pool.lua: torch.nn.functional's pooling: one dimension after the other, by operators that autograd follows.
--
--     max_pool1d(x, 3, 2): the greater of x[.., 0::2], x[.., 1::2], x[.., 2::2]

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local rows = require("moontile.tl.host.registry").rows
local tensor = require "moontile.tensor"

local M = {}

local None = core.None

local function op(name, ...)
  return (rows[name].fn(...))
end

-- One number for each of n dimensions; nil where there is None.
local function each(v, n, default)
  if v == nil or v == None or type(v) == "table" and v.n == 0 then
    v = default
  end
  local list = {}
  for i = 1, n do
    local e = v
    if type(v) == "table" then
      e = v[(v.n or #v) == 1 and 1 or i]
    end
    list[i] = e ~= None and foreign.to_lua(e) or nil
  end
  return list
end

-- The first of equal ones, and what is no number, as PyTorch's loops find them.
local function greater(best, v)
  return op("where", op("logical_or", op("gt", v, best), op("ne", v, v)), v, best)
end

-- Windows of one dimension of n: how many, where the first begins, how many places behind the end they reach.
local function windows(name, n, k, stride, pad, dilation, ceil)
  if pad * 2 > k then
    exc.fail("RuntimeError", ("%s: pad should be at most half of effective kernel size, but got pad=%d, kernel_size=%d and dilation=%d")
      :format(name, pad, k, dilation), "py_value")
  end
  local span = dilation * (k - 1) + 1
  local room = n + 2 * pad - span
  local count = (ceil and -(-room // stride) or room // stride) + 1
  if ceil and (count - 1) * stride >= n + pad then
    count = count - 1
  end
  if count < 1 then
    exc.fail("RuntimeError", ("%s: output size is too small"):format(name), "py_value")
  end
  return count, math.max(0, (count - 1) * stride + span - n - pad)
end

-- join()s the elements of each window along dimension d (from 0); outside there is `fill`.
local function slide(x, d, o, join, fill)
  local pads = {}
  for i = 1, 2 * (x.ndim - d) do
    pads[i] = 0
  end
  pads[#pads - 1], pads[#pads] = o.pad, o.behind
  if o.pad > 0 or o.behind > 0 then
    x = op("pad", x, pads, "constant", fill)
  end
  local r
  for i = 0, o.k - 1 do
    local from = i * o.dilation
    local v = op("index_select", x, d, tensor.arange(from, from + (o.count - 1) * o.stride + 1, o.stride, "int64"))
    r = r and join(r, v) or v
  end
  return r
end

-- How many elements each window of one dimension has; what is padded counts where `padded`.
local function sizes(n, o, padded)
  local list = {}
  for i = 0, o.count - 1 do
    local from = i * o.stride - o.pad
    local to = math.min(from + o.k, n + o.pad)
    list[i + 1] = padded and to - from or math.min(to, n) - math.max(from, 0)
  end
  return list
end

local function pool(name, x, dims, o)
  local k = each(o.kernel, dims)
  local stride, pad, dilation = each(o.stride, dims, k), each(o.padding, dims, 0), each(o.dilation, dims, 1)
  if x.ndim ~= dims + 1 and x.ndim ~= dims + 2 then
    exc.fail("RuntimeError", ("%s: a tensor of %d or %d dimensions expected, got %d"):format(name, dims + 1, dims + 2, x.ndim), "py_value")
  end
  local y = x
  for i = 1, dims do
    local d = x.ndim - dims + i - 1
    local n = x.shape[d + 1]
    local w = {k = k[i], stride = stride[i], pad = pad[i], dilation = dilation[i]}
    w.count, w.behind = windows(name, n, w.k, w.stride, w.pad, w.dilation, o.ceil == true)
    if o.max then
      y = slide(y, d, w, greater, -math.huge)
    else
      y = slide(y, d, w, function(a, b) return op("add", a, b) end, 0)
      local shape = {}
      for j = 1, x.ndim do
        shape[j] = j == d + 1 and w.count or 1
      end
      local by = o.divisor and {} or sizes(n, w, o.padded ~= false)
      y = o.divisor and y or op("div", y, op("reshape", tensor.from_table(by, y.dtype), shape))
    end
  end
  return o.divisor and op("div", y, o.divisor) or y
end

-- Half precision is added up in float32.
local function averaged(name, x, dims, o)
  if x.dtype == "float16" or x.dtype == "bfloat16" then
    return pool(name, x:astype "float32", dims, o):astype(x.dtype)
  end
  return pool(name, x, dims, o)
end

-- Windows that share n elements out among `size`, along the last dimensions.
local function adaptive(x, dims, size, reduce)
  local want = each(size, dims)
  for i = 1, dims do
    local d = x.ndim - dims + i - 1
    local n, parts = x.shape[d + 1], {}
    local m = want[i] or n
    for j = 0, m - 1 do
      local from, to = j * n // m, -(-(j + 1) * n // m)
      parts[j + 1] = reduce(op("narrow", x, d, from, to - from), d)
    end
    x = op("cat", parts, d)
  end
  return x
end

local function greatest(v, d)
  local r
  for i = 0, v.shape[d + 1] - 1 do
    local one = op("narrow", v, d, i, 1)
    r = r and greater(r, one) or one
  end
  return r
end

local function no_indices(name, wanted)
  if wanted == true then
    exc.fail("NotImplementedError", name .. ": return_indices is not available here", "py_value")
  end
end

-- name and arguments -> function, as native.make() takes them
M.functions = {}
for n = 1, 3 do
  local most, mean = ("max_pool%dd"):format(n), ("avg_pool%dd"):format(n)
  M.functions[most .. "(input, kernel_size, stride?, padding?, dilation?, ceil_mode?, return_indices?)"] = function(x, k, stride, padding,
    dilation, ceil, indices)
    no_indices(most, indices)
    return pool(most, x, n, {kernel = k, stride = stride, padding = padding, dilation = dilation, ceil = ceil, max = true})
  end
  M.functions[mean .. "(input, kernel_size, stride?, padding?, ceil_mode?, count_include_pad?, divisor_override?)"] = function(x, k, stride,
    padding, ceil, padded, divisor)
    divisor = divisor ~= None and divisor or nil
    return averaged(mean, x, n, {kernel = k, stride = stride, padding = padding, ceil = ceil, padded = padded, divisor = divisor})
  end
  M.functions[("adaptive_avg_pool%dd(input, output_size)"):format(n)] = function(x, size)
    return adaptive(x, n, size, function(v, d) return op("mean", v, {d}, true) end)
  end
  M.functions[("adaptive_max_pool%dd(input, output_size, return_indices?)"):format(n)] = function(x, size, indices)
    no_indices("adaptive_max_pool", indices)
    return adaptive(x, n, size, greatest)
  end
end

-- class -> its function and its arguments, as those of torch_nn_more.lua; like: without a value it is that other one; quiet: no repr shows it
M.layers = {}
for n = 1, 3 do
  M.layers[("MaxPool%dd"):format(n)] = {("max_pool%dd"):format(n), {"kernel_size"}, {"stride", None, like = "kernel_size"}, {"padding", 0},
    {"dilation", 1}, {"return_indices", false, quiet = true}, {"ceil_mode", false}}
  M.layers[("AvgPool%dd"):format(n)] = {("avg_pool%dd"):format(n), {"kernel_size"}, {"stride", None, like = "kernel_size"}, {"padding", 0},
    {"ceil_mode", false, quiet = true}, {"count_include_pad", true, quiet = true}}
  M.layers[("AdaptiveAvgPool%dd"):format(n)] = {("adaptive_avg_pool%dd"):format(n), {"output_size"}}
  M.layers[("AdaptiveMaxPool%dd"):format(n)] = {("adaptive_max_pool%dd"):format(n), {"output_size"}, {"return_indices", false, quiet = true}}
end

return M
