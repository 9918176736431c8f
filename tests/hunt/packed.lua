-- packed.lua: kernels over elements of 4 bits on targets, against an interpreter.
--
--     moontile tests/hunt/packed.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--halves pending|found]
--         [--words pending|found]
--
-- Without arguments it is the short test.  Each seed is a program (lib/packed.lua) that runs on `each` of the targets in
-- turns; what differs, and what is refused, is made small and printed.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "packed", "packed_ways", "packed_values", "packed_statements", "packed_more", "packed_tiles", "packed_ends",
                       "packed_text"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local packed = require "hunt.packed"
local text = require "hunt.packed_text"

-- The halves of a byte that different threads or blocks store: as long as targets refuse or report some of these
-- (E319, E600 to E604, E637), such programs count as pending, and half of them are made without.
-- "found" once every target keeps the other half.
local HALVES = "pending"

-- A fragment of words that T.view shows as smaller elements, stored some at a time: the simulator takes a register for
-- without a value as long as a part of it has none (E606, E641).  "found" once it does not.
local WORDS = "pending"

local options = {seed = 1, count = 40, each = 1, halves = HALVES, words = WORDS, show = 0,
  targets = "sim -arch=sm_80,sim -arch=sm_90a,sim -arch=gfx942,sim -arch=c500,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile packed.lua [--seed N] [--count programs] [--targets a,b] [--each n]",
      " [--halves pending|found] [--words pending|found]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end
local pending = {}
for _, code in ipairs(options.halves == "pending" and {"E319", "E600", "E601", "E602", "E603", "E604", "E637"} or {}) do
  pending[code] = true
end

-- Nothing where a program is right on a target, else a code and words.
local function judge(p, target)
  local want = assert(packed.interpret(p))
  if #text.results(p) == 0 then return end
  local chunk, why = load(text.text(p), "=packed")
  if not chunk then return "text", why end
  local ok, got = pcall(function() return text.call(p, chunk(target)) end)
  if not ok then
    local code = tostring(got):match "%[(E%d+)%]" or "?"
    if code == "E436" and target:find "-build" then return end -- its text is good for the C compiler
    local parts = options.words == "pending" and (code == "E606" or code == "E641") and packed.words(p)
    return (pending[code] or parts) and "pending" or code, tostring(got)
  end
  for _, o in ipairs(text.results(p)) do
    local g, w = got[o.name], want[o.name]
    for k = 1, o.size do
      if g[k] ~= w[k] then
        return "wrong", ("%s, element %d is %s, wanted %s"):format(o.name, k - 1, tostring(g[k]), tostring(w[k]))
      end
    end
  end
end

-- Leaves out statements as long as the verdict stays.
local function shrink(p, target, code)
  local i = #p.list
  while i >= 1 do
    local s = table.remove(p.list, i)
    local right = packed.interpret(p)
    local ok, c = pcall(judge, p, target)
    if not (right and ok and c == code) then table.insert(p.list, i, s) end
    i = i - 1
  end
end

local found, left = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  for n = 0, options.each - 1 do
    local target = targets[(seed + n) % #targets + 1]
    local p = packed.program(seed, options.halves == "pending" and seed % 2 == 0)
    if options.show == 1 then print(text.text(p)) end
    local code, why = judge(p, target)
    if code == "pending" then
      left = left + 1
    elseif code then
      found = found + 1
      shrink(p, target, code)
      _, why = judge(p, target)
      print(("-- seed %d, %s: %s: %s\n%s"):format(seed, target, code, why, text.text(p)))
    end
  end
end
print(("seeds %d to %d: %d findings, %d pending"):format(options.seed, options.seed + options.count - 1, found, left))
os.exit(found == 0 and 0 or 1, true)
