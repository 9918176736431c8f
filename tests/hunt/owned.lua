-- owned.lua: kernels whose own T.sync_threads order accesses at places that are read from memory, under
-- pass_configs["tl.disable_thread_storage_sync"], against an interpreter.
--
--     moontile tests/hunt/owned.lua [--seed N] [--count programs] [--targets a,b] [--show 1]
--
-- A program with all its barriers must be right; one that lacks a barrier which it needs must be told so by the
-- simulator, unless a barrier of the compiler's stands there; one that lacks a barrier which it does not need must be
-- right.  What it needs, the accesses of the interpreter say: an element that threads of several warps touch between two
-- barriers, one of them to write it.  Without the option all of them must be right without any barrier.  Without
-- arguments it is the short test.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local random, steps = dofile(here .. "lib/random.lua"), dofile(here .. "lib/owned.lua")

local options = {seed = 1, count = 12, targets = "sm_75,sm_80,sm_90a,c500,gfx942", show = 0}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile owned.lua [--seed N] [--count programs] [--targets a,b] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = "sim -arch=" .. t end

local counts = {right = 0, told = 0, mended = 0, needless = 0, found = 0}

-- What becomes of a program: "right", "wrong" or "told", and why.
local function outcome(text, w, want, target, own)
  local args, outs = {}, {}
  for k, name in ipairs(w.names) do
    args[k] = tl.from_table({table.unpack(w.data[name])}, "int32")
    outs[name] = args[k]
  end
  local ok, why = pcall(function()
    local kernel = tl.compile(assert(load(text, "=owned"))(), {target = target, pass_configs = {["tl.disable_thread_storage_sync"] = own}})
    kernel(table.unpack(args))
  end)
  if not ok then return "told", tostring(why) end
  for name, x in pairs(want) do
    local got = outs[name]:totable()
    for i, v in ipairs(x) do
      if got[i] ~= v then return "wrong", ("%s[%d] is %s, not %s"):format(name, i - 1, got[i], v) end
    end
  end
  return "right"
end

local function find(where, what, text)
  counts.found = counts.found + 1
  print(("%s: %s\n%s"):format(where, what, text))
end

for seed = options.seed, options.seed + options.count - 1 do
  local r = random.new(seed)
  local w = steps.program(r)
  local target = targets[seed % #targets + 1]
  if r:chance(0.3) then target = ("%s -seed=%d"):format(target, seed % 997 + 1) end
  local where = ("seed %d on %s"):format(seed, target)
  local want = steps.run(w, nil)
  local full = steps.text(w, nil)
  if options.show ~= 0 then print(full) end
  local got, why = outcome(full, w, want, target, true)
  if got ~= "right" then find(where .. ", all barriers", why, full) else counts.right = counts.right + 1 end
  local none = steps.text(w, "all")
  got, why = outcome(none, w, want, target, false)
  if got ~= "right" then find(where .. ", the compiler's barriers", why, none) else counts.right = counts.right + 1 end
  for _ = 1, 3 do
    local drop = r:int(1, w.barriers)
    local _, needed, beside = steps.run(w, drop)
    local text = steps.text(w, drop)
    got, why = outcome(text, w, want, target, true)
    if got == "wrong" then
      find(where .. ", silently wrong", why, text)
    elseif not needed then
      if got == "told" and not (beside and why:find "E60[0-5]") then find(where .. ", a barrier that is not needed", why, text) end
      counts.needless = counts.needless + 1
    elseif got == "told" then
      if why:find "E60[0-5]" then counts.told = counts.told + 1 else find(where .. ", told otherwise", why, text) end
    else
      counts.mended = counts.mended + 1
      for n = 1, 4 do -- then in any order
        got, why = outcome(text, w, want, ("%s -seed=%d"):format(target:match "^sim %S+", seed % 89 * 10 + n), true)
        if got ~= "right" then
          find(("%s, order %d, at %s"):format(where, n, needed), why, text)
          break
        end
      end
    end
  end
end
print(("seeds %d to %d: %d right, %d told, %d the compiler's, %d needless, %d findings"):format(options.seed,
  options.seed + options.count - 1, counts.right, counts.told, counts.mended, counts.needless, counts.found))
os.exit(counts.found == 0 and 0 or 1, true)
