-- tl/host/einops.lua: einops' rearrange, repeat and reduce.
--
--     rearrange(x, "b (h d) s -> b h s d", {h = 8})
--
-- A side is a list of axes; an axis is a list of names, of one but for groups in parentheses.  `...`
-- stands for the dimensions that nobody names, "1" or "()" for one of 1.

local diag = require "moontile.diag"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local registry = require "moontile.tl.host.registry"
local tensor = require "moontile.tensor"
local def, rows = registry.def, registry.rows

local function side(pattern, text)
  local list, group = {}, nil
  text = text:gsub("%.%.%.", "\u{2026}"):gsub("[()]", " %0 ")
  for word in text:gmatch "%S+" do
    if word == "(" and not group then
      group = {together = true}
      list[#list + 1] = group
    elseif word == ")" and group then
      group = nil
    elseif word == "\u{2026}" or word == "1" or word:find "^[%a_][%w_]*$" then
      local name = word == "\u{2026}" and "..." or word
      if group then
        if name ~= "1" then group[#group + 1] = name end
      else
        list[#list + 1] = name == "1" and {} or {name}
      end
    else
      diag.fail("ops_pattern", "einops", pattern, ("`%s` is not understood"):format(word))
    end
  end
  if group then diag.fail("ops_pattern", "einops", pattern, "a `(` without its `)`") end
  return list
end

local function parse(pattern)
  local left, right = pattern:match "^(.-)%->(.*)$"
  if not left then diag.fail("ops_pattern", "einops", pattern, "no `->`") end
  return side(pattern, left), side(pattern, right)
end

-- `...` as names of its own, "...1" and so on; `count` dimensions.
local function spread(list, count)
  local out = {}
  for _, axis in ipairs(list) do
    local names = {together = axis.together}
    for _, name in ipairs(axis) do
      if name == "..." then
        for i = 1, count do names[#names + 1] = "..." .. i end
      else
        names[#names + 1] = name
      end
    end
    if #axis == 1 and axis[1] == "..." and not axis.together then
      for _, name in ipairs(names) do out[#out + 1] = {name} end
    else
      out[#out + 1] = names
    end
  end
  return out
end

-- The extents of the names on the left, by x's shape and the sizes that were given.
local function extents(pattern, x, left, sizes)
  local size, shape = {}, x.shape
  for name, n in pairs(sizes) do size[name] = n end
  for i, axis in ipairs(left) do
    local known, open = 1, nil
    for _, name in ipairs(axis) do
      if size[name] then known = known * size[name]
      elseif open then diag.fail("ops_pattern", "einops", pattern,
        ("neither `%s` nor `%s` has a size"):format(open, name))
      else open = name end
    end
    local n = shape[i]
    if open and known > 0 and n % known == 0 then
      size[open] = n // known
    elseif open or known ~= n then
      diag.fail("ops_pattern", "einops", pattern,
        ("axis %d of %s is not a multiple of %d"):format(i - 1, rules.shape_text(x), known))
    end
  end
  return size
end

local function flat(list)
  local names, at = {}, {}
  for _, axis in ipairs(list) do
    for _, name in ipairs(axis) do
      names[#names + 1] = name
      at[name] = #names
    end
  end
  return names, at
end

-- kind: "rearrange", "repeat" or "reduce"
local function transform(kind, x, pattern, sizes, op)
  local left, right = parse(pattern)
  local dots = 0
  for _, axis in ipairs(left) do
    if axis[1] == "..." and #axis == 1 then dots = x.ndim - #left + 1 end
  end
  left, right = spread(left, dots), spread(right, dots)
  if #left ~= x.ndim then
    diag.fail("ops_pattern", "einops", pattern, ("%d axes for %s"):format(#left,
      rules.shape_text(x)))
  end
  local size = extents(pattern, x, left, sizes)
  local names, at = flat(left)
  local wanted, place = flat(right)
  local shape = {}
  for i, name in ipairs(names) do shape[i] = size[name] end
  local y = x:reshape(shape)
  local gone = {}
  for i = #names, 1, -1 do
    if not place[names[i]] then
      if kind ~= "reduce" and size[names[i]] ~= 1 then
        diag.fail("ops_pattern", "einops", pattern, ("`%s` is on one side only"):format(names[i]))
      end
      table.insert(gone, 1, i - 1)
      table.remove(names, i)
    end
  end
  if #gone > 0 then
    y = kind == "reduce" and op(y, gone) or rows.squeeze.fn(y, gone)
    at = select(2, flat {names})
  end
  local perm, full = {}, {}
  for _, name in ipairs(wanted) do
    if at[name] then perm[#perm + 1] = at[name] - 1 end
  end
  y = #perm > 0 and y:permute(perm) or y
  for i, name in ipairs(wanted) do
    if not at[name] then
      if kind ~= "repeat" or not size[name] then
        diag.fail("ops_pattern", "einops", pattern, ("`%s` has no size"):format(name))
      end
      y = y:unsqueeze(i - 1)
    end
    full[i] = size[name]
  end
  y = y:expand(full)
  local out = {}
  for i, axis in ipairs(right) do
    out[i] = 1
    for _, name in ipairs(axis) do out[i] = out[i] * size[name] end
  end
  return y:reshape(out)
end

-- Sizes come by name, any names: the last table.
local function sizes_of(t)
  if t ~= nil and not tensor.isplain(t) then rt.wrong("einops", "sizes", "sizes by name",
    type(t)) end
  for name, n in pairs(t or {}) do
    if math.type(n) ~= "integer" or n < 0 then rt.wrong("einops", tostring(name), "an integer",
      tostring(n)) end
  end
  return t or {}
end

local function input_of(x)
  return type(x) == "table" and rows.stack.fn(x, 0) or x
end

def {
  name = "rearrange", sig = "rearrange(input, pattern, **sizes)", open = "sizes",
  types = {input = "stack", sizes = "any"},
  en = "dimensions cut, joined and moved as the pattern says, with sizes of names in a table",
  zh = "按模式拆分、合并、重排各维；名称的大小写在表中",
  ex = "print(tl.host.rearrange(x, \"a (b c) -> b a c\", {b = 2}))",
  fn = function(x, pattern, sizes) return transform("rearrange", input_of(x), pattern,
    sizes_of(sizes)) end,
}
def {
  name = "einops_repeat", sig = "einops_repeat(input, pattern, **sizes)", open = "sizes",
  types = {input = "stack", sizes = "any"},
  en = "as rearrange; names on the right alone repeat the elements",
  zh = "同 rearrange；只在右边出现的名称表示重复",
  ex = "print(tl.host.einops_repeat(w, \"a -> a b\", {b = 2}))",
  fn = function(x, pattern, sizes) return transform("repeat", input_of(x), pattern,
    sizes_of(sizes)) end,
}
def {
  name = "einops_reduce", sig = "einops_reduce(input, pattern, reduction, **sizes)", open = "sizes",
  types = {input = "stack", sizes = "any", reduction = "any"},
  en = 'as rearrange; names on the left alone are reduced: "sum", "mean", "max", "min", "prod"',
  zh = '同 rearrange；只在左边出现的名称被归约："sum"、"mean"、"max"、"min"、"prod"',
  ex = "print(tl.host.einops_reduce(x, \"a (b c) -> a b\", \"mean\", {c = 2}))",
  fn = function(x, pattern, reduction, sizes)
    local op = ({sum = rows.sum, mean = rows.mean, max = rows.amax, min = rows.amin,
      prod = rows.prod, any = rows.any, all = rows.all})[reduction]
    if not op then rt.wrong("einops", "reduction",
      '"sum", "mean", "max", "min", "prod", "any" or "all"', tostring(reduction)) end
    local function run(t, dims)
      if reduction ~= "prod" then return op.fn(t, dims) end
      for i = #dims, 1, -1 do t = op.fn(t, dims[i]) end
      return t
    end
    return transform("reduce", input_of(x), pattern, sizes_of(sizes), run)
  end,
}
