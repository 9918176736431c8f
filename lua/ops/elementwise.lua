-- ops/elementwise.lua: one result for each element, or for each pair.
--
--     ops.relu(x)   ops.add(x, y)   ops.map(function(x) return x * x end, x)
--
-- Nothing but bytes counts here: each thread reads `loads` vectors of 16 bytes
-- of every operand before it needs the first of them, so that enough of them are
-- on their way, and a block is as long as that makes it.  Arithmetic is in
-- float32; the result is rounded once.
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- threads of a block; 16-byte loads of a thread, over all operands
M.rows = {
  gpu = {threads = 256, loads = 4},
  cpu = {threads = 256, loads = 64},
}

local wide = {float16 = true, bfloat16 = true, float8_e4m3fn = true, float8_e5m2 = true}

local function load_wide(x, dtype)
  return wide[dtype] and T.cast(x, T.float32) or x
end
T.macro(load_wide)

local map1 = tl.jit(function(X, f, dtype, BLOCK, THREADS)
  local N = T.const "N"
  X: T.Tensor({N}, dtype)
  local Y = T.empty({N}, dtype)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = THREADS}) do
    for i in T.Parallel(BLOCK) do
      Y[bx * BLOCK + i] = f(load_wide(X[bx * BLOCK + i], dtype))
    end
  end
  return Y
end)

local map2 = tl.jit(function(X, Z, f, dtype, BLOCK, THREADS)
  local N = T.const "N"
  X: T.Tensor({N}, dtype)
  Z: T.Tensor({N}, dtype)
  local Y = T.empty({N}, dtype)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = THREADS}) do
    for i in T.Parallel(BLOCK) do
      local at = bx * BLOCK + i
      Y[at] = f(load_wide(X[at], dtype), load_wide(Z[at], dtype))
    end
  end
  return Y
end)

-- f(x, b) with b one value a column
local map_bias = tl.jit(function(X, B, f, dtype, BLOCK, THREADS)
  local R, N = T.const "R, N"
  X: T.Tensor({R, N}, dtype)
  B: T.Tensor({N}, dtype)
  local Y = T.empty({R, N}, dtype)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK), R, {threads = THREADS}) do
    for i in T.Parallel(BLOCK) do
      local at = bx * BLOCK + i
      Y[by, at] = f(load_wide(X[by, at], dtype), load_wide(B[at], dtype))
    end
  end
  return Y
end)

-- Elements of a block when it has so many operands.
local function block(dtype, operands)
  local c = config.pick(M.rows)
  return c.threads * math.max(1, c.loads // operands) * config.vector(dtype), c.threads
end

-- The compiled kernel for n elements; operands 1 or 2.
function M.kernel(f, n, dtype, operands)
  local size, threads = block(dtype, operands)
  local which = operands == 2 and map2 or map1
  return which:compile {N = n, f = f, dtype = dtype, BLOCK = size, THREADS = threads}
end

-- map(f, x): f(x) for each element; map(f, x, y): f(x, y) for each pair.
function M.map(f, x, y)
  local size, threads = block(x.dtype, y and 2 or 1)
  local named = {f = f, dtype = x.dtype, BLOCK = size, THREADS = threads}
  if y then
    return map2(x:flatten(), y:flatten(), named):reshape(x.shape)
  end
  return map1(x:flatten(), named):reshape(x.shape)
end

-- What is computed, on float32 values (float64 and integers as they are).
-- Exponentials are to base 2 and quotients reciprocals, for which GPUs have
-- instructions: within a few units in the last place of float32.
local f, LOG2E = {}, 1.4426950408889634
M.f = f

function f.add(x, y) return x + y end
function f.sub(x, y) return x - y end
function f.mul(x, y) return x * y end
function f.relu(x) return T.max(x, 0) end
function f.sigmoid(x) return T.fast_rcp(1 + T.__exp2(-LOG2E * x)) end
function f.silu(x) return x * f.sigmoid(x) end

-- gelu by its tanh form: x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3).
function f.gelu(x)
  local c = 2 * math.sqrt(2 / math.pi) * LOG2E
  return x * T.fast_rcp(1 + T.__exp2(x * (x * x * (-c * 0.044715) - c)))
end

function f.bias_gelu(x, b) return f.gelu(x + b) end

for _, name in ipairs {"relu", "sigmoid", "silu", "gelu"} do
  M[name] = function(x) return M.map(f[name], x) end
end
for _, name in ipairs {"add", "sub", "mul"} do
  M[name] = function(x, y) return M.map(f[name], x, y) end
end

-- gelu(x + b), b along the last axis of x.
function M.bias_gelu(x, b)
  local size, threads = block(x.dtype, 1)
  local n = b.shape[1]
  local y = map_bias(x:reshape {-1, n}, b, {f = f.bias_gelu, dtype = x.dtype,
    BLOCK = math.min(size, config.power_of_two(n)), THREADS = threads})
  return y:reshape(x.shape)
end

return M
