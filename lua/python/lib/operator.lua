-- python/lib/operator.lua: Python's module operator.

local core = require "moontile.python.core"
local equal = require "moontile.python.equal"
local func = require "moontile.python.func"
local index = require "moontile.python.index"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"

local M = {}

for name, f in pairs {add = "add", sub = "sub", mul = "mul", truediv = "div", floordiv = "floordiv", mod = "mod",
  pow = "pow", matmul = "matmul", lshift = "lshift", rshift = "rshift", or_ = "bor", xor = "bxor", and_ = "band",
  concat = "add", iadd = "iadd", isub = "isub", imul = "imul", itruediv = "idiv", ior = "ibor", iand = "iband"} do
  M[name] = native.make(name, "a, b", ops[f])
end
for _, name in ipairs {"eq", "ne", "lt", "le", "gt", "ge"} do
  M[name] = native.make(name, "a, b", equal[name])
end
for name, f in pairs {neg = "neg", pos = "pos", inv = "invert", invert = "invert", not_ = "no", truth = "truth"} do
  M[name] = native.make(name, "a", ops[f])
end

-- One of several: f(o, name) alone, several as a tuple
local function getter(f, ...)
  local names, n = {...}, select("#", ...)
  return native.make("getter", "obj", function(o)
    if n == 1 then
      return f(o, names[1])
    end
    local t = {}
    for i = 1, n do
      t[i] = f(o, names[i])
    end
    return core.tuple(t, n)
  end)
end

local function path(o, name)
  for part in name:gmatch "[^.]+" do
    o = core.late.attr(o, part)
  end
  return o
end

M.itemgetter = native.make("itemgetter", "*,", function(_, ...) return getter(index.index, ...) end)
M.attrgetter = native.make("attrgetter", "*,", function(_, ...) return getter(path, ...) end)
M.methodcaller = native.make("methodcaller", "**", function(kw, name, ...)
  local args = core.pack(...)
  return native.make("methodcaller", "obj", function(o) return func.methods(o, name, args, kw) end)
end)
native.functions(M, {
  ["getitem(a, b)"] = index.index, ["contains(a, b)"] = function(a, b) return index.contains(b, a) end,
  ["setitem(a, b, c)"] = function(a, b, c) index.setindex(a, c, b) return core.None end,
  ["delitem(a, b)"] = function(a, b) index.delindex(a, b) return core.None end,
  ["index(a)"] = index.integer, ["is_(a, b)"] = index.is, ["is_not(a, b)"] = index.isnot,
  ["countOf(a, b)"] = function(a, b) return func.method(a, "count", b) end,
  ["length_hint(obj)"] = index.len, ["abs(a)"] = require("moontile.python.builtins").functions.abs,
})

return M
