-- gathers.lua: gathers of pipelined loops, on targets, against an interpreter.
--
--     moontile tests/hunt/gathers.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--show 1] [--spoil 1]
--
-- Each seed is a program (lib/gathers.lua) that runs on `each` of the targets in turns; of what differs, or is refused,
-- the statements that it takes are printed.  With --spoil the thread program lacks a wait for copies or the guard of one:
-- then the verdicts are printed, and most should be findings.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "gathers", "gathers_interp", "gathers_text"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local random = require "hunt.random"
local gathers, interp, text = require "hunt.gathers", require "hunt.gathers_interp", require "hunt.gathers_text"

local options = {seed = 1, count = 24, each = 1, show = 0, spoil = 0,
  targets = "sim -arch=sm_80,sim -arch=sm_90a,sim -arch=sm_75,sim -arch=gfx942,sim -arch=c500,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile gathers.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--show 1] [--spoil 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end
local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- Fair answers: no room in shared memory; a fragment that the launch's threads do not divide.
local fair = {E529 = true, E537 = true}

-- What is not counted: indices that the language may count from the end.
local known = {below = true}

-- The kernel without one of its waits for copies, or with one of its copies not guarded.
local function spoil(kernel, target, p)
  local lines, places = {}, {}
  for line in kernel:ir "thread":gmatch "[^\n]*\n?" do
    lines[#lines + 1] = line
    local open, n = line:gsub(", [^,]*(%f[%w]bytes=)", ", true %1")
    if line:match "^%s*cp_async_wait" then
      places[#places + 1] = {#lines, "\n"}
    elseif line:match "^%s*cp_async [AI]" and n > 0 and not line:find(", true bytes=", 1, true) then
      places[#places + 1] = {#lines, open}
    end
  end
  if #places == 0 then error "[E000] nothing to spoil" end
  local place = random.new(p.seed):of(places)
  lines[place[1]] = place[2]
  return tl.from_ir(table.concat(lines), {target = target})
end

-- Nothing where a program is right on a target, else a word and more of them.
local function judge(p, target)
  local want, does = interp.run(p)
  for name in pairs(known) do
    if does[name] then return name end
  end
  local chunk, why = load(text.text(p), "=gathers")
  if not chunk then return "text", why end
  local args = text.arguments(p)
  local ok, err = pcall(function()
    local kernel = tl.compile(chunk(), {target = target})
    if options.spoil == 1 then kernel = spoil(kernel, target, p) end
    kernel(table.unpack(args))
  end)
  if not ok then return tostring(err):match "%[(E%d+)%]" or "?", tostring(err) end
  local got = text.results(p, args)
  for _, t in ipairs(p.tensors) do
    for o = 0, interp.size(t.shape) - 1 do
      local w = want[t.name][o]
      if got[t.name][o] ~= w then
        return "wrong", ("%s[%d] is %s, wanted %s"):format(t.name, o, tostring(got[t.name][o]), tostring(w))
      end
    end
  end
end

-- Leaves out statements as long as the verdict stays.
local function shrink(p, target, code)
  local function stays()
    local ok, c = pcall(judge, p, target)
    return ok and c == code
  end
  for _, name in ipairs {"behind", "use", "load"} do
    local list = p[name] or {}
    for i = #list, 1, -1 do
      local s = table.remove(list, i)
      if not stays() then table.insert(list, i, s) end
    end
  end
  for _, name in ipairs {"around", "outer", "first"} do
    local old = p[name]
    p[name] = nil
    if old and not stays() then p[name] = old end
  end
  for _, s in ipairs(p.load) do
    for _, name in ipairs {"mask", "value"} do
      local old = s[name]
      while name == "value" and s.value and s.value[1] == "pick" do
        local whole = s.value
        s.value = whole[3]
        if not stays() then s.value = whole[4] end
        if not stays() then s.value = whole break end
      end
      if name == "mask" and old then
        s.mask = nil
        if not stays() then s.mask = old end
      end
    end
  end
end

local found, refused = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  local p = gathers.make(seed)
  for n = 0, options.each - 1 do
    local target = targets[(seed + n) % #targets + 1]
    if options.show == 1 then print(text.text(p)) end
    local code, why = judge(p, target)
    if fair[code] or known[code] then
      refused = refused + 1
    elseif options.spoil == 1 then
      print(("seed %d, %s: %s"):format(seed, target, code or "NOT NOTICED"))
    elseif code then
      found = found + 1
      shrink(p, target, code)
      code, why = judge(p, target)
      print(("-- seed %d, %s: %s: %s\n-- m = %d\n%s"):format(seed, target, code, why, p.m, text.text(p)))
      p = gathers.make(seed)
    end
  end
end
print(("seeds %d to %d: %d findings, %d refused or not counted"):format(options.seed, options.seed + options.count - 1,
  found, refused))
os.exit(found == 0 and 0 or 1, true)
