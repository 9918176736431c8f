-- tests/bench/lib/cuda_bench.lua: kernels and anchors timed in one interleaved
-- run on the device, and what the times say.
local device = require "moontile.tl.device"
local ir = require "moontile.ir"

local M = {rounds = tonumber(os.getenv "ROUNDS") or 20}

-- The device's session and its options, once; nil and the reason where there is none.
function M.open()
  if M.session then
    return M.session
  elseif M.why then
    return nil, M.why
  end
  local ok, e = pcall(function()
    local session = device.session(device.resolve "cuda")
    M.options = session:options()
    M.session = session
  end)
  if not ok then
    M.why = tostring(e):match "^[^\n]*":gsub("^.-error%[(%w+)%]: ", "%1, ")
    return nil, M.why
  end
  return M.session
end

-- Statistics --------------------------------------------------------------------

local function quantile(s, q)
  local at = q * (#s - 1) + 1
  local lo = math.floor(at)
  local hi = math.min(lo + 1, #s)
  return s[lo] + (s[hi] - s[lo]) * (at - lo)
end

-- {median, lower quartile, upper quartile} of a list.
function M.quartiles(list)
  local s = table.move(list, 1, #list, 1, {})
  table.sort(s)
  return {quantile(s, 0.5), quantile(s, 0.25), quantile(s, 0.75)}
end

function M.median(list)
  return M.quartiles(list)[1]
end

function M.geomean(list)
  local sum = 0
  for _, v in ipairs(list) do
    sum = sum + math.log(v)
  end
  return math.exp(sum / #list)
end

-- The rounds whose clock is within 2 % of the median; all, when it is not known.
local function steady(mhz)
  local known = {}
  for _, v in ipairs(mhz) do
    if v > 0 then
      known[#known + 1] = v
    end
  end
  local keep, middle = {}, #known > 0 and M.median(known)
  for r, v in ipairs(mhz) do
    if not middle or v <= 0 or math.abs(v - middle) <= 0.02 * middle then
      keep[#keep + 1] = r
    end
  end
  return keep, middle or 0
end

-- Times of two sides, round by round -> {ms, anchor_ms, ratio = {median, q1, q3}, mhz}
-- ratio: how much faster we are.
function M.compare(ours, theirs, mhz)
  local keep, clock = steady(mhz or {})
  local a, b, ratio = {}, {}, {}
  if #keep == 0 then
    for r = 1, #ours do
      keep[r] = r
    end
  end
  for i, r in ipairs(keep) do
    a[i], b[i], ratio[i] = ours[r], theirs[r], theirs[r] / ours[r]
  end
  return {ms = M.median(a), anchor_ms = M.median(b), ratio = M.quartiles(ratio), mhz = clock,
    rounds = #keep}
end

-- Running -----------------------------------------------------------------------

local anchors = {}

-- A routine of the vendor's library, as a module: anchor("gemm m=4096 ..").
function M.anchor(spec)
  local m = anchors[spec]
  if not m then
    m = M.session:load("vendor:" .. spec, spec:match "^%S+")
    anchors[spec] = m
  end
  return m
end

-- One interleaved run of modules: list of {module, args}; -> ms[i][round], mhz.
function M.run(list, opts)
  opts = opts or {}
  local modules, args = {}, {}
  for i, x in ipairs(list) do
    modules[i], args[i] = x[1], x[2]
  end
  return M.session:bench(modules, {args}, {warmup = opts.warmup or 3,
    rounds = opts.rounds or M.rounds, batch = opts.batch or 1, flush = opts.flush ~= false})
end

-- Our kernel against an anchor; ours: {kernel, values}, anchor: {spec, args}.
-- The outputs of ours come back too.
function M.versus(ours, anchor, opts)
  local _, module, args, outs = ours[1]:bound(ours[2])
  local theirs = M.anchor(anchor[1])
  local ms, mhz = M.run({{module, args}, {theirs, anchor[2]}}, opts)
  return M.compare(ms[1], ms[2], mhz), outs
end

-- Seconds of a function.
function M.clock(f, ...)
  local from = ir.clock()
  f(...)
  return ir.clock() - from
end

return M
