-- Looking changes nothing: peeks at every tile of the kernels of examples, and compares
-- what the kernels return with and without it, bit by bit.
--     dofile "lib/examples.lua" ("sim -arch=sm_80" [, {"softmax", ..}])
local ir = require "moontile.ir"
local kernel = require "moontile.tl.kernel"
local tensor = require "moontile.tensor"

local examples = {"conv1d", "conv2d_im2col", "dequant_gemm", "flash_attention", "fp8_quant",
  "gemv", "layernorm", "linear_attention", "quickstart", "rmsnorm", "row_sum", "scale_relu_gemm",
  "softmax", "splitk_gemm", "topk", "transpose", "vector_add"}

-- The same bits; NaN is one of them.
local function same(a, b)
  if tensor.equal(a, b) then
    return true
  end
  local n = a:numel()
  local x, y = a:reshape {n}:totable(), b:reshape {n}:totable()
  for i = 1, n do
    if x[i] ~= y[i] and (x[i] == x[i] or y[i] == y[i]) then
      return false
    end
  end
  return true
end

local launch, seen, peeks = kernel.launch, {}, 0

local function look(k, inputs, results)
  for _, b in ipairs(ir.peekable(k.P)) do
    local ok, t, info = pcall(k.peek, k, b.name, {inputs = inputs})
    peeks = peeks + 1
    if not ok then
      io.stdout:write(k.name, " ", b.name, ": ", tostring(t), "\n")
    else
      for i = 1, results.n do
        if not same(info.outs[i], results[i]) then
          io.stdout:write(("%s, %s: result %d differs\n"):format(k.name, info.heading, i))
        end
      end
    end
  end
end

function kernel.launch(self, values, n, ...)
  local inputs = {}
  for i = 1, n do
    inputs[i] = tensor.istensor(values[i]) and values[i]:copy() or values[i]
  end
  local results = table.pack(launch(self, values, n, ...))
  local key = tostring(self.P) .. self.target
  if not seen[key] then
    seen[key] = true
    look(self, inputs, results)
  end
  return table.unpack(results, 1, results.n)
end

arg = {[0] = "examples", "small"}

return function(target, some)
  local out = print
  tl.set_target(target)
  function print() end
  for _, name in ipairs(some or examples) do
    require("moontile.examples." .. name)
  end
  print = out
  print(target, peeks)
end
