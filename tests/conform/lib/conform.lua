-- conform.lua: one kernel, every executing target, one reference.
--
--     local conform = dofile "lib/conform.lua"
--     conform.case("reduce sum 64x64", f, {BM = 64}, {x}, {want}, {rtol = 1e-5})
--     conform.done()
--
-- f is a tl.jit function, {x} its arguments, {want} what it must return, in
-- float64 or exactly.  A line names the targets that agree; a failure names
-- the target and says what is wrong.  MOONTILE_CONFORM="sim -arch=c500,cpu"
-- chooses targets.
local device = require "moontile.tl.device"

local M = {cases = 0, failures = 0}

M.targets = {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=simt"}
local chosen = os.getenv "MOONTILE_CONFORM"
if chosen then
  M.targets = {}
  for t in chosen:gmatch "[^,]+" do
    M.targets[#M.targets + 1] = t
  end
end

local function short(target)
  return target:match "arch=(%S+)" or target
end

local function copies(args)
  local r = {}
  for i, v in ipairs(args) do
    r[i] = type(v) == "userdata" and v:copy() or v
  end
  return r
end

-- Runs f on one target; returns what it said when it was wrong.
local function attempt(target, f, config, args, want, tol)
  f.opts.target = target
  local values = copies(args)
  local ok, r = pcall(function()
    local call = table.move(values, 1, #values, 1, {})
    if next(config) then
      call[#call + 1] = config
    end
    local k = f:resolve(table.unpack(call))
    local got = table.pack(k(table.unpack(values)))
    for i, w in pairs(want) do
      -- results first; further tensors of `want` are what the arguments became
      local g = got[i] or values[i - got.n]
      tl.testing.assert_close(g, w, tol)
    end
  end)
  f.opts.target = nil
  return not ok and tostring(r) or nil
end

function M.case(name, f, config, args, want, tol)
  local good = {}
  M.cases = M.cases + 1
  for _, target in ipairs(M.targets) do
    local err = attempt(target, f, config, args, want, tol or {})
    if err then
      M.failures = M.failures + 1
      print(("%s: FAILS on %s"):format(name, short(target)))
      print(err)
    else
      good[#good + 1] = short(target)
    end
  end
  print(("%s: %s"):format(name, table.concat(good, " ")))
end

function M.done()
  print(("%d cases, %d failures"):format(M.cases, M.failures))
end

return M
