-- frame.lua: what the examples share beside their kernels: which sizes to run,
-- the comparison with a reference, the line that says how fast it was.
local compare = require("moontile.ref").compare
local device = require "moontile.tl.device"

local M = {}

-- `moontile FILE small` runs small and odd sizes, and prints no times, so that
-- the output is the same on every machine.  So does `moontile check FILE`.
M.small = device.small or (arg or {})[1] == "small" or (arg or {})[1] == "--small"

-- What float32 arithmetic on random normal numbers may differ from float64.
-- rtol  half an ulp of the result's dtype, for its rounding, and a few
--       float32 roundings on the way
-- atol  a sum of n products of unit normals grows like sqrt(n); the rounding of
--       each step is 2^-24 of that at most, and n such steps, adding up like a
--       random walk, reach about n * 2^-25; the worst of a million sums five
--       times as much, below n * 2^-22
local ulp = {float32 = 2^-23, float16 = 2^-10, bfloat16 = 2^-7}

function M.tolerance(dtype, terms)
  return {rtol = ulp[dtype] / 2 + 2^-21, atol = terms * 2^-22}
end

-- The least power of two that is not below n.
function M.power_of_two(n)
  local p = 1
  while p < n do
    p *= 2
  end
  return p
end

-- Stops at the first bad element when got is not want.  (Under `moontile
-- compile` kernels are written, not run, and there is nothing to say.)
function M.close(what, got, want, tolerance)
  tl.testing.assert_close(got, want, tolerance)
  if device.emit then
    return
  elseif M.small then
    print(what .. ": agrees")
    return
  end
  local c = compare(got, want, tolerance.rtol, tolerance.atol)
  print(("%-44s agrees, greatest error %.1e"):format(what, c.maxabs))
end

-- Beside cuBLAS, which runs in turns with the kernel: false where there is none.
local function beside_cublas(what, work, kernel, ...)
  local ok, r = pcall(kernel.bench, kernel, {input_tensors = {...}, vs = "cublas"})
  if ok then
    print(("%-44s %9.4f ms %9.1f TFLOP/s, %.2f of cuBLAS"):format(what, r.ms,
      work.flop / r.ms * 1e-9, r.ratio))
  end
  return ok
end

-- Does this run on a GPU of NVIDIA's?
function M.cuda()
  return device.on(device.resolve()):match "^cuda" ~= nil
end

-- Times the kernel and sets it against its work, {flop = n} or {byte = n}; a
-- product on an NVIDIA GPU against cuBLAS too, with work.cublas.
function M.time(what, work, kernel, ...)
  if M.small or device.emit or work.cublas and M.cuda() and beside_cublas(what, work, kernel, ...) then
    return
  end
  local ms = kernel:get_profiler():do_bench {input_tensors = {...}}
  local rate = (work.flop or work.byte) / ms * 1e-6
  local unit = work.flop and "GFLOP/s" or "GB/s"
  print(("%-44s %9.3f ms %9.1f %s"):format(what, ms, rate, unit))
end

return M
