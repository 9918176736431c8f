-- python/text.lua: repr and str of every value.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local number = require "moontile.python.number"
local tensor = require "moontile.tensor"

local M = {}

local getmt, mtype, type = debug.getmetatable, math.type, type
local late, sigs = core.late, core.sigs
local concat = table.concat

-- Texts -------------------------------------------------------------------------------------

local escapes = {["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t"}

local function escape(c)
  return escapes[c] or ("\\x%02x"):format(c:byte())
end

-- Code points beyond ASCII that CPython does not print as they are, first and last of each range:
-- Unicode's control and format characters, spaces, ends of lines, surrogates and private ones
-- (what is not assigned yet is printed).
local hidden = {
  0x80, 0xa0, 0xad, 0xad, 0x600, 0x605, 0x61c, 0x61c, 0x6dd, 0x6dd, 0x70f, 0x70f, 0x890, 0x891,
  0x8e2, 0x8e2, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200f, 0x2028, 0x202f, 0x205f, 0x2064,
  0x2066, 0x206f, 0x3000, 0x3000, 0xd800, 0xf8ff, 0xfeff, 0xfeff, 0xfff9, 0xfffb, 0x110bd, 0x110bd,
  0x110cd, 0x110cd, 0x13430, 0x13438, 0x1bca0, 0x1bca3, 0x1d173, 0x1d17a, 0xe0001, 0xe0001,
  0xe0020, 0xe007f, 0xf0000, 0x10ffff,
}

local function printable(code)
  for i = 1, #hidden, 2 do
    if code <= hidden[i + 1] then
      return code < hidden[i]
    end
  end
  return true
end

local function escape_code(c)
  local code = utf8.codepoint(c, 1, 1, true)
  if printable(code) then
    return c
  end
  return code < 0x100 and ("\\x%02x"):format(code) or code < 0x10000 and ("\\u%04x"):format(code)
    or ("\\U%08x"):format(code)
end

-- s.isprintable()
function M.printable(s)
  for c in s:gmatch "[\xc2-\xf4][\x80-\xbf]+" do
    if not utf8.len(c, 1, -1, true) or not printable(utf8.codepoint(c, 1, 1, true)) then
      return false
    end
  end
  return not s:find "%c"
end

-- repr of a text
function M.quote(s)
  local mark = s:find("'", 1, true) and not s:find('"', 1, true) and '"' or "'"
  local r = s:gsub("[%c\\\127]", escape)
  if mark == "'" then
    r = r:gsub("'", "\\'")
  end
  if r:find "[\x80-\xff]" then
    r = r:gsub("[\xc2-\xf4][\x80-\xbf]+", function(c) return utf8.len(c, 1, -1, true) and escape_code(c) or nil end)
  end
  return mark .. r .. mark
end
number.quote = M.quote

-- ascii(v): repr with nothing beyond ASCII
function M.ascii(v)
  return (M.repr(v):gsub("[\xc2-\xf4][\x80-\xbf]+", function(c)
    local code = utf8.codepoint(c, 1, 1, true) -- halves of pairs, too
    return code < 0x100 and ("\\x%02x"):format(code) or code < 0x10000 and ("\\u%04x"):format(code)
      or ("\\U%08x"):format(code)
  end))
end

-- repr of bytes
function M.quote_bytes(s)
  local mark = s:find("'", 1, true) and not s:find('"', 1, true) and '"' or "'"
  local r = s:gsub("[%c\\\x7f-\xff]", escape)
  return "b" .. mark .. (mark == "'" and r:gsub("'", "\\'") or r) .. mark
end

-- Containers ----------------------------------------------------------------------------------

-- Containers that are being written, so that one in itself ends.
local open = {}

local function guarded(v, again, f)
  if open[v] then
    return again
  end
  open[v] = true
  local ok, r = pcall(f, v)
  open[v] = nil
  if not ok then
    error(r, 0)
  end
  return r
end

local function items(v)
  local parts = {}
  for i = 1, v.n do
    parts[i] = M.repr(v[i])
  end
  return parts
end

local function list(v)
  return "[" .. concat(items(v), ", ") .. "]"
end

local function tuple(v)
  if v.n == 1 then
    return "(" .. M.repr(v[1]) .. ",)"
  end
  return "(" .. concat(items(v), ", ") .. ")"
end

-- {a: b}, and with set's {a}
local function dict(v)
  local parts, keys, vals = {}, v.keys, v.vals
  for i = 1, v.last do
    if keys[i] ~= nil then
      parts[#parts + 1] = M.repr(keys[i]) .. ": " .. M.repr(vals[i])
    end
  end
  return "{" .. concat(parts, ", ") .. "}"
end

local function members(v)
  local parts = {}
  for i = 1, v.last do
    if v.keys[i] ~= nil then
      parts[#parts + 1] = M.repr(v.keys[i])
    end
  end
  return concat(parts, ", ")
end

local function set(v)
  local name = core.typename(v)
  if v.n == 0 then
    return name .. "()"
  end
  local s = "{" .. members(v) .. "}"
  return name == "set" and s or name .. "(" .. s .. ")"
end

local function range(v)
  if v.step == 1 then
    return ("range(%d, %d)"):format(v.start, v.stop)
  end
  return ("range(%d, %d, %d)"):format(v.start, v.stop, v.step)
end

local function slice(v)
  return ("slice(%s, %s, %s)"):format(M.repr(v.lo), M.repr(v.hi), M.repr(v.step))
end

local function address(v)
  return (("%p"):format(v))
end

local function class(v)
  local module = v.module
  if module and module ~= "builtins" then
    return ("<class '%s.%s'>"):format(module, v.qualname or v.name)
  end
  return ("<class '%s'>"):format(v.qualname or v.name)
end

local function instance(v)
  local cls = getmt(v).__pyclass
  if cls.is_exception then
    local args = v.args
    return cls.name .. "(" .. (args and concat(items(args), ", ") or "") .. ")"
  end
  return ("<%s.%s object at %s>"):format(cls.module or "__main__", cls.qualname or cls.name, address(v))
end

local function module(v)
  return ("<module '%s'>"):format(v.__name__)
end

local function generator(v)
  return ("<generator object %s at %s>"):format(v.name or "<genexpr>", address(v))
end

local kinds = {
  list = function(v) return guarded(v, "[...]", list) end,
  tuple = function(v) return guarded(v, "(...)", tuple) end,
  dict = function(v) return guarded(v, "{...}", dict) end,
  set = function(v) return guarded(v, "set(...)", set) end,
  frozenset = function(v) return guarded(v, "frozenset(...)", set) end,
  bytes = function(v) return M.quote_bytes(v.s) end,
  range = range, slice = slice, type = class, instance = instance, module = module, generator = generator,
}

local function function_repr(f)
  local sig = sigs[f]
  if not sig then
    return ("<function at %s>"):format(address(f))
  elseif sig.native then
    return ("<built-in function %s>"):format(sig.name or "?")
  elseif sig.bound then
    return ("<bound method %s of %s>"):format(sig.qual or sig.name, M.repr(sig.bound))
  end
  return ("<function %s at %s>"):format(sig.qual or sig.name, address(f))
end

local function user(v, name)
  local f = core.user_special(v, name)
  if not f then
    return nil
  end
  local s = core.unbox(late.call(f, v))
  if type(s) ~= "string" then
    exc.fail("TypeError", ("%s returned non-string (type %s)"):format(name, core.typename(s)))
  end
  return s
end

-- What an array of bools looks like: each as wide as False.
local function bools(s)
  s = M.words(s)
  return s:find("False", 1, true) and s or (s:gsub("True", " True"))
end

-- str of an array
local function array_text(v)
  return v:numel() == 0 and "[]" or v.dtype == "bool" and (v.ndim > 0 and bools or M.words)(tostring(v)) or tostring(v)
end

-- repr of anything but texts and numbers
local function other(v)
  local mt = getmt(v)
  local kind = mt and mt.__kind
  if mt and mt.__user then
    local s = user(v, "__repr__")
    if s then
      return s
    elseif v[core.BOX] ~= nil then
      return M.repr(v[core.BOX])
    end
  end
  if kind and kinds[kind] then
    return kinds[kind](v)
  elseif type(v) == "function" then
    return function_repr(v)
  elseif tensor.istensor(v) then
    if not late.isarray(v) then
      return require("moontile.python.torch_text").repr(v)
    end
    return require("moontile.python.numpy_text").repr(v, array_text(v))
  end
  local t = tostring(v)
  return late.scalar_type and late.scalar_type(v) and t:match "^%w+%((.*)%)$" or t -- of T's: float64(3.0)
end

-- What a tensor of bools looks like, in Python's words.
function M.words(s)
  return (s:gsub("%f[%a]true%f[%A]", "True"):gsub("%f[%a]false%f[%A]", "False"))
end

-- repr(v)
function M.repr(v)
  if type(v) == "string" then
    return M.quote(v)
  elseif mtype(v) then
    return number.repr(v)
  elseif v == true then
    return "True"
  elseif v == false then
    return "False"
  elseif v == nil then -- of the run-time's own: nothing was given
    return "None"
  end
  return other(v)
end

-- str(v)
function M.str(v)
  if type(v) == "string" then
    return v
  elseif mtype(v) then
    return number.repr(v)
  end
  local mt = getmt(v)
  if late.isarray and tensor.istensor(v) and late.isarray(v) then
    return array_text(v)
  elseif mt and mt.__user then
    local s = user(v, "__str__")
    if s then
      return s
    elseif mt.__pyclass.is_exception then
      return exc.str(v)
    elseif mt.__kind == "str" and not core.user_special(v, "__repr__") then
      return v[core.BOX]
    end
  end
  return M.repr(v)
end

-- repr of an object as if its class had none.
function M.kind_repr(v)
  local mt = getmt(v)
  if v[core.BOX] ~= nil then
    return M.repr(v[core.BOX])
  end
  local f = kinds[mt.__kind]
  return f and f(v) or tostring(v)
end

late.repr, late.str, late.kind_repr = M.repr, M.str, M.kind_repr

return M
