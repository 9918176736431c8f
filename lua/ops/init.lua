-- ops/init.lua: the operator library, tl.ops: kernels in T with the tiles that
-- a machine likes, called like functions on tensors.  One file an operator; each
-- also has kernel(..), the compiled kernel for given sizes.
local M = {}

-- operator -> the file that it is in
local home = {
  gemm = "gemm", flash_attention = "attention", dequant_gemm = "dequant", pack = "dequant",
  softmax = "softmax", rmsnorm = "rmsnorm", transpose = "transpose", sum = "reduce",
  mean = "reduce", max = "reduce", map = "elementwise", add = "elementwise",
  sub = "elementwise", mul = "elementwise", relu = "elementwise", sigmoid = "elementwise",
  silu = "elementwise", gelu = "elementwise", bias_gelu = "elementwise",
}
M.names = home

-- operator -> its name in that file, where it is another
local called = {dequant_gemm = "matmul"}

return setmetatable(M, {
  __index = function(t, name)
    local file = home[name]
    local f = file and require("moontile.ops." .. file)[called[name] or name]
    rawset(t, name, f)
    return f
  end,
})
