-- python/analyzer.lua: tilelang.tools.Analyzer: what TileLang's own analysis counts of a kernel: products of T.gemm and
-- bytes of T.copy from and to global memory, each times the loops around it and the grid.  It reads the text of the tile
-- program.  The numbers are TileLang's, also where they are crude: no caches, no loops' bodies beside the two, a bandwidth
-- that all cards share, and a peak of three cards only.  `moontile explain` has better ones.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local made = require "moontile.python.made"
local tfunc = require "moontile.T.func"
local types = require "moontile.base.types"

local M = {}

local None = core.None

-- Peaks, 1e12 operations a second, of the capabilities that TileLang has figures for: units of a multiprocessor, GHz,
-- operations a cycle, multiprocessors.
local peaks = {["80"] = {128, 1.41, 2, 108}, ["86"] = {128, 1.70, 2, 84}, ["89"] = {128, 2.52, 2, 128}}

local function peak(capability)
  local p = peaks[tostring(capability):sub(1, 2)]
  return p and tonumber(("%.1f"):format(p[1] * p[2] * p[3] * p[4] / 1e3)) or nil
end

-- The text ---------------------------------------------------------------------

local function known(text, what)
  return math.tointeger(tonumber(text:match "^%s*u?int%d+%((%-?%d+)%)%s*$" or text)) or exc.fail("NotImplementedError",
    ("Analyzer counts kernels whose %s are numbers; here one is `%s`: compile it for certain sizes"):format(what, text), nil,
    "analysis")
end

-- The product of numbers in "8, 8".
local function product(list, what)
  local n = 1
  for text in list:gmatch "[^,%s][^,]*" do
    n = n * known(text:match "^(.-)%s*$", what)
  end
  return n
end

-- Elements of a region, "A[by*128:+128, k, 0:+32]" or a whole buffer.
local function elements(region, buffers)
  local name, inside = region:match "^([%w_%.]+)(.*)$"
  local n = 1
  if inside == "" then
    return product(buffers[name].shape, "shapes")
  end
  for count in inside:gmatch ":%+([^,%]]+)" do
    n = n * known(count, "regions")
  end
  return n
end

-- A copy counts by its side in global memory, that which is read first.
local function copied(line, buffers)
  local from, to = line:match "^copy (.-) %-> (.-)%s*@"
  for _, region in ipairs {from, to and to:match "^[%w_%.]+%b[]" or to and to:match "^[%w_%.]+"} do
    local b = buffers[region:match "^[%w_%.]+"]
    if b and b.global then
      return elements(region, buffers) * types.info(b.dtype).bits // 8
    end
  end
  return 0
end

-- 2 M N K of a product: |A| = M K, |B| = K N, |C| = M N, however they lie.
local function multiplied(line, buffers)
  local a, b, c = line:match "^gemm (.-), ([%w_%.]+%b[]) %-> ([%w_%.]+%b[])"
  if not a then
    a, b, c = line:match "^gemm (.-), (%S-) %-> (%S+)"
  end
  local n = elements(a, buffers) * elements(b, buffers) * elements(c, buffers)
  return 2 * math.floor(n ^ 0.5 + 0.5)
end

-- Iterations of "8, 2:6", each `step` apart.
local function trips(bounds, step)
  local n = 1
  for text in bounds:gmatch "[^,%s][^,]*" do
    local low, high = text:match "^(.-):(.*)$"
    n = n * (known(high or text, "loops") - (low and known(low, "loops") or 0))
  end
  step = step and known(step, "steps") or 1
  return (n + step - 1) // step
end

-- Times that a line's body runs: of a loop its trips, of a launch the grid's first two dimensions, else 1.
local function times(line)
  local grid = line:match "^launch .- in (.-) threads"
  if grid then
    local x, y = grid:match "^([^,]+),?%s*([^,]*)"
    return known(x, "grids") * (y and y ~= "" and known(y, "grids") or 1)
  end
  local bounds = line:match "^for .- in %w+(%b())"
  return bounds and trips(bounds:sub(2, -2), line:match " step=(%S+)") or 1
end

-- text of a tile program -> operations of products, bytes
function M.count(text)
  local buffers, around, now, flops, bytes = {}, {}, 1, 0, 0
  for line in text:gmatch "%s*([^\n]+)" do
    local name, scope, dtype, shape = line:match "^%a+ ([%w_%.]+): (%w+) (%w+)%[(.-)%]"
    if name then
      buffers[name] = {global = scope == "global", dtype = dtype, shape = shape}
    elseif line:match "^copy " then
      bytes = bytes + copied(line, buffers) * now
    elseif line:match "^gemm " then
      flops = flops + multiplied(line, buffers) * now
    elseif line:match "%f[%w]do%f[%W]" then
      around[#around + 1] = now
      now = now * times(line)
    elseif line:match "^end" then
      now = table.remove(around) or 1
    end
  end
  return flops, bytes
end

-- Python's names ---------------------------------------------------------------

local Result = made.class("AnalysisResult", "tilelang.tools.Analyzer", {
  ["__repr__(self)"] = function(r)
    local repr = core.late.repr
    return ("AnalysisResult(total_flops=%s, total_global_bytes=%s, estimated_time=%s, expected_tflops=%s, \z
      expected_bandwidth_GBps=%s)"):format(repr(r.total_flops), repr(r.total_global_bytes), repr(r.estimated_time),
      repr(r.expected_tflops), repr(r.expected_bandwidth_GBps))
  end,
})

local function analysis(_, _, fn, device)
  local prim = foreign.to_lua(fn)
  local text = prim
  if getmetatable(prim) == tfunc.Prim then
    text = prim:script()
  elseif type(prim) ~= "string" then
    exc.fail("TypeError", "Analyzer.analysis() needs a kernel: what T.prim_func or kernel.get_tir(..) gives", nil, "analysis")
  end
  local flops, bytes = M.count(text)
  local gbs = core.late.attr(device, "bandwidth")[2] / 1000
  local tflops = peak(core.late.attr(device, "compute_capability"))
  local memory = bytes / (gbs * 1e9)
  return made.object(Result, {
    total_flops = flops, total_global_bytes = bytes, expected_tflops = tflops or None, expected_bandwidth_GBps = gbs,
    estimated_time = tflops and math.max(memory, flops / (tflops * 1e12)) or memory,
  })
end

M.Analyzer = made.class("Analyzer", "tilelang.tools.Analyzer", {})
made.classmethod(M.Analyzer, "analysis", analysis)

return M
