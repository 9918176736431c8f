-- python/torch_dtype.lua: torch.float16 and the like: moontile's dtypes, which are texts, as PyTorch shows them.
--
--   of("float16")    the one object of that dtype, whose str() is "torch.float16"; Lua gets the text
--   text(v)          the text of a dtype given as an object or a text; other values as they are
--
-- T's dtypes stay texts: str(T.float16) is "float16" in TileLang, and T.float16 == "float16".  A dtype of PyTorch's is no
-- text and equal to none, nor to one of T's: a program that compares them takes the other branch there, too.

local made = require "moontile.python.made"
local types = require "moontile.base.types"

local M = {}

local TEXT = setmetatable({}, {__name = "text"})

local function shown(d)
  return "torch." .. d[TEXT]
end

M.class = made.class("dtype", "torch", {
  ["__repr__(self)"] = shown, ["__str__(self)"] = shown,
  ["__format__(self, spec)"] = function(d, spec) return require("moontile.python.format").format(shown(d), spec) end,
})

M.class.meta.__py_lua = function(d) return d[TEXT] end

made.properties(M.class, {
  itemsize = function(d) return (types.info(d[TEXT]).bits + 7) // 8 end,
  is_floating_point = function(d) return types.isfloat(d[TEXT]) end,
  is_complex = function() return false end,
  is_signed = function(d)
    local class = types.info(d[TEXT]).class
    return class ~= "U" and d[TEXT] ~= "bool"
  end,
})

local objects = {}

function M.of(name)
  local d = objects[name]
  if not d then
    d = setmetatable({[TEXT] = name}, M.class.meta)
    objects[name] = d
  end
  return d
end

function M.text(v)
  return debug.getmetatable(v) == M.class.meta and v[TEXT] or v
end

return M
