-- python/torch_size.lua: torch.Size, what a tensor's shape is: a tuple that shows itself as torch.Size([2, 3]).

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"

local M = {}

local cls = class.make("Size", {core.types.tuple}, {}, {})
cls.module = "torch"
M.class = cls

-- list: plain, of n extents
function M.of(list, n)
  local s = table.move(list, 1, n, 1, {n = n})
  return setmetatable(s, cls.meta)
end

local function plain(s)
  return core.tuple(table.move(s, 1, s.n, 1, {}), s.n)
end

-- v, a tuple, as a Size
local function sized(v)
  return debug.getmetatable(v) == core.Tuple and M.of(v, v.n) or v
end

made.methods(cls, {
  ["__repr__(self)"] = function(s) return ("torch.Size(%s)"):format(core.late.repr(core.list(table.move(s, 1, s.n, 1, {}), s.n))) end,
  ["__getitem__(self, key)"] = function(s, k) return sized(index.index(plain(s), k)) end,
  ["__add__(self, other)"] = function(s, t) return sized(ops.add(plain(s), t)) end,
  ["__mul__(self, n)"] = function(s, n) return sized(ops.mul(plain(s), n)) end,
  ["numel(self)"] = function(s)
    local n = 1
    for i = 1, s.n do
      n = n * s[i]
    end
    return n
  end,
})

cls.construct = native.make("Size", "iterable?", function(v)
  local t = v == nil and core.tuple({}, 0) or iter.tuple(v)
  return M.of(t, t.n)
end)

return M
