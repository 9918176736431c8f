-- Every name of T on a target whose text runs (TARGET) and on the simulator of the same machine
-- (SIM): what is left in the tensors is the same, bit by bit.  STEP and FROM: one name of STEP.  A printed text that is not what was simulated shows here.
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"

local target, sim = os.getenv "TARGET", os.getenv "SIM"
local step, from = tonumber(os.getenv "STEP" or "1"), tonumber(os.getenv "FROM" or "0")

local names = {}
for _, n in ipairs(registry.order) do
  local row = registry.names[n]
  if not row.later and not row.alias_of then
    names[#names + 1] = n
  end
end
table.sort(names)

-- The elements of a tensor; what is no number has no one text.
local function spell(t, out)
  for _, v in ipairs(t) do
    if type(v) == "table" then
      spell(v, out)
    else
      out[#out + 1] = v ~= v and "nan" or ("%a"):format(v)
    end
  end
end

-- What the example of T's name n leaves: the bytes of its tensors, or the error's code.
local function result(n, spec)
  tl.set_target(spec)
  tl.manual_seed(7)
  local text, is_kernel = sample.program(registry.names[n])
  if not is_kernel then
    return nil
  end
  local a, b = tl.randn({64, 64}), tl.randn({64, 64})
  local f = assert(load(text .. "\nreturn f", "=T." .. n))
  local say, out_file, write = print, io.stdout, io.write
  print, io.write = function() end, function() return out_file end -- what kernels print is compared elsewhere
  local ok, out = pcall(function() return f()(a, b) end)
  print, io.write = say, write
  if not ok then
    return (tostring(out):match "E%d+" or tostring(out)):sub(1, 300)
  end
  local parts = {}
  for _, t in ipairs{a, b, out} do
    spell(t:totable(), parts)
  end
  return table.concat(parts, " ")
end

local same, refused, kernels = 0, {}, 0
for i, n in ipairs(names) do
  if i % step == from % step then
    local want = result(n, sim)
    local got = want and result(n, target)
    kernels = kernels + (want and 1 or 0)
    if want and want:match "^E%d+$" then
      refused[#refused + 1] = n .. " " .. want .. (got ~= want and " but " .. got:sub(1, 60) or "")
    elseif want and got ~= want then
      print(("T.%s on %s is not what %s simulates: %s"):format(n, target, sim, got:match "^E%d+$" or #got < 300 and got or "other values"))
    elseif want then
      same = same + 1
    end
  end
end
print(("%s as %s: %d of %d kernels leave the same bits"):format(target, sim, same, kernels))
print("refused: " .. table.concat(refused, ", "))
