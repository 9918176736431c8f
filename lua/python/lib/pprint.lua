-- python/lib/pprint.lua: Python's module pprint: short values on one line, long ones an item a line.

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local native = require "moontile.python.native"
local sort = require "moontile.python.sort"

local M = {}

local repr = core.late.repr
local brackets = {list = {"[", "]"}, tuple = {"(", ")"}, dict = {"{", "}"}}

local function keys_of(d)
  local keys = {}
  for k in dict.each(d) do
    keys[#keys + 1] = k
  end
  local ok = pcall(sort.sort, core.list(keys))
  return keys, ok
end

local function write(v, indent, width)
  local kind = core.kind(v)
  local open = brackets[kind or ""]
  local line = repr(v)
  if not open or v.n == 0 or core.user_special(v, "__repr__") then
    return line
  end
  local parts, inner = {}, indent + 1
  if kind == "dict" then
    for _, k in ipairs((keys_of(v))) do
      local head = repr(k) .. ": "
      parts[#parts + 1] = head .. write(dict.get(v, k), inner + #head, width)
    end
  else
    for i = 1, v.n do
      parts[i] = write(v[i], inner, width)
    end
  end
  local flat = open[1] .. table.concat(parts, ", ") .. (kind == "tuple" and v.n == 1 and "," or "") .. open[2]
  if #flat + indent <= width and not flat:find "\n" then
    return flat
  end
  return open[1] .. table.concat(parts, ",\n" .. (" "):rep(inner)) .. open[2]
end

native.functions(M, {
  ["pprint(object, stream?, indent?, width?, depth?)"] = function(v, _, _, width)
    builtins.out.write(write(v, 0, width or 80) .. "\n")
    return core.None
  end,
  ["pformat(object, indent?, width?)"] = function(v, _, width) return write(v, 0, width or 80) end,
})
M["pp"] = M.pprint

return M
