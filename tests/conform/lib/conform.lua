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
--
-- h200.bits holds a hash of what an H200 made of each case; the simulator of sm_90a is held
-- against it.  MOONTILE_CONFORM_RECORD=FILE writes such lines on a card (lib/card.sh).
local device = require "moontile.tl.device"
local tensor_bytes = require "moontile.bytes"

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

-- What a card was asked and said: name -> hash, of this suite.
local suite = arg[0]:match "([^/]+)%.lua$"
local card = {equal = 0, other = {}, hash = {}, seen = {}}
for line in io.lines "h200.bits" do
  local s, hash, name = line:match "^(%S+) (%x+) (.+)$"
  if s == suite then
    card.hash[name] = hash
  end
end

-- FNV-1a over words of 8 bytes.
local function hash_of(list)
  local h = 0xcbf29ce484222325
  for _, v in ipairs(list) do
    local s = type(v) == "userdata" and tensor_bytes.get(v) or ""
    s = s .. ("\0"):rep(-#s % 8)
    for at = 1, #s, 8 do
      h = (h ~ string.unpack("<I8", s, at)) * 0x100000001b3
    end
  end
  return ("%016x"):format(h)
end

-- Functions that cards compute by approximations of their own.
local approximate = {"log", "log2", "log10", "rsqrt", "tanh", "sin", "cos",
  "tan", "sigmoid", "fast_%w+"}

-- Why bits may differ from a card's, as the thread program shows it.
local function reason(text)
  local found = {}
  for _, f in ipairs(approximate) do
    if text:find("%f[%w_]" .. f .. "%(") then
      found[#found + 1] = text:match("%f[%w_](" .. f .. ")%(")
    end
  end
  return #found > 0 and "the card approximates " .. table.concat(found, ", ") or "no known reason"
end

-- What the simulator of sm_90a made, against what the card did.
local function compare_card(name, k, list)
  if not card.hash[name] then
    return
  elseif hash_of(list) == card.hash[name] then
    card.equal = card.equal + 1
  else
    card.other[#card.other + 1] = ("%s: other bits than the H200's: %s"):format(name,
      reason(k:ir "thread"))
  end
end

local function record(name, list)
  if card.seen[name] then
    error("two cases have this name", 0)
  end
  card.seen[name] = true
  local f <close> = assert(io.open(os.getenv "MOONTILE_CONFORM_RECORD", "a"))
  f:write(("%s %s %s\n"):format(suite, hash_of(list), name))
end

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
    print(("%s: other bits than the simulator's: %s"):format(name, reason(text)))
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
    local list = got.n > 0 and got or values
    if target == "sim -arch=sm_90a" then
      compare_card(name, k, list)
    elseif target:match "^cuda" and os.getenv "MOONTILE_CONFORM_RECORD" then
      record(name, list)
    end
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
  if card.equal + #card.other > 0 then
    for _, line in ipairs(card.other) do
      print(line)
    end
    print(("as an H200 made them, to the bit: %d of %d"):format(card.equal,
      card.equal + #card.other))
  end
  print(("%d cases, %d failures"):format(M.cases, M.failures))
end

return M
