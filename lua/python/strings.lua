-- python/strings.lua: the methods of str and bytes.

local codec = require "moontile.python.codec"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local format = require "moontile.python.format"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local letters = require "moontile.python.letters"
local native = require "moontile.python.native"
local places = require "moontile.python.places"
local printable = require "moontile.python.text".printable

local M = {}

local getmt, type = debug.getmetatable, type
local None = core.None
local text_length, whole = index.text_length, index.whole

local function text(v, what)
  v = core.unbox(v)
  if type(v) ~= "string" then
    exc.fail("TypeError", (what or "must be str, not %s"):format(core.typename(v)))
  end
  return v
end

local function given(v)
  return v ~= nil and v ~= None
end

-- Cutting -------------------------------------------------------------------------------------------

local function whitespace_split(s, max)
  local parts, at = {}, s:find "%S"
  while at do
    if max >= 0 and #parts == max then
      parts[#parts + 1] = s:sub(at)
      break
    end
    local to = s:find("%s", at) or #s + 1
    parts[#parts + 1] = s:sub(at, to - 1)
    at = s:find("%S", to)
  end
  return parts
end

local function separator(sep, what)
  sep = text(sep, what)
  if sep == "" then
    exc.fail("ValueError", "empty separator")
  end
  return sep
end

local function split(s, sep, max)
  max = max == nil and -1 or whole(max)
  if not given(sep) then
    return core.list(whitespace_split(s, max))
  end
  sep = separator(sep, "must be str or None, not %s")
  local parts, at = {}, 1
  while max < 0 or #parts < max do
    local i, j = s:find(sep, at, true)
    if not i then
      break
    end
    parts[#parts + 1], at = s:sub(at, i - 1), j + 1
  end
  parts[#parts + 1] = s:sub(at)
  return core.list(parts)
end

-- The last place of `what` in s, or nil.
local function last(s, what)
  local at, from = nil, 1
  while true do
    local i = s:find(what, from, true)
    if not i then
      return at
    end
    at, from = i, i + 1
  end
end

local function rsplit(s, sep, max)
  max = max == nil and -1 or whole(max)
  if max < 0 then
    return split(s, sep)
  end
  local parts = {}
  if not given(sep) then
    s = s:match "^(.-)%s*$" -- what is left over keeps its front
    while #parts < max and s ~= "" do
      local head, word = s:match "^(.-)%s+(%S+)$"
      if not head then
        head, word = "", s
      end
      table.insert(parts, 1, word)
      s = head
    end
    if s ~= "" then
      table.insert(parts, 1, s)
    end
    return core.list(parts)
  end
  sep = separator(sep, "must be str or None, not %s")
  while #parts < max do
    local at = last(s, sep)
    if not at then
      break
    end
    table.insert(parts, 1, s:sub(at + #sep))
    s = s:sub(1, at - 1)
  end
  table.insert(parts, 1, s)
  return core.list(parts)
end

local function splitlines(s, keep)
  local parts, at = {}, 1
  while at <= #s do
    local i = s:find("[\r\n]", at)
    if not i then
      parts[#parts + 1] = s:sub(at)
      break
    end
    local to = s:sub(i, i + 1) == "\r\n" and i + 1 or i
    parts[#parts + 1] = s:sub(at, keep and keep ~= None and to or i - 1)
    at = to + 1
  end
  return core.list(parts)
end

-- The set of characters of `chars` as the body of a pattern.
local function class(chars)
  return "[" .. chars:gsub("[%W]", function(c) return c:byte() < 128 and "%" .. c or c end) .. "]"
end

-- name: strip, lstrip or rstrip, for messages
local function stripped(name, s, chars, left, right)
  chars = given(chars) and text(chars, name .. " arg must be None or str") or nil
  if chars and chars:find "[\x80-\xff]" then
    local set = {}
    for c in iter.characters(chars) do
      set[c] = true
    end
    local list = iter.list(s)
    local i, j = 1, list.n
    while left and i <= j and set[list[i]] do i = i + 1 end
    while right and j >= i and set[list[j]] do j = j - 1 end
    return table.concat(list, "", i, j)
  elseif chars == "" then
    return s
  end
  local c = chars and class(chars) or "%s"
  if left then
    s = s:gsub("^" .. c .. "+", "")
  end
  if right then
    local to = #s
    while to > 0 and s:find("^" .. c, to) do
      to = to - 1
    end
    s = s:sub(1, to)
  end
  return s
end

-- Finding -------------------------------------------------------------------------------------------

-- Bytes from .. to of characters start .. stop.
local function range_of(s, start, stop)
  local n = text_length(s)
  local lo, hi = index.bounds(index.slice(start, stop), n)
  if given(start) and index.integer(start) > n then
    return nil
  end
  if n == #s then
    return lo + 1, hi
  end
  return places.byte(s, lo), places.byte(s, hi) - 1
end

-- The index in characters of a place in bytes.
local function character(s, at)
  return s:find "[\x80-\xff]" and utf8.len(s, 1, at - 1, true) or at - 1
end

local function find(s, what, start, stop)
  local from, to = range_of(s, start, stop)
  local i, j = nil, nil
  if from then
    i, j = s:find(text(what), from, true)
  end
  return i and j <= math.max(to, from - 1) and character(s, i) or -1
end

local function rfind(s, what, start, stop)
  what = text(what)
  local from, to = range_of(s, start, stop)
  local at = from and last(s:sub(from, to), what)
  if what == "" and from then
    return character(s, to + 1)
  end
  return at and character(s, from + at - 1) or -1
end

local function found(at)
  return at >= 0 and at or exc.fail("ValueError", "substring not found")
end

-- name: startswith or endswith, for messages
local function ends(name, s, what, start, stop, test)
  local from, to = range_of(s, start, stop)
  if not from then
    return false
  end
  local part = s:sub(from, to)
  if core.istuple(what) then
    for i = 1, what.n do
      if test(part, text(what[i], "tuple for " .. name .. " must only contain str, not %s")) then
        return true
      end
    end
    return false
  end
  return test(part, text(what, name .. " first arg must be str or a tuple of str, not %s"))
end

local function count(s, what, start, stop)
  what = text(what)
  local from, to = range_of(s, start, stop)
  if not from then
    return 0
  elseif what == "" then
    return text_length(s:sub(from, to)) + 1
  end
  local n = 0
  while true do
    local i, j = s:find(what, from, true)
    if not i or j > to then
      return n
    end
    n, from = n + 1, j + 1
  end
end

-- s.replace("", new): before each character and at the end.
local function replace_empty(s, new, max)
  local parts, n = {}, 0
  for c in iter.characters(s) do
    if max < 0 or n < max then
      parts[#parts + 1], n = new, n + 1
    end
    parts[#parts + 1] = c
  end
  return table.concat(parts) .. ((max < 0 or n < max) and new or "")
end

local function replace(s, old, new, max)
  old = text(old, "replace() argument 1 must be str, not %s")
  new = text(new, "replace() argument 2 must be str, not %s")
  max = max == nil and -1 or whole(max)
  local parts, at, n = {}, 1, 0
  if old == "" then
    return replace_empty(s, new, max)
  end
  while max < 0 or n < max do
    local i, j = s:find(old, at, true)
    if not i then
      break
    end
    parts[#parts + 1], parts[#parts + 2] = s:sub(at, i - 1), new
    at, n = j + 1, n + 1
  end
  parts[#parts + 1] = s:sub(at)
  return table.concat(parts)
end

local function partition(s, sep)
  sep = separator(sep)
  local i, j = s:find(sep, 1, true)
  if not i then
    return core.pack(s, "", "")
  end
  return core.pack(s:sub(1, i - 1), sep, s:sub(j + 1))
end

-- Padding, case -------------------------------------------------------------------------------------

local function adjusted(align)
  return function(s, width, fill)
    local missing = whole(width) - text_length(s)
    fill = fill == nil and " " or text(fill, "The fill character must be a unicode character, not %s")
    if text_length(fill) ~= 1 then
      exc.fail("TypeError", "The fill character must be exactly one character long")
    end
    if missing <= 0 then
      return s
    elseif align == "<" then
      return s .. fill:rep(missing)
    elseif align == ">" then
      return fill:rep(missing) .. s
    end
    local left = missing // 2 + (missing & whole(width) & 1)
    return fill:rep(left) .. s .. fill:rep(missing - left)
  end
end

local function zfill(s, width)
  local sign, rest = s:match "^([-+]?)(.*)$"
  return sign .. ("0"):rep(whole(width) - text_length(s)) .. rest
end

local function expandtabs(s, size)
  size = size == nil and 8 or whole(size)
  local out, column = {}, 0
  for c in iter.characters(s) do
    if c == "\t" then
      local n = size > 0 and size - column % size or 0
      out[#out + 1], column = (" "):rep(n), column + n
    else
      out[#out + 1] = c
      column = c == "\n" and 0 or column + 1
    end
  end
  return table.concat(out)
end

local function test(pattern)
  return function(s)
    return s:find(pattern) ~= nil
  end
end

-- str.join
local function join(sep, items)
  local parts, n = {}, 0
  if iter.barren(items) then
    exc.fail("TypeError", "can only join an iterable")
  end
  for v in iter.iter(items) do
    n = n + 1
    local t = core.unbox(v)
    if type(t) ~= "string" then
      exc.fail("TypeError", ("sequence item %d: expected str instance, %s found"):format(n - 1, core.typename(v)))
    end
    parts[n] = t
  end
  return table.concat(parts, sep)
end

local function maketrans(x, y, z)
  local d = dict.new()
  if y == nil then
    for k, v in dict.each(x) do
      dict.put(d, type(k) == "string" and utf8.codepoint(k, 1, 1, true) or k, v)
    end
    return d
  end
  local a, b = iter.list(x), iter.list(y)
  for i = 1, a.n do
    dict.put(d, utf8.codepoint(a[i], 1, 1, true), utf8.codepoint(b[i], 1, 1, true))
  end
  for c in iter.characters(z or "") do
    dict.put(d, utf8.codepoint(c, 1, 1, true), None)
  end
  return d
end

local function translate(s, t)
  local out = {}
  for c in iter.characters(s) do
    local v = dict.get(t, utf8.codepoint(c, 1, 1, true))
    out[#out + 1] = v == nil and c or v == None and "" or type(v) == "string" and v or utf8.char(v)
  end
  return table.concat(out)
end

native.methods(core.types.str, {
  ["split(self, sep?, maxsplit?)"] = split, ["rsplit(self, sep?, maxsplit?)"] = rsplit,
  ["splitlines(self, keepends?)"] = splitlines, ["join(self, iterable)"] = join,
  ["strip(self, chars?)"] = function(s, c) return stripped("strip", s, c, true, true) end,
  ["lstrip(self, chars?)"] = function(s, c) return stripped("lstrip", s, c, true, false) end,
  ["rstrip(self, chars?)"] = function(s, c) return stripped("rstrip", s, c, false, true) end,
  ["find(self, sub, start?, end?)"] = find, ["rfind(self, sub, start?, end?)"] = rfind,
  ["index(self, sub, start?, end?)"] = function(...) return found(find(...)) end,
  ["rindex(self, sub, start?, end?)"] = function(...) return found(rfind(...)) end,
  ["count(self, sub, start?, end?)"] = count, ["replace(self, old, new, count?)"] = replace,
  ["startswith(self, prefix, start?, end?)"] = function(s, p, a, b)
    return ends("startswith", s, p, a, b, function(t, what) return t:sub(1, #what) == what end)
  end,
  ["endswith(self, suffix, start?, end?)"] = function(s, p, a, b)
    return ends("endswith", s, p, a, b, function(t, what) return what == "" or t:sub(-#what) == what end)
  end,
  ["removeprefix(self, prefix)"] = function(s, p)
    p = text(p, "removeprefix() argument must be str, not %s")
    return s:sub(1, #p) == p and s:sub(#p + 1) or s
  end,
  ["removesuffix(self, suffix)"] = function(s, p)
    p = text(p, "removesuffix() argument must be str, not %s")
    return p ~= "" and s:sub(-#p) == p and s:sub(1, -#p - 1) or s
  end,
  ["partition(self, sep)"] = partition,
  ["rpartition(self, sep)"] = function(s, sep)
    sep = separator(sep)
    local at = last(s, sep)
    if not at then
      return core.pack("", "", s)
    end
    return core.pack(s:sub(1, at - 1), sep, s:sub(at + #sep))
  end,
  ["upper(self)"] = letters.upper, ["lower(self)"] = letters.lower, ["casefold(self)"] = letters.casefold,
  ["title(self)"] = letters.title, ["capitalize(self)"] = letters.capitalize, ["swapcase(self)"] = letters.swapcase,
  ["ljust(self, width, fillchar?)"] = adjusted "<", ["rjust(self, width, fillchar?)"] = adjusted ">",
  ["center(self, width, fillchar?)"] = adjusted "^", ["zfill(self, width)"] = zfill,
  ["expandtabs(self, tabsize?)"] = expandtabs,
  ["isdigit(self)"] = test "^%d+$", ["isdecimal(self)"] = test "^%d+$", ["isnumeric(self)"] = test "^%d+$",
  ["isalpha(self)"] = function(s) return letters.all_letters(s) end,
  ["isalnum(self)"] = function(s) return letters.all_letters(s, true) end,
  ["isspace(self)"] = test "^%s+$", ["isidentifier(self)"] = test "^[%a_\x80-\xff][%w_\x80-\xff]*$",
  ["isupper(self)"] = letters.isupper, ["islower(self)"] = letters.islower, ["istitle(self)"] = letters.istitle,
  ["isascii(self)"] = test "^[%z\1-\x7f]*$", ["isprintable(self)"] = function(s) return printable(s) end,
  ["encode(self, encoding?, errors?)"] = function(s, encoding)
    codec.encode(s, codec.coding("encode", encoding))
    return setmetatable({s = s}, core.Bytes)
  end,
  ["format_map(self, mapping)"] = function(s, m) return format.expand(s, core.tuple {}, m) end,
  ["translate(self, table)"] = translate,
})
core.types.str.dict.format = native.make("str.format", "**", function(kw, s, ...)
  return format.expand(core.unbox(s), core.pack(...), kw)
end)
core.class_set(core.types.str, "maketrans", setmetatable({f = native.make("str.maketrans", "x, y?, z?", maketrans)},
  require("moontile.python.attr").Static))

-- A method of texts for bytes.
local function of_bytes(f)
  return function(b, ...)
    local args = table.pack(...)
    for i = 1, args.n do
      args[i] = getmt(args[i]) == core.Bytes and args[i].s or args[i]
    end
    local r = f(b.s, table.unpack(args, 1, args.n))
    return type(r) == "string" and setmetatable({s = r}, core.Bytes) or r
  end
end

native.methods(core.types.bytes, {
  ["decode(self, encoding?, errors?)"] = function(b, encoding)
    return codec.decode(b.s, codec.coding("decode", encoding))
  end,
  ["hex(self)"] = function(b)
    return (b.s:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
  end,
  ["startswith(self, prefix)"] = of_bytes(function(s, p) return s:sub(1, #p) == p end),
  ["endswith(self, suffix)"] = of_bytes(function(s, p) return p == "" or s:sub(-#p) == p end),
  ["strip(self, chars?)"] = of_bytes(function(s, c) return stripped("strip", s, c, true, true) end),
  ["replace(self, old, new, count?)"] = of_bytes(replace), ["find(self, sub)"] = of_bytes(find),
})

return M
