-- tl/host/shape.lua: the same elements in another shape or order: views, joined and cut tensors,
-- conversions.

local diag = require "moontile.diag"
local host = require "moontile.host"
local pointers = require "moontile.tl.pointers"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local stage = require "moontile.stage"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"
local registry = require "moontile.tl.host.registry"
local def, alias, rows = registry.def, registry.alias, registry.rows

local text = rules.shape_text

-- The methods of the type in C: views where they are possible.
local c = rules.views

local function integers(what, list)
  for i, v in ipairs(list) do
    if not math.tointeger(v) then rt.wrong(what, "#" .. i, "an integer", tostring(v)) end
    list[i] = math.tointeger(v)
  end
  return list
end

-- Views ------------------------------------------------------------------------------

def {
  name = "reshape", sig = "reshape(input, *shape)", method = true,
  en = "the same elements in another shape, a view where that is possible; -1: whatever is left",
  zh = "同样的元素换一种形状，可能时为视图；-1 表示由其余推出", ex = "print(tl.host.reshape(t, {2, -1}))",
  fn = function(x, shape) return c.reshape(x, integers("tl.host.reshape", shape)) end,
}
def {
  name = "view", sig = "view(input, *shape)", method = true,
  en = "as reshape, but an error where it would have to copy; of a dtype: the same bytes as that dtype",
  zh = "同 reshape，但需要复制时报错；参数为 dtype 时把同样的字节看作该 dtype",
  ex = "print(tl.host.view(x, \"int32\").dtype)",
  fn = function(x, shape)
    if #shape == 1 and types.isdtype(shape[1]) then return host.bits(x, shape[1]) end
    return c.view(x, integers("tl.host.view", shape))
  end,
}
def {
  name = "view_as", sig = "view_as(input, other)", method = true, types = {other = "tensor"},
  en = "as view, with the shape of other", zh = "同 view，形状取自 other",
  ex = "print(tl.host.view_as(t, t))",
  fn = function(x, other) return c.view(x, other.shape) end,
}
def {
  name = "reshape_as", sig = "reshape_as(input, other)", method = true, types = {other = "tensor"},
  en = "as reshape, with the shape of other", zh = "同 reshape，形状取自 other",
  ex = "print(tl.host.reshape_as(t, t))",
  fn = function(x, other) return c.reshape(x, other.shape) end,
}
def {
  name = "flatten", sig = "flatten(input, start_dim=0, end_dim=-1)", method = true,
  types = {start_dim = "dim", end_dim = "dim"}, en = "dimensions start_dim to end_dim as one",
  zh = "把 start_dim 到 end_dim 各维合为一维", ex = "print(tl.host.flatten(t))",
  fn = function(x, first, last)
    if x.ndim == 0 then return x:reshape {1} end
    first, last = rt.dim(x, first or 0), rt.dim(x, last or -1)
    local shape, s, n = {}, x.shape, 1
    if first > last then rt.wrong("tl.host.flatten", "start_dim", "at most end_dim",
      tostring(first)) end
    for d = first, last do n = n * s[d + 1] end
    table.move(s, 1, first, 1, shape)
    shape[first + 1] = n
    table.move(s, last + 2, #s, first + 2, shape)
    return c.reshape(x, shape)
  end,
}
alias("ravel", "flatten")
def {
  name = "unflatten", sig = "unflatten(input, dim, sizes)", method = true, types = {sizes = "dims"},
  en = "one dimension as several; -1: whatever is left", zh = "把一维拆成多维；-1 表示由其余推出",
  ex = "print(tl.host.unflatten(t, 1, {2, 2}))",
  fn = function(x, dim, sizes)
    local d, s, shape, known = rt.dim(x, dim), x.shape, {}, 1
    for _, e in ipairs(sizes) do known = known * (e == -1 and 1 or e) end
    table.move(s, 1, d, 1, shape)
    for _, e in ipairs(sizes) do
      shape[#shape + 1] = e == -1 and known > 0 and s[d + 1] // known or e
    end
    table.move(s, d + 2, #s, #shape + 1, shape)
    return c.reshape(x, shape)
  end,
}
def {
  name = "unsqueeze", sig = "unsqueeze(input, dim)", method = true,
  en = "with a dimension of 1 inserted there; a view",
  zh = "在该处插入大小为 1 的维；视图", ex = "print(tl.host.unsqueeze(t, 0))",
  fn = function(x, dim) return c.unsqueeze(x, math.tointeger(dim)) end,
}
def {
  name = "squeeze", sig = "squeeze(input, dim=None)", method = true, types = {dim = "dims"},
  en = "without dimensions of 1, of all or of those named; a view", zh = "去掉（所指或全部）大小为 1 的维；视图",
  ex = "print(tl.host.squeeze(tl.zeros {1, 3}))",
  fn = function(x, dim)
    if dim == nil then return c.squeeze(x) end
    local list = rt.dims(x, dim)
    for i = #list, 1, -1 do x = c.squeeze(x, list[i]) end
    return x
  end,
}
def {
  name = "expand", sig = "expand(input, *sizes)", method = true,
  en = "dimensions of 1 repeated without a copy; -1: as it is", zh = "把大小为 1 的维重复，不复制；-1 表示不变",
  ex = "print(tl.host.expand(w, {2, -1}))",
  fn = function(x, sizes)
    local s, shape = x.shape, {}
    for i, e in ipairs(integers("tl.host.expand", sizes)) do
      shape[i] = e == -1 and s[i - #sizes + #s] or e
    end
    return c.expand(x, shape)
  end,
}
def {
  name = "expand_as", sig = "expand_as(input, other)", method = true, types = {other = "tensor"},
  en = "as expand, to the shape of other", zh = "同 expand，形状取自 other",
  ex = "print(tl.host.expand_as(w, x))",
  fn = function(x, other) return c.expand(x, other.shape) end,
}
def {
  name = "broadcast_to", sig = "broadcast_to(input, size)", method = true, types = {size = "dims"},
  en = "as expand", zh = "同 expand，广播到某形状", ex = "print(tl.host.broadcast_to(w, {2, 8}))",
  fn = function(x, size) return rows.expand.fn(x, type(size) == "table" and size or {size}) end,
}
def {
  name = "broadcast_tensors", sig = "broadcast_tensors(*tensors)", types = {tensors = "tensors"},
  en = "a list of all, expanded to one shape", zh = "把各张量扩展到同一形状，得列表",
  ex = "print(tl.host.broadcast_tensors(x, w)[2])",
  fn = function(list)
    local shape, out = rt.broadcast(table.unpack(list)), {}
    for i, t in ipairs(list) do out[i] = c.expand(t, shape) end
    return out
  end,
}
def {
  name = "permute", sig = "permute(input, *dims)", method = true,
  en = "the dimensions in another order; a view",
  zh = "重排各维；视图", ex = "print(tl.host.permute(t, {1, 0}))",
  fn = function(x, dims) return c.permute(x, integers("tl.host.permute", dims)) end,
}
def {
  name = "transpose", sig = "transpose(input, dim0=-2, dim1=-1)", method = true,
  en = "two dimensions swapped; a view", zh = "交换两维；视图", ex = "print(tl.host.transpose(t, 0, 1))",
  fn = function(x, a, b)
    a, b = rt.dim(x, a or -2), rt.dim(x, b or -1)
    return x.ndim == 0 and x:reshape {} or c.transpose(x, a, b)
  end,
}
alias("swapaxes", "transpose")
alias("swapdims", "transpose")
def {
  name = "t", sig = "t(input)", method = true,
  en = "a matrix with rows and columns swapped; a view", zh = "矩阵的转置；视图",
  ex = "print(tl.host.t(t))",
  fn = function(x)
    if x.ndim > 2 then rt.wrong("tl.host.t", "input", "at most 2-D", text(x)) end
    return x.T
  end,
}
def {
  name = "movedim", sig = "movedim(input, source, destination)", method = true,
  types = {source = "dims", destination = "dims"},
  en = "dimensions moved to other places; a view", zh = "把若干维移到别处；视图",
  ex = "print(tl.host.movedim(t, 0, 1))",
  fn = function(x, from, to)
    from, to = type(from) == "table" and from or {from}, type(to) == "table" and to or {to}
    local order, gone = {}, {}
    if #from ~= #to then rt.wrong("tl.host.movedim", "destination", "as long as source",
      tostring(#to)) end
    for i, d in ipairs(from) do
      local s = rt.dim(x, d)
      gone[s], order[rt.dim(x, to[i]) + 1] = true, s
    end
    local at = 1
    for d = 0, x.ndim - 1 do
      if not gone[d] then
        while order[at] do at = at + 1 end
        order[at] = d
      end
    end
    return c.permute(x, order)
  end,
}
alias("moveaxis", "movedim")
def {
  name = "narrow", sig = "narrow(input, dim, start, length)", method = true,
  types = {length = "int"},
  en = "length indices of a dimension from start on; a view", zh = "沿一维从 start 起的 length 个；视图",
  ex = "print(tl.host.narrow(t, 1, 1, 2))",
  fn = function(x, dim, start, length)
    local d = rt.dim(x, dim)
    local n = x.shape[d + 1]
    if start < 0 then start = start + n end
    if start < 0 or length < 0 or start + length > n then
      rt.wrong("tl.host.narrow", "start, length", ("within the %d of the dimension"):format(n),
        start .. ", " .. length)
    end
    local key = {}
    for i = 1, d do key[i] = stage.slice() end
    key[d + 1] = stage.slice(start, start + length)
    return host.at(x, key)
  end,
}
def {
  name = "select", sig = "select(input, dim, index)", method = true, types = {index = "int"},
  en = "one index of a dimension, which goes; a view", zh = "取一维的一个下标，该维消失；视图",
  ex = "print(tl.host.select(t, 1, 0))",
  fn = function(x, dim, index)
    local key = {}
    for i = 1, rt.dim(x, dim) do key[i] = stage.slice() end
    key[#key + 1] = index
    return host.at(x, key)
  end,
}
def {
  name = "as_strided", sig = "as_strided(input, size, stride, storage_offset=None)", method = true,
  types = {size = "dims", stride = "dims", storage_offset = "int"},
  en = "any view of the tensor's storage",
  zh = "张量存储的任意视图", ex = "print(tl.host.as_strided(t, {2, 2}, {1, 4}))",
  fn = function(x, size, stride, offset) return host.strided(x, size, stride, offset) end,
}
def {
  name = "unfold", sig = "unfold(input, dimension, size, step)", method = true,
  types = {dimension = "dim", size = "int", step = "int"},
  en = "windows of a dimension, every step places, as a last dimension; a view",
  zh = "沿一维每隔 step 取长度为 size 的窗口，作为最后一维；视图",
  ex = "print(tl.host.unfold(w, 0, 3, 1))",
  fn = function(x, dimension, size, step)
    local d = rt.dim(x, dimension)
    local shape, strides = x.shape, x.strides
    local n = shape[d + 1]
    if size < 1 or size > n or step < 1 then
      rt.wrong("tl.host.unfold", "size, step", ("from 1, size at most %d"):format(n), size .. ", "
        .. step)
    end
    shape[d + 1], shape[#shape + 1] = (n - size) // step + 1, size
    strides[#strides + 1] = strides[d + 1]
    strides[d + 1] = strides[d + 1] * step
    return host.strided(x, shape, strides)
  end,
}
def {
  name = "diagonal", sig = "diagonal(input, offset=0, dim1=0, dim2=1)", method = true,
  types = {offset = "int", dim2 = "dim"},
  en = "the diagonal of two dimensions as the last; a view", zh = "两维的对角线，作为最后一维；视图",
  ex = "print(tl.host.diagonal(t))",
  fn = function(x, offset, dim1, dim2)
    local a, b = rt.dim(x, dim1 or 0), rt.dim(x, dim2 or 1)
    offset = offset or 0
    local shape, strides, s, st = {}, {}, x.shape, x.strides
    local rows_, columns = s[a + 1] - math.max(-offset, 0), s[b + 1] - math.max(offset, 0)
    for d = 0, x.ndim - 1 do
      if d ~= a and d ~= b then shape[#shape + 1], strides[#strides + 1] = s[d + 1], st[d + 1] end
    end
    shape[#shape + 1] = math.max(0, math.min(rows_, columns))
    strides[#strides + 1] = st[a + 1] + st[b + 1]
    local _, at = host.place(x)
    return host.strided(x, shape, strides, shape[#shape] > 0 and at + math.max(offset,
      0) * st[b + 1]
      + math.max(-offset, 0) * st[a + 1] or at)
  end,
}
def {
  name = "diag", sig = "diag(input, diagonal=0)", method = true,
  en = "the diagonal of a matrix, or the matrix with this diagonal", zh = "矩阵的对角线，或以此为对角线的矩阵",
  ex = "print(tl.host.diag(tl.arange(3)))",
  fn = function(x, diagonal)
    diagonal = diagonal or 0
    if x.ndim == 2 then return rows.diagonal.fn(x, diagonal):contiguous() end
    if x.ndim ~= 1 then rt.wrong("tl.host.diag", "input", "1-D or 2-D", text(x)) end
    local n = x:numel() + math.abs(diagonal)
    local out = tensor.new({n, n}, x.dtype)
    rows.diagonal.fn(out, diagonal):copy_(x)
    return out
  end,
}

-- Copies in another order ------------------------------------------------------------------

def {
  name = "flip", sig = "flip(input, *dims)", method = true, en = "dimensions in reverse; a copy",
  zh = "把若干维反序；副本",
  ex = "print(tl.host.flip(t, 0))",
  fn = function(x, dims) return host.flip(x, rt.dims(x, #dims > 0 and dims or nil)) end,
}
def {
  name = "roll", sig = "roll(input, shifts, dims=None)", method = true,
  types = {shifts = "dims", dims = "dims"},
  en = "shifted along dimensions, what falls off comes in again; without dims as one row",
  zh = "沿若干维循环移动；省略 dims 时按一行移动",
  ex = "print(tl.host.roll(t, 1, 1))",
  fn = function(x, shifts, dims)
    if dims == nil then
      return rows.roll.fn(x:reshape {-1}, shifts, 0):reshape(x.shape)
    end
    shifts, dims = type(shifts) == "table" and shifts or {shifts}, type(dims) == "table" and dims
      or {dims}
    if #shifts ~= #dims then rt.wrong("tl.host.roll", "dims", "as many as shifts",
      tostring(#dims)) end
    for i, dim in ipairs(dims) do
      local d = rt.dim(x, dim)
      local n = x.shape[d + 1]
      local k = n > 0 and shifts[i] % n or 0
      if k ~= 0 then
        x = rows.cat.fn({rows.narrow.fn(x, d, n - k, k), rows.narrow.fn(x, d, 0, n - k)}, d)
      end
    end
    return x:clone()
  end,
}
def {
  name = "diff", sig = "diff(input, n=1, dim=-1)", method = true, grad = "parts",
  en = "each element less the one before it along a dimension, n times", zh = "沿一维相邻元素之差，重复 n 次",
  ex = "print(tl.host.diff(x, 1, 0))",
  fn = function(x, n, dim)
    local d = rt.dim(x, dim or -1)
    for _ = 1, math.min(n or 1, x.shape[d + 1] or 0) do -- then nothing is left
      local count = math.max(x.shape[d + 1] - 1, 0)
      local high, low = rows.narrow.fn(x, d, x.shape[d + 1] - count, count), rows.narrow.fn(x, d, 0, count)
      x = x.dtype == "bool" and rows.logical_xor.fn(high, low) or rows.sub.fn(high, low)
    end
    return x
  end,
}
def {
  name = "rot90", sig = "rot90(input, k=1, dims=[0, 1])", method = true, types = {dims = "dims"},
  en = "turned by k quarters in the plane of two dimensions", zh = "在两维构成的平面内旋转 k 个直角",
  ex = "print(tl.host.rot90(t))",
  fn = function(x, k, dims)
    if type(dims) == "number" or dims and #dims ~= 2 then
      rt.wrong("tl.host.rot90", "dims", "two dimensions", type(dims) == "table"
        and tostring(#dims) or tostring(dims))
    end
    local a, b = rt.dim(x, dims and dims[1] or 0), rt.dim(x, dims and dims[2] or 1)
    k = (k or 1) % 4
    if k == 0 then return x:clone() end
    if k == 2 then return host.flip(x, {a, b}) end
    local y = c.transpose(x, a, b)
    return host.flip(y, {k == 1 and a or b})
  end,
}

-- Joined and cut --------------------------------------------------------------------------

local function result_of(list)
  local dtype
  for _, t in ipairs(list) do dtype = dtype and rules.promote(dtype, t.dtype) or t.dtype end
  return dtype
end

def {
  name = "cat", sig = "cat(tensors, dim=0)", en = "tensors one after the other along a dimension",
  zh = "沿一维拼接各张量",
  ex = "print(tl.host.cat({t, t}, 1))",
  fn = function(list, dim)
    if #list == 0 then rt.wrong("tl.host.cat", "tensors", "at least one", "none") end
    local kept = {}
    for _, t in ipairs(list) do -- an empty tensor of one dimension fits everywhere
      if not (t.ndim == 1 and t:numel() == 0) then kept[#kept + 1] = t end
    end
    if #kept == 0 then return tensor.new({0}, result_of(list)) end
    local first = kept[1]
    local d, shape, total = rt.dim(first, dim or 0), first.shape, 0
    for i, t in ipairs(kept) do
      local s = t.shape
      local fits = #s == #shape
      for k = 1, #s do fits = fits and (k == d + 1 or s[k] == shape[k]) end
      if not fits or #s == 0 then
        diag.fail("ops_shape", "cat", ("#1 %s, #%d %s"):format(text(first), i, text(t)), "")
      end
      total = total + s[d + 1]
    end
    shape[d + 1] = total
    local out, at = tensor.new(shape, result_of(list)), 0
    for _, t in ipairs(kept) do
      local n = t.shape[d + 1]
      if n > 0 then rows.narrow.fn(out, d, at, n):copy_(t) end
      at = at + n
    end
    return out
  end,
}
alias("concat", "cat")
alias("concatenate", "cat")
def {
  name = "stack", sig = "stack(tensors, dim=0)", en = "tensors of one shape along a new dimension",
  zh = "沿新的一维叠放形状相同的张量",
  ex = "print(tl.host.stack({t, t}, 0))",
  fn = function(list, dim)
    if #list == 0 then rt.wrong("tl.host.stack", "tensors", "at least one", "none") end
    local d, up = rt.dim(list[1], dim or 0, 1), {}
    for i, t in ipairs(list) do
      if text(t) ~= text(list[1]) then
        diag.fail("ops_shape", "stack", ("#1 %s, #%d %s"):format(text(list[1]), i, text(t)), "")
      end
      up[i] = c.unsqueeze(t, d)
    end
    return rows.cat.fn(up, d)
  end,
}
for name, d in pairs {hstack = 1, vstack = 0} do
  def {
    name = name, sig = name .. "(tensors)",
    en = d == 1 and "tensors beside each other, along dimension 1 (0 for one dimension)"
      or "tensors below each other, along dimension 0",
    zh = d == 1 and "沿第 1 维（一维张量沿第 0 维）拼接" or "沿第 0 维拼接",
    ex = ("print(tl.host.%s({t, t}))"):format(name),
    fn = function(list)
      local up = {}
      for i, t in ipairs(list) do
        up[i] = t.ndim == 0 and t:reshape {1} or t
        if d == 0 and up[i].ndim == 1 then up[i] = c.unsqueeze(up[i], 0) end
      end
      return rows.cat.fn(up, up[1] and up[1].ndim == 1 and 0 or d)
    end,
  }
end
def {
  name = "split", sig = "split(input, split_size_or_sections, dim=0)", method = true,
  types = {split_size_or_sections = "dims"},
  en = "a list of views: pieces of a size, or of the sizes in a list, along a dimension",
  zh = "沿一维切成若干段（一个大小或各段大小），得视图列表",
  ex = "print(tl.host.split(t, 2, 1)[1])",
  fn = function(x, size, dim)
    local d, out, at = rt.dim(x, dim or 0), {}, 0
    local n, sizes = x.shape[d + 1], size
    if type(size) ~= "table" then
      if size < 1 then rt.wrong("tl.host.split", "split_size_or_sections", "1 or more",
        tostring(size)) end
      sizes = {}
      for i = 0, n - 1, size do sizes[#sizes + 1] = math.min(size, n - i) end
      if n == 0 then sizes[1] = 0 end
    end
    for _, k in ipairs(sizes) do
      out[#out + 1] = rows.narrow.fn(x, d, at, k)
      at = at + k
    end
    if at ~= n then rt.wrong("tl.host.split", "split_size_or_sections", ("of sum %d"):format(n),
      tostring(at)) end
    return out
  end,
}
local function zeros(n)
  local list = {}
  for i = 1, n do list[i] = 0 end
  return list
end
def {
  name = "chunk", sig = "chunk(input, chunks, dim=0)", method = true, types = {chunks = "int"},
  en = "a list of at most so many views of equal size along a dimension",
  zh = "沿一维切成至多 chunks 段等大的视图，得列表",
  ex = "print(tl.host.chunk(t, 2, 1)[2])",
  fn = function(x, chunks, dim)
    if chunks < 1 then rt.wrong("tl.host.chunk", "chunks", "1 or more", tostring(chunks)) end
    local n = x.shape[rt.dim(x, dim or 0) + 1]
    if n == 0 then return rows.split.fn(x, zeros(chunks), dim) end
    return rows.split.fn(x, (n + chunks - 1) // chunks, dim)
  end,
}
def {
  name = "unbind", sig = "unbind(input, dim=0)", method = true,
  en = "a list of views, one for each index of a dimension",
  zh = "沿一维逐个下标的视图，得列表", ex = "print(tl.host.unbind(t)[1])",
  fn = function(x, dim)
    local d, out = rt.dim(x, dim or 0), {}
    for i = 1, x.shape[d + 1] do out[i] = rows.select.fn(x, d, i - 1) end
    return out
  end,
}

-- Repeated ----------------------------------------------------------------------------

-- t with a new dimension at d, expanded to a shape; 8 dimensions have no room for one more.
local function beside(t, d, shape)
  if t.ndim == 8 then
    rt.wrong("tl.host.repeat", "input", "at most 7-D", text(t))
  end
  return c.expand(c.unsqueeze(t, d), shape)
end

def {
  name = "repeat", sig = "repeat(input, *sizes)", method = "repeats",
  en = "copies beside each other, so many along each dimension; more sizes make new dimensions in front",
  zh = "沿各维重复若干次；给出更多数时在前面添维", ex = "print(tl.host[\"repeat\"](t, 2, 1))",
  fn = function(x, sizes)
    local s = x.shape
    integers("tl.host.repeat", sizes)
    if #sizes < #s then rt.wrong("tl.host.repeat", "sizes", ("%d or more numbers"):format(#s),
      tostring(#sizes)) end
    local lead = {}
    for i = 1, #sizes - #s do lead[i] = 1 end
    local y = c.reshape(x, table.move(s, 1, #s, #lead + 1, lead))
    for i, k in ipairs(sizes) do
      if k ~= 1 then -- [.., n, ..] as [.., k, n, ..] as [.., k n, ..]
        local wide, joined = y.shape, y.shape
        joined[i] = k * wide[i]
        table.insert(wide, i, k)
        y = c.reshape(beside(y, i - 1, wide), joined)
      end
    end
    return y:clone()
  end,
}
def {
  name = "tile", sig = "tile(input, *dims)", method = true,
  en = "as repeat; fewer numbers count from the last dimension",
  zh = "同 repeat；数较少时从最后一维算起", ex = "print(tl.host.tile(t, 2))",
  fn = function(x, dims)
    local full = {}
    for _ = #dims + 1, x.ndim do full[#full + 1] = 1 end
    return rows["repeat"].fn(x, table.move(dims, 1, #dims, #full + 1, full))
  end,
}
def {
  name = "repeat_interleave",
  sig = "repeat_interleave(input, repeats, dim=None, *, output_size=None)", method = true,
  types = {repeats = "operand", output_size = "int"},
  en = "each index of a dimension repeated so many times; repeats may be a tensor of one number each; without dim of all elements in a row",
  zh = "把一维的每个下标重复若干次；repeats 可为各下标的次数；省略 dim 时对展平的元素",
  ex = "print(tl.host.repeat_interleave(t, 2, 1))",
  fn = function(x, repeats, dim)
    if dim == nil then return rows.repeat_interleave.fn(x:reshape {-1}, repeats, 0) end
    local d = rt.dim(x, dim)
    local n = x.shape[d + 1]
    if not tensor.istensor(repeats) or repeats:numel() == 1 then
      local k = tensor.istensor(repeats) and repeats:item() or math.tointeger(repeats)
      local s = x.shape
      table.insert(s, d + 2, k)
      local wide = c.expand(c.unsqueeze(x, d + 1), s)
      s = x.shape
      s[d + 1] = n * k
      return c.reshape(wide, s):contiguous()
    end
    if repeats:numel() ~= n then
      diag.fail("ops_shape", "repeat_interleave", ("input %s, repeats %s"):format(text(x),
        text(repeats)), "")
    end
    local ends = rows.cumsum.fn(repeats:reshape {-1}, 0)
    local places = rows.searchsorted.fn(ends, tensor.arange(0, ends[n - 1], 1, "int64"), true)
    return rows.index_select.fn(x, d, places)
  end,
}

-- Conversions ---------------------------------------------------------------------------

def {
  name = "type_as", sig = "type_as(input, other)", method = true, types = {other = "tensor"},
  en = "converted to the dtype of other",
  zh = "转换为 other 的 dtype", ex = "print(tl.host.type_as(t, x).dtype)",
  fn = function(x, other) return x:astype(other.dtype) end,
}
def {
  name = "type", sig = "type(input, dtype=None)", method = true,
  en = "converted to a dtype; without one its name",
  zh = "转换为某 dtype；不带参数时返回 dtype 的名称", ex = "print(tl.host.type(t, \"int8\").dtype)",
  fn = function(x, dtype) return dtype and x:astype(dtype) or x.dtype end,
}
for name, dtype in pairs {short = "int16", char = "int8", byte = "uint8"} do
  def {
    name = name, sig = name .. "(input)", method = true, en = "converted to " .. dtype,
    zh = "转换为 " .. dtype,
    ex = ("print(tl.host.%s(t).dtype)"):format(name), fn = function(x) return x:astype(dtype) end,
  }
end
def {
  name = "clone", sig = "clone(input)", en = "a separate tensor with the same elements",
  zh = "元素相同的独立张量",
  ex = "print(tl.host.clone(t))", fn = function(x) return x:copy() end,
}
def {
  name = "tolist", sig = "tolist(input)", method = true, en = "nested Lua tables of the elements",
  zh = "元素组成的嵌套 Lua 表",
  ex = "print(tl.host.tolist(t)[1][2])", fn = function(x) return x:totable() end,
}
def {
  name = "stride", sig = "stride(input, dim=None)", method = true,
  en = "elements from one index to the next, of one dimension or of all",
  zh = "各维（或某一维）下标加一所跨过的元素数", ex = "print(tl.host.stride(t, 0))",
  fn = function(x, dim)
    if dim == nil then return x.strides end
    return x.strides[rt.dim(x, dim) + 1]
  end,
}
def {
  name = "storage_offset", sig = "storage_offset(input)", method = true,
  en = "where the first element is in its storage",
  zh = "首元素在存储中的位置", ex = "print(tl.host.storage_offset(t[1]))",
  fn = function(x) return (select(2, host.place(x))) end,
}
def {
  name = "data_ptr", sig = "data_ptr(input)", method = true,
  en = "the address of the first element, which kernels take for a T.ptr as long as the tensor lives",
  zh = "首元素的地址；张量存活期间，内核的 T.ptr 参数接受它", ex = "print(tl.host.data_ptr(t) == tl.host.data_ptr(t.T))",
  fn = function(x) return (pointers.remember(host.place(x), x)) end,
}
def {
  name = "element_size", sig = "element_size(input)", method = true, en = "bytes of an element",
  zh = "每个元素的字节数",
  ex = "print(tl.host.element_size(t))",
  fn = function(x) return rules.dtype_info(x.dtype).bits // 8 end,
}
def {
  name = "is_floating_point", sig = "is_floating_point(input)", method = true,
  en = "whether the dtype is a float", zh = "dtype 是否为浮点",
  ex = "print(tl.host.is_floating_point(x))", fn = function(x) return rt.isfloat(x.dtype) end,
}
def {
  name = "result_type", sig = "result_type(tensor1, tensor2)",
  types = {tensor1 = "operand", tensor2 = "operand"},
  en = "the dtype of an operation on both", zh = "两者运算结果的 dtype",
  ex = "print(tl.host.result_type(t, x))",
  fn = function(x, y) return rt.result_type(x, y) end,
}
