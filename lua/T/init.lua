-- T: TileLang's language, for Lua.  `require "moontile.T"`, the global T, and
-- `require "tilelang.language"` are this table.
--
-- Each file of this folder registers its names (registry.lua); what is not
-- there answers with a message.

local registry = require "moontile.T.registry"
local types = require "moontile.base.types"

for _, part in ipairs {
  "loops", "memory", "tileops", "values", "math", "atomics", "threads", "barriers", "async", "sparse", "tvm", "tvm_frames", "reducer", "rng", "pointers", "vectors", "tvm_values", "layout", "func", "bandb",
} do
  require("moontile.T." .. part)
end

-- dtypes are strings
local function def_dtype(name, of)
  local i = types.info(of)
  registry.def {
    name = name, sig = name .. "(x)", value = of,
    summary = ("the dtype %s (%d bits); called, it casts x"):format(of, i.bits),
    summary_zh = ("dtype %s（%d 位）；作为函数调用时转换 x"):format(of, i.bits),
    example = ("local x = T.%s(1)"):format(name),
  }
end
for _, name in ipairs(types.list) do
  def_dtype(name, name)
end
for name, of in pairs(types.short) do
  def_dtype(name, of)
end
for name in pairs(types.later) do
  registry.later(name)
end

local T = {}
registry.fill(T)
for name in pairs(types.later) do
  T[name] = name -- named in messages where it is used
end
types.install()

package.loaded["tilelang.language"] = T
require("moontile.stage").backend = require "moontile.T.backend"
require("moontile.stage.strict").language = T

return setmetatable(T, {
  __index = function(_, k)
    return registry.missing(k)
  end,
})
