-- python/format.lua: the format mini-language, printf-style %, and str.format.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local number = require "moontile.python.number"
local text = require "moontile.python.text"

local M = {}

local mtype, type = math.type, type
local late = core.late
local huge = math.huge

-- The specification ----------------------------------------------------------------------------

-- [[fill]align][sign][z][#][0][width][,_][.precision][type]
local function parse(spec)
  local s, rest = {}, spec
  local fill, align, tail = rest:match "^([%z\1-\127\xc2-\xf4][\x80-\xbf]*)([<>=^])(.*)$"
  if not fill then
    align, tail = rest:match "^([<>=^])(.*)$"
  end
  s.fill, s.align, rest = fill, align, tail or rest
  s.sign, rest = rest:match "^([-+ ]?)(.*)$"
  s.nozero, rest = rest:match "^(z?)(.*)$"
  s.alt, rest = rest:match "^(#?)(.*)$"
  s.zero, rest = rest:match "^(0?)(.*)$"
  s.width, s.group, rest = rest:match "^(%d*)([,_]?)(.*)$"
  local precision, kind = rest:match "^%.(%d+)(.*)$"
  s.precision, rest = precision and math.min(tonumber(precision), 99), kind or rest
  if rest:find "^%." then
    exc.fail("ValueError", "Format specifier missing precision")
  elseif #rest > 1 then
    return nil
  end
  s.kind, s.width = rest, tonumber(s.width) or 0
  if s.zero == "0" then
    s.fill, s.align = s.fill or "0", s.align or "="
  end
  return s
end

-- Characters of a text.
local function length(s)
  return s:find "[\x80-\xff]" and utf8.len(s, 1, -1, true) or #s
end
M.length = length

-- The text in its field: `sign` stands before what `=` fills.
local function padded(s, sign, body, usual)
  local missing = s.width - length(sign) - length(body)
  if missing <= 0 then
    return sign .. body
  end
  local fill, align = s.fill or " ", s.align or usual
  if align == "<" then
    return sign .. body .. fill:rep(missing)
  elseif align == ">" then
    return fill:rep(missing) .. sign .. body
  elseif align == "=" then
    return sign .. fill:rep(missing) .. body
  end
  return fill:rep(missing // 2) .. sign .. body .. fill:rep(missing - missing // 2)
end

-- Digits in groups: 1234567 -> 1,234,567
local function grouped(digits, mark, size)
  local first = #digits % size
  local parts = {}
  if first > 0 then
    parts[1] = digits:sub(1, first)
  end
  for i = first + 1, #digits, size do
    parts[#parts + 1] = digits:sub(i, i + size - 1)
  end
  return table.concat(parts, mark)
end

-- A number's digits grouped, and zeros in front grouped with them where `=` fills with zeros.
local function with_groups(s, sign, whole, rest, size)
  if s.group == "" then
    return whole .. rest
  end
  if s.fill == "0" and s.align == "=" then
    local room = s.width - #sign - #rest
    while #grouped(whole, s.group, size) < room do
      whole = "0" .. whole
      if #grouped(whole, s.group, size) > room then
        break
      end
    end
  end
  return grouped(whole, s.group, size) .. rest
end

local function sign_of(s, negative)
  return negative and "-" or s.sign == "-" and "" or s.sign
end

-- Integers --------------------------------------------------------------------------------------

-- Digits of v >= 0 (as unsigned) in base 2, 8 or 16.
local function digits(v, bits)
  if v == 0 then
    return "0"
  end
  local parts = {}
  while v ~= 0 do
    table.insert(parts, 1, ("%x"):format(v & ((1 << bits) - 1)))
    v = v >> bits
  end
  return table.concat(parts)
end

local bases = {b = {1, "0b"}, o = {3, "0o"}, x = {4, "0x"}, X = {4, "0X"}}

-- hex(v), oct(v), bin(v)
function M.based(v, kind)
  local b = bases[kind]
  return (v < 0 and "-" or "") .. b[2] .. digits(v < 0 and -v or v, b[1])
end

local function bad_code(s, v)
  exc.fail("ValueError", ("Unknown format code '%s' for object of type '%s'"):format(s.kind, core.typename(v)))
end

-- The character of a code point, of %c and {:c}.
function M.character(v)
  if v < 0 or v > 0x10ffff then
    exc.fail("OverflowError", "%c arg not in range(0x110000)")
  end
  return utf8.char(v)
end

-- Digits with zeros in front: the precision of %d.
local function at_least(body, n)
  return n and #body < n and ("0"):rep(n - #body) .. body or body
end

-- given: the value as it was, which may be a truth value
local function integer(v, s, given)
  local sign, body = sign_of(s, v < 0), nil
  local b = bases[s.kind]
  if s.precision then
    exc.fail("ValueError", "Precision not allowed in integer format specifier")
  elseif b then
    body = at_least(digits(v < 0 and -v or v, b[1]), s.least)
    body = s.kind == "X" and body:upper() or body
    sign = sign .. (s.alt == "#" and b[2] or "")
  elseif s.kind == "c" then
    if s.sign ~= "" then
      exc.fail("ValueError", "Sign not allowed with integer format specifier 'c'")
    elseif s.alt ~= "" then
      exc.fail("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'")
    end
    return padded(s, "", M.character(v), "<")
  elseif s.kind == "" or s.kind == "d" or s.kind == "n" then
    body = at_least(("%d"):format(v):gsub("^-", ""), s.least)
  else
    bad_code(s, given)
  end
  return padded(s, sign, with_groups(s, sign, body, "", b and 4 or 3), ">")
end

-- Floats ----------------------------------------------------------------------------------------

-- "1.50e+00" from digits and the decimal exponent, as %g lays them out
local function general(x, s, precision)
  local p = precision == 0 and 1 or precision
  local t = ("%%.%de"):format(p - 1):format(x)
  local e = tonumber(t:match "e([-+]%d+)$")
  if e < -4 or e >= p then
    local mantissa, tail = t:match "^(.-)(e.*)$"
    if s.alt == "" and mantissa:find(".", 1, true) then
      mantissa = mantissa:gsub("0+$", ""):gsub("%.$", "")
    end
    return mantissa, tail
  end
  t = ("%%.%df"):format(math.max(p - 1 - e, 0)):format(x)
  if s.alt == "" and t:find(".", 1, true) then
    t = t:gsub("0+$", ""):gsub("%.$", "")
  end
  return t, ""
end

-- Without a type: as repr, or %g with at least one digit behind the point.
local function plain(x, s)
  if not s.precision then
    local t = number.float_repr(x)
    return t:match "^(.-)(e.*)$" or t, t:match "e.*$" or ""
  end
  local mantissa, tail = general(x, s, s.precision)
  if tail == "" and not mantissa:find(".", 1, true) then
    local p = s.precision == 0 and 1 or s.precision
    if #mantissa >= p and p > 0 then
      local t = ("%%.%de"):format(p - 1):format(x)
      return t:match "^(.-)(e.*)$", t:match "e.*$"
    end
    mantissa = mantissa .. ".0"
  end
  return mantissa, tail
end

-- The digits of x >= 0: what groups, and the exponent or the percent sign behind.
local function float_body(x, s)
  local kind = s.kind:lower()
  local p = s.precision or 6
  if x == huge or x ~= x then
    local word = x == huge and "inf" or "nan"
    return s.kind:find "%u" and word:upper() or word, kind == "%" and "%" or ""
  elseif kind == "f" then
    return ("%%.%df"):format(p):format(x), ""
  elseif kind == "%" then
    return ("%%.%df"):format(p):format(x * 100), "%"
  elseif kind == "e" then
    local t = ("%%.%de"):format(p):format(x)
    return t:match "^(.-)(e.*)$", t:match "e.*$"
  elseif kind == "g" or kind == "n" then
    return general(x, s, p)
  end
  return plain(x, s)
end

local float_kinds = {[""] = true, e = true, E = true, f = true, F = true, g = true, G = true, n = true,
  ["%"] = true}

local function float(x, s)
  if not float_kinds[s.kind] then
    bad_code(s, x)
  end
  local negative = x < 0 or x == 0 and 1 / x < 0
  local body, tail = float_body(negative and -x or x, s)
  if s.kind == "E" or s.kind == "G" then
    tail = tail:upper()
  end
  if negative and s.nozero == "z" and not body:find "[1-9]" then
    negative = false
  end
  local sign = sign_of(s, negative)
  if s.alt == "#" and body:find "^%d+$" then
    body = body .. "."
  end
  local whole, rest = body:match "^(%d+)(.*)$"
  if not whole then
    return padded(s, sign, body .. tail, ">")
  end
  return padded(s, sign, with_groups(s, sign, whole, rest .. tail, 3), ">")
end

-- Every value -----------------------------------------------------------------------------------

local function string(v, s)
  if s.kind ~= "" and s.kind ~= "s" then
    bad_code(s, v)
  elseif s.group ~= "" then -- of no kind
    exc.fail("ValueError", ("Cannot specify '%s' with 's'."):format(s.group))
  elseif s.sign ~= "" then
    exc.fail("ValueError", "Sign not allowed in string format specifier")
  elseif s.align == "=" and s.zero == "" then
    exc.fail("ValueError", "'=' alignment not allowed in string format specifier")
  end
  if s.precision and length(v) > s.precision then
    v = v:sub(1, (utf8.offset(v, s.precision + 1) or #v + 1) - 1)
  end
  if s.align == "=" then
    s = {width = s.width, fill = s.fill, align = "<"}
  end
  return padded(s, "", v, "<")
end

local parsed, nparsed = {}, 0 -- specifications that were read

-- The specification, read once.
local function read(spec)
  local s = parsed[spec]
  if s == nil then
    s = parse(spec)
    if nparsed > 500 then
      parsed, nparsed = {}, 0
    end
    parsed[spec], nparsed = s, nparsed + 1
  end
  return s
end

-- Kinds whose digits groups are made of; in base 2, 8 and 16 with `_` alone.
local groups = {[""] = ",_", d = ",_", e = ",_", E = ",_", f = ",_", F = ",_", g = ",_", G = ",_", ["%"] = ",_", b = "_", o = "_",
  x = "_", X = "_"}

local function by_spec(v, spec, given)
  local s = read(spec)
  if not s then
    exc.fail("ValueError", ("Invalid format specifier '%s' for object of type '%s'"):format(spec, core.typename(v)))
  elseif s.group ~= "" and not (groups[s.kind] or ""):find(s.group, 1, true) then
    exc.fail("ValueError", ("Cannot specify '%s' with '%s'."):format(s.group, s.kind))
  elseif type(v) == "string" then
    return string(v, s)
  elseif mtype(v) == "float" then
    return float(v, s)
  elseif float_kinds[s.kind] and s.kind ~= "" and s.kind ~= "n" then
    return float(v + 0.0, s)
  end
  return integer(v, s, given == nil and v or given)
end

-- format(v, spec)
function M.format(v, spec)
  local f = core.user_special(v, "__format__")
  if f then
    return late.call(f, v, spec)
  end
  local box = core.unbox(v)
  if spec == "" then
    return late.str(late.scalar(v) and v:item() or v)
  elseif type(box) == "string" or mtype(box) then
    return by_spec(box, spec)
  elseif type(v) == "boolean" then
    return by_spec(v and 1 or 0, spec, v)
  elseif late.unseen and late.unseen(v) then
    return "?"
  elseif late.scalar(v) or core.foreign(v) and core.typename(v) ~= "Tensor" then
    return M.format(late.foreign_value(v), spec)
  end
  exc.fail("TypeError", ("unsupported format string passed to %s.__format__"):format(core.typename(v)))
end

local conversions = {r = text.repr, s = text.str, a = text.ascii}
M.conversions = conversions

local fixed = {} -- "2" -> "%.2f"
for i = 0, 9 do
  fixed[tostring(i)] = ("%%.%df"):format(i)
end

-- A field of an f-string: its text.  conversion "r", "s", "a" or nil; spec or nil
function M.field(v, conversion, spec)
  if conversion then
    v = conversions[conversion](v)
  end
  if mtype(v) == "float" and spec then
    local places = spec:match "^%.(%d)f$"
    if places and v - v == 0 then
      return fixed[places]:format(v)
    end
  end
  if spec == nil or spec == "" then
    if type(v) == "string" then
      return v
    elseif late.scalar(v) then
      return text.str(v:item())
    elseif not core.user_special(v, "__format__") then
      return text.str(v)
    end
  end
  return M.format(v, spec or "")
end

-- printf ------------------------------------------------------------------------------------------

-- The value as a number of the kind that a conversion wants.
local function numeric(v, kind)
  local x = core.unbox(v)
  if core.foreign(x) then
    x = late.number(x) or x
  end
  if type(x) == "boolean" then
    x = x and 1 or 0
  end
  if not mtype(x) then
    exc.fail("TypeError", kind:find "[di]" and ("%%%s format: a real number is required, not %s"):format(kind, core.typename(v))
      or kind:find "[xXo]" and ("%%%s format: an integer is required, not %s"):format(kind, core.typename(v))
      or ("must be real number, not %s"):format(core.typename(v)))
  end
  return x
end

local function one(v, flags, width, precision, kind)
  local s = {sign = flags:find("+", 1, true) and "+" or flags:find(" ", 1, true) and " " or "-", group = "",
    alt = flags:find("#", 1, true) and "#" or "", width = width or 0, nozero = "", zero = "",
    align = flags:find("-", 1, true) and "<" or ">", kind = kind}
  if flags:find("0", 1, true) and not flags:find("-", 1, true) then
    s.fill, s.align = "0", "="
  end
  if kind == "s" or kind == "r" or kind == "a" then
    s.precision, s.sign, s.kind, s.fill = precision, "", "s", nil
    s.align = s.align == "=" and ">" or s.align
    return string(conversions[kind](v), s)
  elseif kind == "c" then
    s.sign, s.kind = "", "s"
    local x = core.unbox(v)
    x = type(x) == "boolean" and (x and 1 or 0) or x
    if mtype(x) ~= "integer" and (type(x) ~= "string" or length(x) ~= 1) then
      exc.fail("TypeError", "%c requires int or char")
    end
    return string(type(x) == "string" and x or M.character(x), s)
  end
  local x = numeric(v, kind)
  if mtype(x) == "float" and kind:find "[xXo]" then
    exc.fail("TypeError", ("%%%s format: an integer is required, not %s"):format(kind, core.typename(v)))
  elseif kind:find "[diuxXo]" then
    x = mtype(x) == "float" and number.truncate(x) or x
    s.kind = kind:find "[diu]" and "d" or kind
    s.least = precision
    return integer(x, s)
  end
  s.precision = precision
  return float(x * 1.0, s) -- not + 0.0, which loses the sign of -0.0
end

-- What may be left over, as if its fields were taken by name.
local mappings = {dict = true, list = true, range = true, bytes = true}

-- text % v
function M.percent(s, v)
  local values = core.istuple(v) and v or core.pack(v)
  local used, named = 0, false
  local function take()
    used = used + 1
    if used > values.n then
      exc.fail("TypeError", "not enough arguments for format string")
    end
    return values[used]
  end
  local out, at = {}, 1
  while true do
    local i = s:find("%", at, true)
    out[#out + 1] = s:sub(at, (i or 0) - 1)
    if not i then
      break
    end
    local key, flags, width, precision, kind, to = s:match("^%%(%b())([-+ #0]*)(%*?%d*)%.?(%*?%d*)[hlL]?(.)()", i)
    if not key then
      flags, width, precision, kind, to = s:match("^%%([-+ #0]*)(%*?%d*)%.?(%*?%d*)[hlL]?(.)()", i)
    end
    if not kind then
      exc.fail("ValueError", "incomplete format")
    elseif kind == "%" and to == i + 2 then
      out[#out + 1] = "%"
    elseif not kind:find "[diuoxXeEfFgGcrsa]" then
      if used == values.n and not key then take() end
      exc.fail("ValueError", ("unsupported format character '%s' (0x%x) at index %d"):format(kind, kind:byte(), to - 2))
    else
      width = width == "*" and take() or tonumber(width)
      local dot = s:sub(i, to - 1):find(".", 1, true)
      precision = precision == "*" and take() or tonumber(precision) or dot and 0 or nil
      local value
      if key then
        named, value = true, late.index(v, key:sub(2, -2))
      else
        value = take()
      end
      out[#out + 1] = one(value, flags, width, precision, kind)
    end
    at = to
  end
  if used < values.n and not named and not mappings[core.kind(v)] and not core.user_special(v, "__getitem__") then
    exc.fail("TypeError", "not all arguments converted during string formatting")
  end
  return table.concat(out)
end

-- str.format --------------------------------------------------------------------------------------

-- Takes "name.attr[0]" apart: the value that it names.
local function lookup(path, args, kw, auto)
  local first, rest = path:match "^([^.%[]*)(.*)$"
  local v
  if first == "" then
    first = auto()
  end
  if tonumber(first) then
    v = args[tonumber(first) + 1]
    if v == nil then
      exc.fail("IndexError", ("Replacement index %s out of range for positional args tuple"):format(first))
    end
  else
    v = kw and late.index(kw, first)
    if v == nil then
      exc.fail("KeyError", first)
    end
  end
  for mark, name in rest:gmatch "([.%[])([^.%[%]]+)" do
    if mark == "." then
      v = late.attr(v, name)
    else
      v = late.index(v, math.tointeger(tonumber(name)) or name)
    end
  end
  return v
end

local expand

-- The field that opens at i: its text, and where it ends.
local function replacement(s, i, args, kw, auto)
  local body, to = s:match("^(%b{})()", i)
  if not body then
    exc.fail("ValueError", "expected '}' before end of string")
  end
  body = body:sub(2, -2)
  local path, conversion, spec = body:match "^([^!:]*)!(%a):?(.*)$"
  if not path then
    path, spec = body:match "^([^:]*):?(.*)$"
  end
  local v = lookup(path, args, kw, auto)
  if spec:find("{", 1, true) then
    spec = expand(spec, args, kw, auto)
  end
  return M.field(v, conversion, spec), to
end

function expand(s, args, kw, auto)
  local out, at = {}, 1
  while true do
    local i = s:find("[{}]", at)
    out[#out + 1] = s:sub(at, (i or 0) - 1)
    if not i then
      return table.concat(out)
    end
    local two = s:sub(i, i + 1)
    if two == "{{" or two == "}}" then
      out[#out + 1], at = two:sub(1, 1), i + 2
    elseif two:sub(1, 1) == "}" then
      exc.fail("ValueError", "Single '}' encountered in format string")
    else
      out[#out + 1], at = replacement(s, i, args, kw, auto)
    end
  end
end

-- s.format(*args, **kw); args: a list, kw: a dict or nil
function M.expand(s, args, kw)
  local n = -1
  return expand(s, args, kw, function()
    n = n + 1
    return tostring(n)
  end)
end

return M
