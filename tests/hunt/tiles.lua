-- tiles.lua: small programs over tiles, on targets, against interpreters of their own.
--
--     moontile tests/hunt/tiles.lua [--kind views|shifted] [--seed N] [--count programs] [--targets a,b] [--each n]
--
--   views      tiles by several names, of elements of several widths; the interpreter knows bytes alone
--   shifted    small tiles that an iteration reads and writes at elements of its own, under conditions and in loops
--
-- Without arguments it is the short test.  Each seed is a program (lib/views.lua, lib/shifted.lua) that runs on `each`
-- of the targets in turns; of what differs, or is refused, the statements that it takes are printed.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "views", "shifted"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end

local options = {kind = "views,shifted", seed = 1, count = 150, each = 1,
  targets = "sim -arch=sm_80,sim -arch=sm_90a,sim -arch=gfx942,sim -arch=c500,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile tiles.lua [--kind K] [--seed N] [--count programs] [--targets a,b] [--each n]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end
local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- Nothing where p is right on a target, else a word and more of them.
local function judge(tiles, p, target)
  local want = tiles.interpret(p)
  local chunk, why = load(tiles.text(p), "=tiles")
  if not chunk then return "text", why end
  local ok, got = pcall(function() return tiles.results(p, chunk(target)) end)
  if not ok then
    local code = tostring(got):match "%[(E%d+)%]" or "?"
    if code == "E436" and target:find "-build" then return end -- its text is good for the C compiler
    return code, tostring(got)
  end
  for name, w in pairs(want) do
    for i, v in ipairs(w) do
      if got[name][i] ~= v then return "wrong", ("%s[%d] is %s, wanted %d"):format(name, i - 1, got[name][i], v) end
    end
  end
end

-- Leaves out statements as long as the verdict stays.
local function shrink(tiles, p, target, code)
  for i = #p.list, 1, -1 do
    local s = table.remove(p.list, i)
    local ok, c = pcall(judge, tiles, p, target)
    if not (ok and c == code) then table.insert(p.list, i, s) end
  end
end

local all = 0
for kind in options.kind:gmatch "[^,]+" do
  local tiles, found = require("hunt." .. kind), 0
  for seed = options.seed, options.seed + options.count - 1 do
    local p = tiles.make(seed)
    for k = 1, options.each do
      local target = targets[(seed + k - 2) % #targets + 1]
      local code, why = judge(tiles, p, target)
      if code then
        found = found + 1
        shrink(tiles, p, target, code)
        code, why = judge(tiles, p, target)
        print(("%s, seed %d, %s: %s: %s\n%s"):format(kind, seed, target, code, why, tiles.text(p)))
      end
    end
  end
  print(("%s: %d programs, %d findings"):format(kind, options.count, found))
  all = all + found
end
os.exit(all == 0)
