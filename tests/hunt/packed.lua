-- packed.lua: kernels over elements of 4 bits on targets, against an interpreter.
--
--     moontile tests/hunt/packed.lua [--seed N] [--count programs] [--targets a,b] [--each n]
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

local options = {seed = 1, count = 40, each = 1, show = 0,
  targets = "sim -arch=sm_80,sim -arch=sm_90a,sim -arch=gfx942,sim -arch=c500,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile packed.lua [--seed N] [--count programs] [--targets a,b] [--each n]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

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
    return code, tostring(got)
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

local found = 0
for seed = options.seed, options.seed + options.count - 1 do
  for n = 0, options.each - 1 do
    local target = targets[(seed + n) % #targets + 1]
    local p = packed.program(seed, seed % 4 == 0)
    if options.show == 1 then print(text.text(p)) end
    local code, why = judge(p, target)
    if code then
      found = found + 1
      shrink(p, target, code)
      _, why = judge(p, target)
      print(("-- seed %d, %s: %s: %s\n%s"):format(seed, target, code, why, text.text(p)))
    end
  end
end
print(("seeds %d to %d: %d findings"):format(options.seed, options.seed + options.count - 1, found))
os.exit(found == 0 and 0 or 1, true)
