-- python/lib/json.lua: Python's module json: dumps, loads, dump, load.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local native = require "moontile.python.native"
local number = require "moontile.python.number"
local sort = require "moontile.python.sort"

local M = {}

local None = core.None
local mtype = math.type

-- Writing -----------------------------------------------------------------------------------------------

local escapes = {['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\b"] = "\\b",
  ["\f"] = "\\f"}

local function quoted(s, ascii)
  s = s:gsub('[%c"\\\127]', function(c)
    return escapes[c] or c == "\127" and not ascii and c or ("\\u%04x"):format(c:byte())
  end)
  if ascii then
    s = s:gsub("[\xc2-\xf4][\x80-\xbf]+", function(c)
      local code = utf8.codepoint(c, 1, 1, true)
      if code < 0x10000 then
        return ("\\u%04x"):format(code)
      end
      code = code - 0x10000
      return ("\\u%04x\\u%04x"):format(0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff))
    end)
  end
  return '"' .. s .. '"'
end

local function float(x)
  if x ~= x then
    return "NaN"
  elseif x == math.huge or x == -math.huge then
    return x > 0 and "Infinity" or "-Infinity"
  end
  return number.float_repr(x)
end

local write

local function block(o, open, close, parts, depth)
  if #parts == 0 then
    return open .. close
  elseif not o.indent then
    return open .. table.concat(parts, o.item) .. close
  end
  local inner = "\n" .. o.indent:rep(depth + 1)
  return open .. inner .. table.concat(parts, o.item:gsub("%s+$", "") .. inner) .. "\n" .. o.indent:rep(depth) .. close
end

local function key_text(k)
  local x = core.unbox(k)
  if type(x) == "string" then
    return x
  elseif type(x) == "boolean" then
    return x and "true" or "false"
  elseif mtype(x) then
    return mtype(x) == "integer" and tostring(x) or float(x)
  elseif x == None then
    return "null"
  end
  exc.fail("TypeError", ("keys must be str, int, float, bool or None, not %s"):format(core.typename(k)))
end

local function object(o, v, depth)
  local parts, keys = {}, {}
  for k in dict.each(v) do
    keys[#keys + 1] = k
  end
  if o.sorted then
    sort.sort(core.list(keys))
  end
  for _, k in ipairs(keys) do
    parts[#parts + 1] = quoted(key_text(k), o.ascii) .. o.colon .. write(o, dict.get(v, k), depth + 1)
  end
  return block(o, "{", "}", parts, depth)
end

function write(o, v, depth)
  local x = core.unbox(v)
  local kind = core.kind(v)
  if type(x) == "string" then
    return quoted(x, o.ascii)
  elseif mtype(x) then
    return mtype(x) == "integer" and tostring(x) or float(x)
  elseif type(x) == "boolean" then
    return x and "true" or "false"
  elseif x == None then
    return "null"
  elseif kind == "list" or kind == "tuple" then
    local parts = {}
    for i = 1, v.n do
      parts[i] = write(o, v[i], depth + 1)
    end
    return block(o, "[", "]", parts, depth)
  elseif kind == "dict" then
    return object(o, v, depth)
  elseif o.default then
    return write(o, func.call(o.default, v), depth)
  end
  exc.fail("TypeError", ("Object of type %s is not JSON serializable"):format(core.typename(v)))
end

local function dumps(v, _, ascii, _, _, _, indent, separators, default, sorted)
  local o = {ascii = ascii ~= false, sorted = sorted == true, item = ", ", colon = ": "}
  if indent ~= nil and indent ~= None then
    o.indent = type(indent) == "string" and indent or (" "):rep(indent)
  end
  if separators and separators ~= None then
    o.item, o.colon = separators[1], separators[2]
  end
  o.default = default ~= None and default or nil
  return write(o, v, 0)
end

-- Reading -----------------------------------------------------------------------------------------------

M.JSONDecodeError = exc.define("json.decoder", "JSONDecodeError", "ValueError")

local function bad(s, at, text)
  local before = s:sub(1, at - 1)
  local _, lines = before:gsub("\n", "")
  local column = at - (before:match ".*\n()" or 1) + 1
  exc.throw(exc.make(M.JSONDecodeError, ("%s: line %d column %d (char %d)"):format(text, lines + 1, column, at - 1)))
end

local plain = {b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/"}

local function string_at(s, at)
  local parts, i = {}, at + 1
  while true do
    local j = s:find('[%c"\\]', i)
    if not j then
      bad(s, at, "Unterminated string starting at")
    end
    parts[#parts + 1] = s:sub(i, j - 1)
    local c = s:sub(j, j)
    if c == '"' then
      return table.concat(parts), j + 1
    elseif c ~= "\\" then
      bad(s, j, "Invalid control character at")
    end
    local e = s:sub(j + 1, j + 1)
    if e == "u" then
      local code = tonumber(s:match("^%x%x%x%x", j + 2) or bad(s, j + 1, "Invalid \\uXXXX escape"), 16)
      i = j + 6
      local low = code >= 0xd800 and code < 0xdc00 and s:match("^\\u(%x%x%x%x)", i)
      if low then
        code, i = 0x10000 + ((code - 0xd800) << 10) + (tonumber(low, 16) - 0xdc00), i + 6
      end
      parts[#parts + 1] = utf8.char(code)
    else
      parts[#parts + 1] = plain[e] or bad(s, j, "Invalid \\escape")
      i = j + 2
    end
  end
end

local words = {["true"] = true, ["false"] = false, null = None, NaN = core.nan, Infinity = math.huge}
local value

local function array(s, at, o)
  local l = core.list {}
  at = s:find("%S", at + 1) or #s + 1
  if s:sub(at, at) == "]" then
    return l, at + 1
  end
  while true do
    local v
    v, at = value(s, at, o)
    l.n = l.n + 1
    l[l.n] = v
    at = s:find("%S", at) or #s + 1
    local c = s:sub(at, at)
    if c == "]" then
      return l, at + 1
    elseif c ~= "," then
      bad(s, at, "Expecting ',' delimiter")
    end
    at = at + 1
  end
end

local function members(s, at, o)
  local d = dict.new()
  at = s:find("%S", at + 1) or #s + 1
  if s:sub(at, at) == "}" then
    return d, at + 1
  end
  while true do
    at = s:find("%S", at) or #s + 1
    if s:sub(at, at) ~= '"' then
      bad(s, at, "Expecting property name enclosed in double quotes")
    end
    local k, v
    k, at = string_at(s, at)
    at = s:find("%S", at) or #s + 1
    if s:sub(at, at) ~= ":" then
      bad(s, at, "Expecting ':' delimiter")
    end
    v, at = value(s, at + 1, o)
    dict.put(d, k, v)
    at = s:find("%S", at) or #s + 1
    local c = s:sub(at, at)
    if c == "}" then
      return d, at + 1
    elseif c ~= "," then
      bad(s, at, "Expecting ',' delimiter")
    end
    at = at + 1
  end
end

function value(s, at, o)
  at = s:find("%S", at) or #s + 1
  local c = s:sub(at, at)
  if c == '"' then
    return string_at(s, at)
  elseif c == "[" then
    return array(s, at, o)
  elseif c == "{" then
    local d, to = members(s, at, o)
    if o.hook then
      return func.call(o.hook, d), to
    end
    return d, to
  end
  local word = s:match("^%a+", at)
  if word and words[word] ~= nil then
    return words[word], at + #word
  elseif s:find("^-Infinity", at) then
    return -math.huge, at + 9
  end
  local digits, rest = s:match("^(-?%d+)(%.?%d*[eE]?[-+]?%d*)", at)
  if not digits then
    bad(s, at, "Expecting value")
  elseif rest == "" then
    return number.parse_int(digits, 10), at + #digits
  end
  return tonumber(digits .. rest) + 0.0, at + #digits + #rest
end

local function loads(s, hook)
  s = getmetatable(s) == core.Bytes and s.s or s
  if type(s) ~= "string" then
    exc.fail("TypeError", ("the JSON object must be str, bytes or bytearray, not %s"):format(core.typename(s)))
  end
  local v, at = value(s, 1, {hook = hook})
  local more = s:find("%S", at)
  if more then
    bad(s, more, "Extra data")
  end
  return v
end

local spec = "skipkeys, ensure_ascii, check_circular, allow_nan, cls, indent, separators, default, sort_keys"
native.functions(M, {
  ["dumps(obj, *, " .. spec .. ")"] = dumps, ["loads(s, *, object_hook)"] = loads,
  ["dump(obj, fp, *, " .. spec .. ")"] = function(v, file, ...)
    func.method(file, "write", dumps(v, ...))
    return None
  end,
  ["load(fp, *, object_hook)"] = function(file, hook) return loads(func.method(file, "read"), hook) end,
})

return M
