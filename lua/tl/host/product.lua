-- tl/host/product.lua: sums of products.  All of them become products of matrices in batches
-- (core/tensor/op_product.c), summed in float64 and rounded once.

local diag = require "moontile.diag"
local host = require "moontile.host"
local ondevice = require "moontile.tl.host.ondevice"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local tensor = require "moontile.tensor"
local registry = require "moontile.tl.host.registry"
local W = require "moontile.base.translations"
local def, rows = registry.def, registry.rows

local text = rules.shape_text

-- Raises with the names and shapes of tensors: disagree("mm", nil, "input", a, "mat2", b).
local function disagree(what, help, ...)
  local parts = {}
  for i = 1, select("#", ...), 2 do
    local name, t = select(i, ...)
    parts[#parts + 1] = name .. " " .. text(t)
  end
  diag.fail("ops_shape", what, table.concat(parts, ", "), help and W(help) or "")
end

local function need(what, name, t, ...)
  for i = 1, select("#", ...) do
    if t.ndim == select(i, ...) then return end
  end
  rt.wrong("tl.host." .. what, name, table.concat({...}, "-, ") .. "-D", text(t))
end

-- PyTorch wants equal dtypes; others are promoted here.
local function dtype_of(x, y, dtype) return dtype or rules.promote(x.dtype, y.dtype) end

-- x [b, m, k] times y [b, k, n].
local function product(x, y, dtype)
  local out = tensor.new({x.shape[1], x.shape[2], y.shape[3]}, dtype)
  return rt.unseen() and out or ondevice.product(out, x, y) or host.product(out, x, y)
end

-- t as [lead .., rows, columns] with `lead` as one dimension.
local function batched(t, lead, count)
  local s = t.shape
  local r, c = s[#s - 1], s[#s]
  if t.ndim == 2 then return t:unsqueeze(0):expand {count, r, c} end
  local full = table.move(lead, 1, #lead, 1, {})
  full[#full + 1], full[#full + 2] = r, c
  return t:expand(full):reshape {count, r, c}
end

local function matmul(what, a, b, dtype)
  if a.ndim == 0 or b.ndim == 0 then disagree(what, "both need at least one dimension", "input", a,
    "other", b) end
  local x, y = a.ndim == 1 and a:unsqueeze(0) or a, b.ndim == 1 and b:unsqueeze(1) or b
  local sx, sy = x.shape, y.shape
  if sx[#sx] ~= sy[#sy - 1] then
    disagree(what, "the last dimension of the first must be that before the last of the second",
      "input", a, "other", b)
  end
  local lead, count = {}, 1
  if #sx > 2 or #sy > 2 then
    lead = rt.broadcast(tensor.new(table.move(sx, 1, #sx - 2, 1, {}), "bool"),
      tensor.new(table.move(sy, 1, #sy - 2, 1, {}), "bool"))
    for _, e in ipairs(lead) do count = count * e end
  end
  local out
  if #sy == 2 and #sx > 2 then -- one matrix for all: all rows at once
    out = product(x:reshape {1, count * sx[#sx - 1], sx[#sx]}, y:unsqueeze(0), dtype_of(a, b,
      dtype))
  else
    out = product(batched(x, lead, count), batched(y, lead, count), dtype_of(a, b, dtype))
  end
  local shape = table.move(lead, 1, #lead, 1, {})
  if a.ndim > 1 then shape[#shape + 1] = sx[#sx - 1] end
  if b.ndim > 1 then shape[#shape + 1] = sy[#sy] end
  return out:reshape(shape)
end

def {
  name = "matmul", sig = "matmul(input, other)", method = true, types = {other = "tensor"},
  en = "products of matrices; leading dimensions broadcast, one dimension is a vector",
  zh = "矩阵乘法；前面的维可广播，一维为向量",
  ex = "print(tl.host.matmul(x, w))", fn = function(a, b) return matmul("matmul", a, b) end,
}
for name, d in pairs {mm = {2, 2, "two matrices", "两个矩阵"}, mv = {2, 1, "a matrix and a vector",
  "矩阵与向量"},
  bmm = {3, 3, "matrices in pairs", "成对的矩阵"}, dot = {1, 1, "two vectors", "两个向量"}} do
  def {
    name = name, sig = name .. "(input, mat2)", method = true, types = {mat2 = "tensor"},
    en = "the product of " .. d[3], zh = d[4] .. "之积",
    ex = ({mm = "print(tl.host.mm(x, x.T))", mv = "print(tl.host.mv(x, w))",
      dot = "print(tl.host.dot(w, w))",
      bmm = "print(tl.host.bmm(tl.ones {2, 3, 4}, tl.ones {2, 4, 1}))"})[name],
    fn = function(a, b)
      need(name, "input", a, d[1])
      need(name, "mat2", b, d[2])
      if name == "bmm" and a.shape[1] ~= b.shape[1] then disagree("bmm", nil, "input", a, "mat2",
        b) end
      return matmul(name, a, b)
    end,
  }
end
local function whole(v) return math.tointeger(v < 0 and math.ceil(v) or math.floor(v)) end

for name, inner in pairs {addmm = "mm", baddbmm = "bmm", addmv = "mv"} do
  def {
    name = name, sig = name .. "(input, a, b, *, beta=1, alpha=1)", method = true,
    types = {a = "tensor", b = "tensor", beta = "number"},
    en = "beta input + alpha times the product of a and b", zh = "beta input + alpha 乘以 a 与 b 之积",
    ex = ({
      addmm = "print(tl.host.addmm(tl.ones {4, 4}, x, x.T))",
        addmv = "print(tl.host.addmv(tl.ones {4}, x, w))",
      baddbmm = "print(tl.host.baddbmm(tl.ones {2, 3, 1}, tl.ones {2, 3, 4}, tl.ones {2, 4, 1}))"})[name],
    fn = function(c, a, b, beta, alpha)
      local dtype = dtype_of(c, a)
      local p = matmul(name, a, b, "float64")
      if not rt.isfloat(dtype) then -- factors are whole numbers too
        p, beta, alpha = rows[inner].fn(a, b), beta and whole(beta), alpha and whole(alpha)
      end
      if beta == 0 then return rows.mul.fn(p, alpha or 1):astype(dtype) end
      return rt.elem("add", dtype, beta or 1, nil, nil, rows.mul.fn(p, alpha or 1), c)
    end,
  }
end
def {
  name = "outer", sig = "outer(input, vec2)", method = true, types = {vec2 = "tensor"},
  en = "each element of one vector times each of another",
  zh = "两个向量的外积", ex = "print(tl.host.outer(w, w))",
  fn = function(a, b)
    need("outer", "input", a, 1)
    need("outer", "vec2", b, 1)
    return rows.mul.fn(a:unsqueeze(1), b:unsqueeze(0))
  end,
}
def {
  name = "kron", sig = "kron(input, other)", method = true, types = {other = "tensor"},
  en = "each element of one times the other tensor",
  zh = "克罗内克积", ex = "print(tl.host.kron(tl.host.eye(2), tl.ones {2, 2}))",
  fn = function(a, b)
    local n = math.max(a.ndim, b.ndim)
    local x, y, shape = {}, {}, {}
    for d = 1, n do
      local p, q = a.shape[d - n + a.ndim] or 1, b.shape[d - n + b.ndim] or 1
      x[2 * d - 1], x[2 * d], y[2 * d - 1], y[2 * d], shape[d] = p, 1, 1, q, p * q
    end
    return rows.mul.fn(a:reshape(x), b:reshape(y)):reshape(shape)
  end,
}
def {
  name = "linear", sig = "linear(input, weight, bias=None)",
  en = "input times the transpose of weight, plus bias", zh = "input 乘以 weight 的转置，加 bias",
  ex = "print(tl.host.linear(x, tl.randn {3, 8}))",
  fn = function(x, weight, bias)
    need("linear", "weight", weight, 1, 2)
    local y = weight.ndim == 1 and weight or weight.T
    if x.shape[x.ndim] ~= weight.shape[weight.ndim] then disagree("linear", nil, "input", x,
      "weight", weight) end
    if not bias then return matmul("linear", x, y) end
    return rt.elem("add", dtype_of(x, weight), 1, nil, nil, matmul("linear", x, y, "float64"), bias)
  end,
}

-- Einsum --------------------------------------------------------------------------------
-- A subscript is a list of labels: letters, and for `...` the labels -1, -2, .. of its dimensions
-- from the right.

local function pattern(equation, what)
  diag.fail("ops_pattern", "tl.host.einsum", equation, what)
end

local function labels(equation, part, t)
  local list, dots = {}, nil
  local letters = part:gsub("%s", "")
  local named = select(2, letters:gsub("%a", ""))
  local i = 1
  while i <= #letters do
    local ch = letters:sub(i, i)
    if ch:find "%a" then
      list[#list + 1] = ch
      i = i + 1
    elseif letters:sub(i, i + 2) == "..." and dots == nil then
      dots = t and t.ndim - named or 0
      if dots < 0 then break end
      for d = dots, 1, -1 do list[#list + 1] = -d end
      i = i + 3
    else
      pattern(equation, ("`%s` is no letter and no `...`"):format(ch))
    end
  end
  if t and #list ~= t.ndim then
    pattern(equation, ("`%s` has %d letters, its tensor %s"):format(part, named, text(t)))
  end
  return list
end

-- A label that stands twice in one subscript: the diagonal.
local function diagonals(t, list)
  local i = 1
  while i <= #list do
    for j = i + 1, #list do
      if list[i] == list[j] then
        if t.shape[i] ~= t.shape[j] then rt.wrong("tl.host.einsum", tostring(list[i]),
          "of one extent", text(t)) end
        t = rows.diagonal.fn(t, 0, i - 1, j - 1)
        local label = list[i]
        table.remove(list, j)
        table.remove(list, i)
        list[#list + 1] = label
        i = 0
        break
      end
    end
    i = i + 1
  end
  return t, list
end

local function implicit(inputs)
  local count, out, most = {}, {}, 0
  for _, list in ipairs(inputs) do
    for _, l in ipairs(list) do
      if math.type(l) then most = math.max(most, -l) else count[l] = (count[l] or 0) + 1 end
    end
  end
  local letters = {}
  for l, n in pairs(count) do
    if n == 1 then letters[#letters + 1] = l end
  end
  table.sort(letters)
  for d = most, 1, -1 do out[#out + 1] = -d end
  return table.move(letters, 1, #letters, #out + 1, out)
end

local function has(list, l)
  for _, v in ipairs(list) do
    if v == l then return true end
  end
  return false
end

-- t, labelled list, summed over labels that nobody else wants.
local function sum_lone(t, list, wanted, dtype)
  local dims, left = {}, {}
  for i, l in ipairs(list) do
    if wanted(l) then left[#left + 1] = l else dims[#dims + 1] = i - 1 end
  end
  if #dims == 0 then return t, list end
  return rows.sum.fn(t, dims, false, rt.isfloat(t.dtype) and dtype or nil), left
end

-- t with its labels in this order, those it lacks as dimensions of 1.
local function order(t, list, wanted)
  local perm, missing = {}, {}
  for i, l in ipairs(wanted) do
    local at
    for k, have in ipairs(list) do at = have == l and k or at end
    if at then perm[#perm + 1] = at - 1 else missing[#missing + 1] = i - 1 end
  end
  t = t.ndim > 0 and t:permute(perm) or t
  for _, d in ipairs(missing) do t = t:unsqueeze(d) end
  return t
end

local function volume(shape, from, to)
  local n = 1
  for d = from, to do n = n * shape[d] end
  return n
end

-- Two labelled tensors into one: labels of both that somebody wants are batches, others that both have
-- are summed; extents of 1 broadcast.
local function contract(x, lx, y, ly, wanted, dtype)
  local batch, summed, left, right = {}, {}, {}, {}
  for _, l in ipairs(lx) do
    local list = not has(ly, l) and left or wanted(l) and batch or summed
    list[#list + 1] = l
  end
  for _, l in ipairs(ly) do
    if not has(lx, l) then right[#right + 1] = l end
  end
  local function join(...)
    local all = {}
    for _, list in ipairs {...} do table.move(list, 1, #list, #all + 1, all) end
    return all
  end
  local a, b = order(x, lx, join(batch, left, summed)), order(y, ly, join(batch, summed, right))
  local nb, nl, ns, nr = #batch, #left, #summed, #right
  local sa, sb = a.shape, b.shape
  for i = 1, nb do
    local e = math.max(sa[i], sb[i])
    if sa[i] == 0 or sb[i] == 0 then e = 0 end
    sa[i], sb[i] = e, e
  end
  for i = 1, ns do
    local p, q = nb + nl + i, nb + i
    local e = sa[p] == 1 and sb[q] or sa[p]
    sa[p], sb[q] = e, e
  end
  a, b = a:expand(sa), b:expand(sb)
  local B, L, S, R = volume(sa, 1, nb), volume(sa, nb + 1, nb + nl), volume(sb, nb + 1, nb + ns),
    volume(sb, nb + ns + 1, nb + ns + nr)
  local out = product(a:reshape {B, L, S}, b:reshape {B, S, R}, dtype)
  local shape = {}
  table.move(sa, 1, nb + nl, 1, shape)
  table.move(sb, nb + ns + 1, nb + ns + nr, #shape + 1, shape)
  return out:reshape(shape), join(batch, left, right)
end

-- All extents of a label agree, or are 1.
local function check_extents(equation, operands, inputs)
  local extent = {}
  for k, list in ipairs(inputs) do
    for i, l in ipairs(list) do
      local e, have = operands[k].shape[i], extent[l]
      if have and have ~= e and have ~= 1 and e ~= 1 then
        local parts = {}
        for _, t in ipairs(operands) do parts[#parts + 1] = text(t) end
        diag.fail("ops_shape", "einsum",
          ("`%s`: `%s` is %d and %d in %s"):format(equation, math.type(l) and "..." or l, have, e,
            table.concat(parts, ", ")), "")
      end
      extent[l] = (have == nil or have == 1) and e or have
    end
  end
end

local function parse(equation, operands)
  local left, right = equation:match "^(.-)%->(.*)$"
  local inputs, n = {}, 0
  for part in ((left or equation) .. ","):gmatch "(.-)," do
    n = n + 1
    if not operands[n] then break end
    inputs[n] = labels(equation, part, operands[n])
  end
  if n ~= #operands then
    pattern(equation, ("%d subscripts, %d tensors"):format(n, #operands))
  end
  local out
  if right then
    local all = implicit(inputs)
    out = {}
    for _, l in ipairs(labels(equation, (right:gsub("%.%.%.", "")))) do out[#out + 1] = l end
    local before = right:match "^(.-)%.%.%."
    if before then
      local at = select(2, before:gsub("%a", "")) + 1
      for _, l in ipairs(all) do
        if math.type(l) then
          table.insert(out, at, l)
          at = at + 1
        end
      end
    end
  else
    out = implicit(inputs)
  end
  return inputs, out
end

local function check_output(equation, inputs, out)
  local seen = {}
  for _, l in ipairs(out) do
    local known = false
    for _, list in ipairs(inputs) do known = known or has(list, l) end
    if seen[l] or not known then
      pattern(equation, ("`%s` of the output is %s"):format(l, seen[l] and "there twice"
        or "in no input"))
    end
    seen[l] = true
  end
end

local function einsum(equation, operands)
  if type(equation) ~= "string" then rt.wrong("tl.host.einsum", "equation", "a string",
    type(equation)) end
  for i, t in ipairs(operands) do rules.check(t, "#" .. i) end
  if #operands == 0 then pattern(equation, "no tensors") end
  local inputs, out = parse(equation, operands)
  check_output(equation, inputs, out)
  check_extents(equation, operands, inputs)
  local dtype = operands[1].dtype
  for _, t in ipairs(operands) do dtype = rules.promote(dtype, t.dtype) end
  -- what is between products is kept wider than the result
  local inner = rt.isfloat(dtype) and (dtype == "float64" and dtype or #operands > 2 and "float64"
    or "float32") or "int64"
  local left = {}
  for k, t in ipairs(operands) do
    local x, list = diagonals(t, table.move(inputs[k], 1, #inputs[k], 1, {}))
    left[k] = {x, list}
  end
  local function wanted_beside(k)
    return function(l)
      if has(out, l) then return true end
      for j = k, #left do
        if has(left[j][2], l) then return true end
      end
      return false
    end
  end
  local x, lx = left[1][1], left[1][2]
  x, lx = sum_lone(x, lx, wanted_beside(2), inner)
  for k = 2, #left do
    local y, ly = left[k][1], left[k][2]
    local later = wanted_beside(k + 1)
    y, ly = sum_lone(y, ly, function(l) return has(lx, l) or later(l) end, inner)
    x, lx = contract(x, lx, y, ly, later, k == #left and dtype or inner)
  end
  if #operands == 1 and not rt.isfloat(dtype) and #lx < #left[1][2] then dtype = "int64" end -- a sum
  return order(x, lx, out):astype(dtype)
end

def {
  name = "einsum", sig = "einsum(equation, *operands)",
  en = "sums of products as the letters say: \"bik,bkj->bij\"; `...` stands for dimensions that broadcast, without -> letters that stand once stay, in their order",
  zh = "按字母求乘积之和，如 \"bik,bkj->bij\"；`...` 代表可广播的维，省略 -> 时只出现一次的字母按次序保留",
  ex = "print(tl.host.einsum(\"ij,j->i\", x, w))", fn = einsum,
}
def {
  name = "tensordot", sig = "tensordot(a, b, dims=2)",
  types = {a = "tensor", b = "tensor", dims = "any"},
  en = "summed over the last dims of a and the first of b, or over two lists of them",
  zh = "对 a 的后 dims 维与 b 的前 dims 维（或两组维）求和",
  ex = "print(tl.host.tensordot(x, w, 1))",
  fn = function(a, b, dims)
    local da, db = {}, {}
    if type(dims) == "table" then
      da, db = rt.dims(a, dims[1]), rt.dims(b, dims[2])
    else
      dims = dims or 2
      if math.type(dims) ~= "integer" or dims < 0 or dims > math.min(a.ndim, b.ndim) then
        rt.wrong("tl.host.tensordot", "dims", "0 .. " .. math.min(a.ndim, b.ndim), tostring(dims))
      end
      for i = 1, dims do da[i], db[i] = a.ndim - dims + i - 1, i - 1 end
    end
    local la, lb, out, next_ = {}, {}, {}, 97
    local function letter()
      next_ = next_ + 1
      return string.char(next_ - 1)
    end
    for d = 1, a.ndim do la[d] = letter() end
    for d = 1, b.ndim do lb[d] = letter() end
    for i, d in ipairs(da) do lb[db[i] + 1] = la[d + 1] end
    for _, l in ipairs(la) do if not has(lb, l) then out[#out + 1] = l end end
    for _, l in ipairs(lb) do if not has(la, l) then out[#out + 1] = l end end
    return einsum(table.concat(la) .. "," .. table.concat(lb) .. "->" .. table.concat(out), {a, b})
  end,
}

-- Attention -------------------------------------------------------------------------------

-- Scores of one slice of q [.., s, e], already scaled, and k [.., t, e], masked, as weights.
local function weights(q, k, mask, causal, wide)
  local s = matmul("scaled_dot_product_attention", q, k:transpose(-2, -1), wide)
  if causal then
    local keep = rows.tri.fn(q.shape[q.ndim - 1], k.shape[k.ndim - 1], 0, "bool")
    s = rt.elem("where", s.dtype, nil, nil, nil, keep, s, tensor.from_table(-math.huge, "float64"))
  end
  if mask and mask.dtype == "bool" then
    s = rt.elem("where", s.dtype, nil, nil, nil, mask, s, tensor.from_table(-math.huge, "float64"))
  elseif mask then
    s = rt.elem("add", s.dtype, 1, nil, nil, s, mask)
  end
  return rows.softmax.fn(s, -1)
end

def {
  name = "scaled_dot_product_attention",
  sig = "scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False)",
  types = {query = "tensor", key = "tensor", value = "tensor", attn_mask = "tensor",
    dropout_p = "number", is_causal = "bool", enable_gqa = "bool"},
  en = "softmax(scale q k^T + mask) v; a bool mask keeps where it is true; enable_gqa: heads of q share those of k and v",
  zh = "注意力 softmax(scale q k^T + mask) v；bool 掩码在为真处保留；enable_gqa 时 q 的多个头共用 k、v 的一个头",
  ex = "q = tl.randn {1, 2, 8, 4}\nprint(tl.host.scaled_dot_product_attention(q, q, q, {is_causal = true}))",
  fn = function(q, k, v, mask, dropout, causal, scale, gqa)
    local what = "scaled_dot_product_attention"
    if dropout and dropout ~= 0 then rt.wrong("tl.host." .. what, "dropout_p", "0",
      tostring(dropout)) end
    if mask and causal then rt.wrong("tl.host." .. what, "attn_mask", "left out with is_causal",
      text(mask)) end
    if q.ndim < 2 or k.ndim < 2 or v.ndim < 2 or q.shape[q.ndim] ~= k.shape[k.ndim]
      or k.shape[k.ndim - 1] ~= v.shape[v.ndim - 1] then
      disagree(what, nil, "query", q, "key", k, "value", v)
    end
    if gqa and q.ndim > 2 then
      local n = q.shape[q.ndim - 2]
      if n % k.shape[k.ndim - 2] ~= 0 then disagree(what, nil, "query", q, "key", k, "value", v) end
      k = rows.repeat_interleave.fn(k, n // k.shape[k.ndim - 2], -3)
      v = rows.repeat_interleave.fn(v, n // v.shape[v.ndim - 2], -3)
    end
    local dtype = rules.promote(q.dtype, rules.promote(k.dtype, v.dtype))
    local wide = dtype == "float64" and "float64" or "float32"
    scale = scale or q.shape[q.ndim] ^ -0.5
    if rt.unseen() then
      local s = q.shape
      s[#s] = v.shape[v.ndim]
      return tensor.new(s, dtype)
    end
    q = rt.elem("mul", wide, nil, nil, nil, q, tensor.from_table(scale + 0.0, "float64"))
    local function one(a, b, c, m)
      return matmul(what, weights(a, b, m, causal, wide), c, dtype)
    end
    local lead = q.ndim > 3 and rt.broadcast(tensor.new({q.shape[1]}, "bool"),
      tensor.new({k.shape[1]}, "bool"))[1] or 1
    if lead == 1 or q.ndim ~= k.ndim or q.ndim ~= v.ndim then return one(q, k, v, mask) end
    local parts = {} -- slice by slice, so that the scores of all need not fit at once
    for i = 0, lead - 1 do
      local function at(t) return t:narrow(0, t.shape[1] == 1 and 0 or i, 1) end
      parts[#parts + 1] = one(at(q), at(k), at(v), mask and (mask.ndim == q.ndim and at(mask)
        or mask))
    end
    return rows.cat.fn(parts, 0)
  end,
}

-- Convolution ---------------------------------------------------------------------------

local function each(what, name, v, n, default)
  local list = {}
  for i = 1, n do
    local e = v == nil and default or type(v) == "table" and v[i] or v
    if math.type(e) ~= "integer" or e < (name == "padding" and 0 or 1) then
      rt.wrong("tl.host." .. what, name, ("%d or more"):format(name == "padding" and 0 or 1),
        tostring(e))
    end
    list[i] = e
  end
  return list
end

-- What a convolution looks at: the padded input's amounts, and in c the windows of it as a view.
--   c.amounts   as F.pad has them             c.shape, c.strides   [batch, group, out .., channels, kernel ..]
--   c.out       [batch, channels, out ..]     c.places, c.window   products of out .. and of channels, kernel ..
local function geometry(what, n, x, w, stride, padding, dilation, groups)
  need(what, "input", x, n + 2)
  need(what, "weight", w, n + 2)
  local st, di, pad = each(what, "stride", stride, n, 1), each(what, "dilation", dilation, n, 1),
    padding
  if padding == "valid" then pad = 0 end
  if padding == "same" then
    pad = {}
    for i = 1, n do pad[i] = di[i] * (w.shape[i + 2] - 1) end
  end
  local amounts = {}
  for i, p in ipairs(each(what, "padding", pad, n, 0)) do -- F.pad counts from the last
    local low = padding == "same" and p // 2 or p
    amounts[2 * (n - i) + 1], amounts[2 * (n - i) + 2] = low, padding == "same" and p - low or p
  end
  local xp = rows.pad.fn(x, amounts)
  local s, k, str = xp.shape, w.shape, xp.strides
  if s[2] ~= k[2] * groups or k[1] % groups ~= 0 then disagree(what, nil, "input", x, "weight",
    w) end
  local shape, strides, places, window = {s[1], groups}, {str[1], str[2] * k[2]}, 1, k[2]
  local out = {s[1], k[1]}
  for i = 1, n do
    local e = (s[i + 2] - di[i] * (k[i + 2] - 1) - 1) // st[i] + 1
    if e < 1 then disagree(what, nil, "input", x, "weight", w) end
    shape[#shape + 1], strides[#strides + 1] = e, str[i + 2] * st[i]
    places, out[#out + 1] = places * e, e
  end
  shape[#shape + 1], strides[#strides + 1] = k[2], str[2]
  for i = 1, n do
    shape[#shape + 1], strides[#strides + 1] = k[i + 2], str[i + 2] * di[i]
    window = window * k[i + 2]
  end
  return {xp = xp, amounts = amounts, shape = shape, strides = strides, out = out, places = places,
    window = window, batches = s[1], groups = groups, filters = k[1]}
end

-- Windows of t, a padded input or what stands for one, as matrices.
local function windows(c, t)
  local _, at = host.place(t)
  return host.strided(t, c.shape, c.strides, at):reshape {c.batches * c.groups, c.places, c.window}
end

-- The filters as a matrix for each group of each batch.
local function filters(c, w)
  local rows_ = c.filters // c.groups
  return w:reshape {1, c.groups, rows_, c.window}:expand {c.batches, c.groups, rows_, c.window}
    :reshape {c.batches * c.groups, rows_, c.window}
end

-- Windows of the padded input as a view, then one product.
local function conv(what, n, x, w, bias, stride, padding, dilation, groups)
  local lone = x.ndim == n + 1
  if lone then x = x:unsqueeze(0) end
  local c = geometry(what, n, x, w, stride, padding, dilation, groups or 1)
  local dtype = dtype_of(x, w)
  local y = product(filters(c, w), windows(c, c.xp):transpose(1, 2), bias and "float64" or dtype):reshape(c.out)
  if bias then
    local line = {c.filters}
    for i = 1, n do line[i + 1] = 1 end
    y = rt.elem("add", dtype, 1, nil, nil, y, bias:reshape(line))
  end
  return lone and y:squeeze(0) or y
end

-- The gradients of input, weight and bias: each window's part of the input's is added where the window lay.
local function conv_back(what, n)
  return function(ctx, g)
    local x, w = ctx:arg(1), ctx:arg(2)
    local lone = x.ndim == n + 1
    if lone then x, g = x:unsqueeze(0), g:unsqueeze(0) end
    local c = geometry(what, n, x, w, ctx[4], ctx[5], ctx[6], ctx[7] or 1)
    local each_ = g:reshape {c.batches * c.groups, c.filters // c.groups, c.places}
    local dw = product(each_, windows(c, c.xp), g.dtype):reshape {c.batches, c.groups, c.filters // c.groups, c.window}
    local parts = product(each_:transpose(1, 2), filters(c, w), g.dtype)
    local count = c.xp:numel()
    local where = windows(c, tensor.arange(0, count, 1, "int64"):reshape(c.xp.shape))
    local dx = rows.index_add.fn(tensor.new({count}, g.dtype), 0, where:reshape {where:numel()}, parts:reshape {where:numel()})
      :reshape(c.xp.shape)
    for i = 1, n do
      dx = rows.narrow.fn(dx, i + 1, c.amounts[2 * (n - i) + 1], x.shape[i + 2])
    end
    local dims = {0}
    for i = 1, n do dims[i + 1] = i + 1 end
    return {lone and dx:squeeze(0) or dx, rows.sum.fn(dw, {0}):reshape(w.shape), rows.sum.fn(g, dims)}
  end
end

for n = 1, 2 do
  local name = ("conv%dd"):format(n)
  def {
    name = name,
    sig = name .. "(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    types = {stride = "dims", padding = "any", dilation = "dims", groups = "int"},
    en = n == 2 and "cross-correlation of [n, c, h, w] with [o, c / groups, kh, kw]; padding may be \"same\""
      or "cross-correlation of [n, c, w] with [o, c / groups, kw]; padding may be \"same\"",
    zh = n == 2 and "二维互相关：[n, c, h, w] 与 [o, c / groups, kh, kw]；padding 可为 \"same\""
      or "一维互相关：[n, c, w] 与 [o, c / groups, kw]；padding 可为 \"same\"",
    ex = n == 2 and "print(tl.host.conv2d(tl.randn {1, 3, 8, 8}, tl.randn {4, 3, 3, 3}, {padding = 1}))"
      or "print(tl.host.conv1d(tl.randn {1, 3, 16}, tl.randn {4, 3, 5}))",
    fn = function(x, w, ...) return conv(name, n, x, w, ...) end, grad = conv_back(name, n),
  }
end
