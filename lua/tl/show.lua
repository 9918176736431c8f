-- moontile.tl.show: tensors as text, as NumPy prints them.
--
--   print(tl.randn({1024, 512}, "float16"))
--
--   [[-0.1215  -1.35    -0.08185 ... -1.929    0.685    0.69   ]
--    [ 0.663    0.33    -0.2021  ... -0.575    0.2761   1.26   ]
--    [-0.6313  -0.2166  -2.135   ... -1.906    0.7583  -0.7637 ]
--    ...
--    [ 1.225    0.9116  -0.4595  ... -0.1722  -0.4363  -0.486  ]
--    [ 0.8584  -2.1      0.924   ...  1.2295   0.6626   1.539  ]
--    [ 0.861    0.888   -1.299   ...  0.2815  -0.2876   0.581  ]]
--   tensor 1024x512 float16, min -4.5 max 4.719 mean 0.000821
--
-- Up to 1000 elements are shown in full; beyond that three at each end of a
-- dimension, and a last line sums up the tensor.  The columns line up on the
-- decimal point, zeros at the end of a fraction are left out, and a column
-- whose numbers differ too much in size is written with exponents.

local tensor = require "moontile.tensor"
local ref = require "moontile.ref"

local M = {}

M.options = {threshold = 1000, edgeitems = 3, linewidth = 75, precision = 8}

-- What stands for an element that has no value; see M.tensor.
function M.hole()
  local locale = os.setlocale(nil, "ctype") or ""
  return locale:upper():find "UTF" and "\u{b7}" or "_"
end

local Hole = {}

-- Which elements are shown -------------------------------------------------------

-- The indices shown of a dimension of extent n; false stands for "...".
local function shown(n, edge)
  local list = {}
  if edge and n > 2 * edge then
    for i = 0, edge - 1 do list[#list + 1] = i end
    list[#list + 1] = false
    for i = n - edge, n - 1 do list[#list + 1] = i end
  else
    for i = 0, n - 1 do list[#list + 1] = i end
  end
  return list
end

-- The shown elements of t as nested lists; false where "..." stands, and every
-- value once more in the flat list `all`.
local function collect(t, edge, all, mask)
  if t.ndim == 0 then
    local v = t:item()
    all[1] = v
    return v
  end
  local out = {}
  local last = t.ndim == 1
  for k, i in ipairs(shown(t.shape[1], edge)) do
    if not i then
      out[k] = false
    elseif last then
      local v = t[i]
      if v == false then v = 0 elseif v == true then v = 1 end
      local hole = mask and (mask[i] == true or mask[i] == 1)
      out[k] = hole and Hole or v
      all[#all + 1] = not hole and v or nil
    else
      out[k] = collect(t[i], edge, all, mask and mask[i])
    end
  end
  return out
end

-- How one element is written -------------------------------------------------------

local function pad(s, width)
  return (" "):rep(width - #s) .. s
end

local function finite(v)
  return v == v and v ~= math.huge and v ~= -math.huge
end

-- Integers and bools: as wide as the widest.
local function plain_format(all, spell)
  local width = 0
  for _, v in ipairs(all) do width = math.max(width, #spell(v)) end
  return function(v)
    return pad(spell(v), width)
  end
end

local function spell_bool(v)
  return (v == true or v == 1) and "true" or "false"
end

local function spell_unsigned(v)
  if v >= 0 then return ("%d"):format(v) end
  local tens = (v >> 1) // 5
  return ("%d%d"):format(tens, v - tens * 10)
end

local function spell_integer(v)
  return ("%d"):format(v)
end

-- NumPy's rule: exponents when a number is 1e8 or more, under 1e-4, or 1000
-- times another.
local function needs_exponent(all)
  local max, min = 0, math.huge
  for _, v in ipairs(all) do
    v = math.abs(v)
    if finite(v) and v ~= 0 then
      max, min = math.max(max, v), math.min(min, v)
    end
  end
  return max >= 1e8 or (max > 0 and (min < 1e-4 or max / min > 1000))
end

-- The parts of a number before and after the point, the point with the first.
local function split(s)
  local whole, fraction = s:match("^(.-%.)(.*)$")
  return whole, fraction
end

-- Numbers with exponents: as many digits for all as the longest one needs, and
-- exponents equally long.
local function scientific(all, dtype, precision)
  local whole_width, digits, exponent_digits = 0, 0, 2
  for _, v in ipairs(all) do
    if finite(v) then
      local s, e = ref.decimal(v, dtype, true, precision)
      local whole, fraction = split(s)
      whole_width = math.max(whole_width, #whole)
      digits = math.max(digits, #fraction)
      exponent_digits = math.max(exponent_digits, #tostring(math.abs(e)))
    end
  end
  local width = whole_width + digits + 2 + exponent_digits
  local form = ("%%.%de"):format(digits)
  return width, function(v)
    local number, sign, e = form:format(v):match("^(.-)e([+-])(%d+)$")
    return (digits == 0 and number .. "." or number) .. "e" .. sign
      .. ("0"):rep(exponent_digits - #e) .. e
  end
end

-- Plain numbers: lined up on the point, filled with blanks.
local function positional(all, dtype, precision)
  local whole_width, fraction_width = 0, 0
  for _, v in ipairs(all) do
    if finite(v) then
      local whole, fraction = split((ref.decimal(v, dtype, false, precision)))
      whole_width = math.max(whole_width, #whole)
      fraction_width = math.max(fraction_width, #fraction)
    end
  end
  return whole_width + fraction_width, function(v)
    local whole, fraction = split((ref.decimal(v, dtype, false, precision)))
    return pad(whole, whole_width) .. fraction .. (" "):rep(fraction_width - #fraction)
  end
end

local function float_format(all, dtype, precision)
  local form = needs_exponent(all) and scientific or positional
  local width, write = form(all, dtype, precision)
  local least = 0
  for _, v in ipairs(all) do
    if not finite(v) then
      least = math.max(least, #(ref.decimal(v, dtype, false, precision)))
    end
  end
  width = math.max(width, least)
  return function(v)
    if not finite(v) then
      return pad((ref.decimal(v, dtype, false, precision)), width)
    end
    return pad(write(v), width)
  end
end

-- The same with holes, as wide as a number.
local function with_holes(all, format)
  local width, sign = all[1] and #format(all[1]) or 1, M.hole()
  return function(v)
    return v == Hole and (" "):rep(width - 1) .. sign or format(v)
  end
end

local function formatter(all, dtype, precision)
  if dtype == "bool" then
    return plain_format(all, spell_bool)
  elseif dtype == "uint64" then
    return plain_format(all, spell_unsigned)
  elseif dtype:find("int") then
    return plain_format(all, spell_integer)
  end
  return float_format(all, dtype, precision)
end

-- Brackets and lines -----------------------------------------------------------------

-- One innermost row, broken where the line is full.
local function row(values, format, indent, width)
  local lines, line = {}, indent
  local n = #values
  for k, v in ipairs(values) do
    local word = v == false and "..." or format(v)
    if #line + #word > width - 1 and #line > #indent then
      lines[#lines + 1] = line:gsub("%s+$", "")
      line = indent
    end
    line = line .. word .. (k < n and " " or "")
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function nest(values, depth, format, indent, width)
  local s
  if depth == 1 then
    s = row(values, format, indent, width)
  else
    local parts = {}
    for k, v in ipairs(values) do
      parts[k] = indent
        .. (v == false and "..." or nest(v, depth - 1, format, indent .. " ", width - 1))
    end
    s = table.concat(parts, ("\n"):rep(depth - 1))
  end
  return "[" .. s:sub(#indent + 1) .. "]"
end

-- The summary of a large tensor ----------------------------------------------------------

-- Beyond this many elements, a sample is read: printing must not take long.
local exact_limit, sample = 1 << 20, 1 << 18

local function dims(t)
  return table.concat(t.shape, "x")
end

-- A view of about `sample` elements spread over t: of every dimension so many
-- in equal steps.
local function thin(t)
  local over = t:numel() / sample
  for d = t.ndim - 1, 0, -1 do
    local n = t.shape[d + 1]
    local step = math.min(n, math.ceil(over ^ (1 / (d + 1))))
    over = over / step
    t = t:stepped(d, step)
  end
  return t
end

local function summary(t)
  local n = t:numel()
  local part = n > exact_limit and thin(t) or t
  local min, max, sum, count, nan, inf = ref.stats(part)
  local text = {("tensor %s %s"):format(dims(t), t.dtype)}
  if t.dtype == "bool" then
    text[#text + 1] = ("%d true"):format(sum)
  elseif count > nan then
    local real = math.max(count - nan - inf, 1)
    text[#text + 1] = ("min %.4g max %.4g mean %.3g"):format(min, max, sum / real)
  end
  if nan > 0 then text[#text + 1] = nan .. " nan" end
  if inf > 0 then text[#text + 1] = inf .. " inf" end
  if part ~= t then
    text[#text + 1] = ("of a sample of %d"):format(part:numel())
  end
  return table.concat(text, ", ")
end
M.summary = summary

-- M.tensor(t): the text of t.  mask: a bool tensor of the elements that have no value;
-- with: options instead of M.options.
function M.tensor(t, mask, with)
  if tensor.unseen(t) then
    return t.ndim == 0 and "?" or ("tensor %s %s, not computed"):format(dims(t), t.dtype)
  end
  local o = with or M.options
  local n = t:numel()
  local large = n > o.threshold
  -- in many dimensions even three at each end are many
  local edge = large and (t.ndim <= 4 and o.edgeitems or 1) or nil
  local all = {}
  local values = collect(t, edge, all, mask)
  local format = formatter(all, t.dtype, o.precision)
  if mask then
    format = with_holes(all, format)
  end
  if t.ndim == 0 then
    return (format(values):gsub("^%s+", ""):gsub("%.$", ".0"))
  elseif n == 0 then
    return ("[] (shape %s, %s)"):format(dims(t), t.dtype)
  end
  local text = nest(values, t.ndim, format, " ", o.linewidth)
  return large and text .. "\n" .. summary(t) or text
end

M.istensor = tensor.istensor

return M
