-- packed.lua: kernels over elements of 4 bits on targets, against an interpreter.
--
--     moontile tests/hunt/packed.lua [--seed N] [--count programs] [--targets a,b] [--each n]
--
-- Without arguments it is the short test.  Each seed is a program (lib/packed.lua) that runs on `each` of the targets in
-- turns; what differs, and what is refused, is made small and printed.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "packed"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local packed = require "hunt.packed"

local options = {seed = 1, count = 40, each = 1,
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

local function flat(t, out)
  for _, v in ipairs(t) do
    if type(v) == "table" then flat(v, out) else out[#out + 1] = v end
  end
  return out
end

-- Nothing where a program is right on a target, else a code and words.
local function judge(p, target)
  local m = assert(packed.interpret(p))
  local results = packed.results(p)
  if #results == 0 then return end
  local text = packed.text(p)
  local chunk, why = load(text, "=packed")
  if not chunk then return "text", why end
  local ok, out = pcall(function() return table.pack(chunk(target)(table.unpack(packed.tensors(p)))) end)
  if not ok then
    local code = tostring(out):match "%[(E%d+)%]" or "?"
    for _, s in ipairs(p.list) do
      if code == "E319" and s.odd then return "fair" end -- no way to give it to threads, and it says so
    end
    return code, tostring(out)
  end
  for k, o in ipairs(results) do
    local got, want = flat(out[k]:totable(), {}), m[o.name]
    for i, v in ipairs(want) do
      if got[i] ~= v then return "wrong", ("%s, element %d is %s, wanted %s"):format(o.name, i - 1, got[i], v) end
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

local found, fair = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  for n = 0, options.each - 1 do
    local p, target = packed.program(seed), targets[(seed + n) % #targets + 1]
    local code, why = judge(p, target)
    if code == "fair" then
      fair = fair + 1
    elseif code then
      found = found + 1
      shrink(p, target, code)
      _, why = judge(p, target)
      print(("-- seed %d, %s: %s: %s\n%s"):format(seed, target, code, why, packed.text(p)))
    end
  end
end
print(("seeds %d to %d: %d findings, %d refused"):format(options.seed, options.seed + options.count - 1, found, fair))
os.exit(found == 0 and 0 or 1, true)
