-- Lists of places at once: the same as one by one, on layouts of all kinds.
local digits = require "moontile.layout"
local wavefronts = require("moontile.layout_viz.access").wavefronts

local function fail(what, ...)
  print("differs:", what, ...)
end

-- All of a layout, and a box of it.
local function each(map, lo, hi, f)
  local idx = {table.unpack(lo)}
  while true do
    f(idx)
    local d = #idx
    while d >= 1 do
      idx[d] = idx[d] + 1
      if idx[d] < hi[d] then break end
      idx[d], d = lo[d], d - 1
    end
    if d == 0 then return end
  end
end

local function try(what, map, ...)
  local shape = map:shape()
  local lo, hi = {}, {}
  for d, n in ipairs(shape) do
    lo[d], hi[d] = n // 3, n // 3 + math.max(1, n // 2)
  end
  local zero = {}
  for d = 1, #shape do zero[d] = 0 end
  for _, box in ipairs {{zero, shape}, {lo, hi}} do
    local n = 0
    if map:info().memory then
      local list = map:offsets(box[1], box[2])
      each(map, box[1], box[2], function(idx)
        n = n + 1
        if list[n] ~= map:eval(table.unpack(idx)) then fail(what, table.concat(idx, ",")) end
      end)
      if #list ~= n then fail(what, "length") end
    else
      local threads, slots = map:places(box[1], box[2])
      each(map, box[1], box[2], function(idx)
        n = n + 1
        local t, s = map:eval(table.unpack(idx))
        if threads[n] ~= t or slots[n] ~= s then fail(what, table.concat(idx, ",")) end
      end)
      if #threads ~= n or #slots ~= n then fail(what, "length") end
    end
  end
  local info = map:info()
  local list = info.memory and map:elements(0, info.span) or map:elements(0, info.threads, 0, info.registers)
  for k, e in ipairs(list) do
    local a, b = k - 1, nil
    if not info.memory then a, b = (k - 1) // info.registers, (k - 1) % info.registers end
    local idx, number = {map:invert(a, b)}, -1
    if idx[1] then
      number = 0
      for d, v in ipairs(idx) do number = number * shape[d] + v end
    end
    if number ~= e then fail(what, "element", k, e, number) end
  end
end

for _, name in ipairs(digits.instructions()) do
  for _, which in ipairs {"a", "b", "c"} do
    local map = digits.mma(name, which, name:match "^wgmma" and 32 or nil)
    if map then try(name .. which, map) end
  end
end
try("linear", digits.linear {3, 5, 7})
try("one", digits.linear {9})
for _, span in ipairs {128, 64, 32} do
  try("swizzled " .. span, digits.swizzled({16, 128}, 16, span))
end
try("padded", digits.padded({5, 24}, 16))
try("reduced", digits.mma("mma.m16n8k16.f32.f16", "c"):project(1))
try("odd", digits.parse "[7,8] lane(0/1:2*1 1/1:4*2) reg(0/2:4*1 1/4:2*8) bcast(lane:4*8)")

-- the picture of an access has as many wavefronts as the count says
local seed = 7
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end
for _ = 1, 400 do
  local bytes, lanes = 1 << random(5), random(2) == 0 and 32 or 64
  local at = {}
  for l = 1, lanes do
    at[l] = random(8) == 0 and -1 or random(256) * bytes
  end
  local waves, _, ways = digits.banks(at, bytes, 32, 4)
  local list, degree = wavefronts {at = at, bytes = bytes, banks = 32, bank_bytes = 4, rows = lanes}
  local most = 0
  for _, d in pairs(degree) do most = math.max(most, d) end
  if #list ~= waves or most ~= ways then fail("wavefronts", bytes, lanes, #list, waves, most, ways) end
end
print "as one by one"
