-- The example of every name of T, as TileLang Python and read again: the same tile program but for its places and the order in
-- which its parameters are declared.  Below: those that are not, and what has no counterpart in TileLang.
local export = require "moontile.export"
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"

tl.set_target "sim -arch=sm_90a"
local dir = os.getenv "TMP"
local A = tl.empty({64, 64}, T.float32)

-- The IR's lines without the file's name, the places and the numbers that keep names apart; of declarations only which there are.
local function bare(P)
  local declared, rest = {}, {}
  local text = tostring(P):gsub("^file [^\n]*\n", ""):gsub(" @%d+:?%d*%f[^%d]", ""):gsub("(%a)[._]%d+%f[^%w_]", "%1")
  for line in text:gmatch "[^\n]+" do
    table.insert(line:find "^  buffer " and declared or rest, line)
  end
  table.sort(declared)
  return table.move(rest, 1, #rest, #declared + 1, declared)
end

local function difference(a, b)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then
      return ("\n  - %s\n  + %s"):format(a[i], b[i])
    end
  end
end

local same = 0

local function check(name, P)
  local text, missing = export.python(P)
  if missing > 0 then
    print("T." .. name, "", text:match "# moontile: ([^\n]*)")
    return
  end
  local path = ("%s/%s.py"):format(dir, name)
  local f <close> = assert(io.open(path, "w"))
  f:write(text)
  f:flush()
  local d = difference(bare(P), bare(tl.python(path).compiled.P))
  same = same + (d and 0 or 1)
  if d then
    print("T." .. name, d)
  end
end

local names = table.move(registry.order, 1, #registry.order, 1, {})
table.sort(names)
io.stderr:close()
for _, n in ipairs(names) do
  local row = registry.names[n]
  if not row.later and not row.alias_of then
    local text, is_kernel = sample.program(row)
    if is_kernel then
      check(n, assert(load(text .. "return f", "=" .. n))():compile(A, A).P)
    end
  end
end
print(same > 300 and "of all others the same comes back" or same)
