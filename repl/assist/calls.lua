-- assist/calls.lua: the call that is being typed: what is called, which argument
-- stands at the cursor.

local help = require "moontile.help"
local values = require "moontile.help.values"

local M = {}

local texts = { -- functions of Lua that people call at a prompt
  print = "...", tostring = "v", tonumber = "e [, base]", type = "v", require = "modname",
  pairs = "t", ipairs = "t", next = "table [, index]", pcall = "f, ...", error = "message [, "
    .. "level]",
  assert = "v [, message]", select = "n, ...", load = "chunk [, chunkname [, mode [, env]]]",
  dofile = "[filename]", loadfile = "[filename]", setmetatable = "table, metatable",
  getmetatable = "object", rawget = "table, index", rawset = "table, index, value",
  collectgarbage = "[opt [, arg]]",
  ["string.format"] = "formatstring, ...", ["string.rep"] = "s, n [, sep]",
  ["string.sub"] = "s, i [, j]", ["string.find"] = "s, pattern [, init [, plain]]",
  ["string.match"] = "s, pattern [, init]", ["string.gsub"] = "s, pattern, repl [, n]",
  ["string.gmatch"] = "s, pattern", ["string.byte"] = "s [, i [, j]]", ["string.char"] = "...",
  ["string.len"] = "s", ["string.lower"] = "s", ["string.upper"] = "s", ["string.reverse"] = "s",
  ["table.concat"] = "list [, sep [, i [, j]]]", ["table.insert"] = "list, [pos,] value",
  ["table.remove"] = "list [, pos]", ["table.sort"] = "list [, comp]",
  ["table.unpack"] = "list [, i [, j]]", ["table.pack"] = "...",
  ["table.move"] = "a1, f, e, t [, a2]",
  ["math.floor"] = "x", ["math.ceil"] = "x", ["math.max"] = "x, ...", ["math.min"] = "x, ...",
  ["math.abs"] = "x", ["math.sqrt"] = "x", ["math.exp"] = "x", ["math.log"] = "x [, base]",
  ["math.sin"] = "x", ["math.cos"] = "x", ["math.random"] = "[m [, n]]",
  ["math.tointeger"] = "x", ["math.type"] = "x", ["math.fmod"] = "x, y",
  ["io.open"] = "filename [, mode]", ["io.lines"] = "[filename, ...]", ["io.read"] = "...",
  ["io.write"] = "...", ["os.time"] = "[table]", ["os.date"] = "[format [, time]]",
  ["os.clock"] = "", ["os.getenv"] = "varname", ["os.exit"] = "[code [, close]]",
  ["utf8.char"] = "...", ["utf8.len"] = "s [, i [, j]]",
}

-- A call's form from names: {name =, params = {{name =, ..}}, rest =}
local function plain(name, names)
  local call = {name = name, params = {}}
  for _, n in ipairs(names) do
    if n == "..." then
      call.rest = "..."
    else
      call.params[#call.params + 1] = {name = n}
    end
  end
  return call
end

-- "A: float16[M, 64]", as kernels print it.
local function kernel_call(name, k)
  local kernel = require "moontile.tl.kernel"
  local call = {name = name, params = {}}
  for i, p in ipairs(k.inputs) do
    call.params[i] = {name = kernel.param_text(p), key = p.name}
  end
  return call
end

-- Parameters of a tl.jit function; compile-time ones may come by name, and so may
-- the constants of T.const that its first trace has seen.
local function jit_call(name, f)
  local call, seen = {name = name, params = {}, names = true}, {}
  for i, p in ipairs(f.params or {}) do
    local kind = f.kinds and f.kinds[p]
    call.params[i] = {name = p, kind = kind and {en = kind, zh = kind}, tensor = kind == "tensor"}
    seen[p] = true
  end
  for _, sig in pairs(f.sigs or {}) do
    for _, c in ipairs(sig.constlist or {}) do
      if not seen[c] then
        seen[c] = true
        call.params[#call.params + 1] = {name = c, named = true, optional = true}
      end
    end
  end
  return call
end

local function row_call(name, row)
  return {name = name, params = row.params, rest = row.rest, row = row}
end

local function value_call(name, v)
  local kind = values.kind(v)
  if kind == "kernel" then
    return kernel_call(name, v)
  elseif kind == "jit" then
    return jit_call(name, v)
  end
  local row = help.of_value(v)
  if row and row.sig then
    return row_call(name, row)
  elseif type(v) == "function" then
    local names = values.parameters(v)
    if names then
      return plain(name, names)
    end
  end
  return nil
end

local function lua_call(name)
  local sig = texts[name]
  if not sig then
    return nil
  end
  local s = require("moontile.base.sig").parse(name .. "(" .. sig .. ")")
  return {name = name, params = s.params, rest = s.rest}
end

-- What "T.gemm", "k:bench" or "f" calls: {name, params, rest, row}, or nil.
function M.of(path)
  local object, method = path:match "^(.-):([%a_][%w_]*)$"
  if method then
    local v = values.eval(object)
    local kind = values.kind(v)
    local row = kind and help.find(kind .. ":" .. method)
    if row then
      if kind == "jit" and row.method == "compile" then -- by the function's own names
        return jit_call(path, v)
      end
      return row_call(path, row)
    elseif type(v) == "string" then
      local call = lua_call("string." .. method)
      if call then
        table.remove(call.params, 1)
        call.name = path
      end
      return call
    elseif type(v) == "table" then
      local f
      values.fields(v, function(k, x)
        f = f or k == method and x or nil
      end)
      local names = type(f) == "function" and values.parameters(f)
      if names then
        table.remove(names, 1)
        return plain(path, names)
      end
    end
    return nil
  end
  local row = path:find "%." and help.find(path)
  if row and row.name == path and row.sig then
    return row_call(path, row)
  end
  local v = values.eval(path)
  return v ~= nil and value_call(path, v) or lua_call(path)
end

-- The text of what is called, or nil: "f(x):g" and the like are not followed.
local function path_before(text, from, at)
  local s = text:sub(from, at - 1):match "^%s*(.-)%s*$"
  return s:find "^[%a_][%w_.:%[%]]*$" and s or nil
end

-- The innermost call that is open in a scanned text, and the argument at its end:
-- {call =, index = which one by place, key = the name being given, in_table, keys =
-- names given before, part = text of the argument}; nil where none is known.
function M.innermost(text, s)
  local inner
  for i = #s.open, 1, -1 do
    local e = s.open[i]
    if e.word ~= "(" and e.word ~= "{" and e.word ~= "[" then
      return nil
    end
    local path = e.callee and path_before(text, e.callee, e.at)
    local call = path and M.of(path)
    if call then
      local r = {call = call, index = e.commas + 1, part = text:sub(e.arg), entry = e}
      local named = e.word == "{" and e or inner
      if named then
        r.in_table, r.index = true, named == e and 0 or r.index
        r.key = text:sub(named.arg):match "^%s*([%a_][%w_]*)%s*="
        r.part = text:sub(named.arg)
        r.table = named
      end
      return r
    elseif e.callee then
      return nil -- a call of something that is not known
    end
    inner = e.word == "{" and not inner and e or nil
  end
  return nil
end

return M
