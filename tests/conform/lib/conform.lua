-- conform.lua: one kernel, every executing target, one reference.
--
--     local conform = dofile "lib/conform.lua"
--     conform.case("reduce sum 64x64", f, {BM = 64}, {x}, {want}, {rtol = 1e-5})
--     conform.done()
--
-- f is a tl.jit function, {x} its arguments, {want} what it must return, in
-- float64 or exactly.  A line names the targets that agree; a failure names
-- the target and says what is wrong.  MOONTILE_CONFORM="sim -arch=c500,cpu"
-- chooses targets, MOONTILE_CONFORM_STEP=5 every fifth case.
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

local same = {equal = 0, other = {}}

local function isfloat(dtype)
  return dtype:find "float" ~= nil
end

-- Compares what kernel k returned and made of its arguments, got and after, with what the
-- simulator makes of the same ones.
local function compare_bits(name, k, args, got, after, must)
  local text = k:ir "thread"
  local spec = "sim -arch=" .. text:match "machine (%S+)"
  local sim = k.target:find("-mma=off", 1, true) and tl.from_ir(text, {target = spec}) or
    k:retarget(spec) -- the simulator's machine has its matrix instructions
  local values, equal, floats = copies(args), true, false
  local r = table.pack(sim(table.unpack(values)))
  local function compare(a, b)
    if type(b) == "userdata" then
      floats = floats or isfloat(b.dtype)
      equal = equal and tl.allclose(a, b, 0, 0)
    end
  end
  for i = 1, r.n do
    compare(got[i], r[i])
  end
  if r.n == 0 then
    for i, v in ipairs(values) do
      compare(after[i], v)
    end
  end
  if equal then
    same.equal = same.equal + 1
  elseif must or not floats then
    error("differs from the simulator in its bits", 0)
  else
    same.other[#same.other + 1] = name
  end
end

-- Runs f on one target; returns what it said when it was wrong.
local function attempt(name, target, f, config, args, want, tol)
  f.opts.target = target
  local values = copies(args)
  local ok, r = pcall(function()
    local call = table.move(values, 1, #values, 1, {})
    if next(config) then
      call[#call + 1] = config
    end
    local k = f:resolve(table.unpack(call))
    local got = table.pack(k(table.unpack(values)))
    local stands_in = target:match "^hip" or target:match "^maca" -- with the simulator's functions
    if stands_in or target:match "^cuda" then
      compare_bits(name, k, args, got, values, stands_in or tol.bits)
    end
    for i, w in pairs(want) do
      -- results first; further tensors of `want` are what the arguments became
      local g = got[i] or values[i - got.n]
      tl.testing.assert_close(g, w, tol)
    end
  end)
  f.opts.target = nil
  return not ok and tostring(r) or nil
end

local step, seen = tonumber(os.getenv "MOONTILE_CONFORM_STEP" or 1), 0

function M.case(name, f, config, args, want, tol)
  local good = {}
  seen = seen + 1
  if seen % step ~= 0 then
    return
  end
  M.cases = M.cases + 1
  for _, target in ipairs(M.targets) do
    local err = attempt(name, target, f, config, args, want, tol or {})
    if err and (target:match "^hip" or target:match "^maca") and err:find("[E537]", 1, true) then
      good[#good + 1] = short(target) .. " (too large)" -- for 64 KiB of shared memory
    elseif err then
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
  if same.equal + #same.other > 0 then
    print(("bit-equal with the simulator: %d of %d; not: %s"):format(same.equal,
      same.equal + #same.other, table.concat(same.other, ", ")))
  end
  print(("%d cases, %d failures"):format(M.cases, M.failures))
end

return M
