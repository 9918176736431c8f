-- python/sparse_layout.lua: tilelang.cuda.intrinsics.sparse_layout: how T.gemm_sp's metadata lie.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local ir = require "moontile.ir"
local native = require "moontile.python.native"
local sparse = require "moontile.T.sparse"
local types = require "moontile.base.types"

local function dtype(d)
  return types.isdtype(foreign.to_lua(d)) and ir.dtypename(foreign.to_lua(d)) or nil
end

-- {numbers kept, of so many} of a dtype, or a KeyError as of the dict.
local function group(d)
  return sparse.groups[dtype(d) or ""] or exc.fail("KeyError", core.late.repr(d), nil, "GROUP_CONFIG")
end

local groups = dict.new()
for _, name in ipairs {"float32", "float16", "bfloat16", "int8", "uint8", "float8_e4m3fn", "float8_e5m2"} do
  dict.put(groups, name, core.tuple {table.unpack(sparse.groups[name])})
end

return {
  GROUP_CONFIG = groups,
  get_e_factor = native.make("get_e_factor", "a_dtype, meta_dtype", function(a, meta)
    return types.info(dtype(meta)).bits // 4 * group(a)[2]
  end),
  get_e_replicate_factor = native.make("get_e_replicate_factor", "a_dtype", function(a)
    return types.info(dtype(a)).bits <= 8 and 1 or 2
  end),
}
