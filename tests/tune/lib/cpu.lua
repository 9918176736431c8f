-- Tuning on the cpu: every candidate is compiled, checked and timed; the store keeps
-- what was found, and survives what happens to files.
local K = dofile "lib/kernels.lua"
local json = require "moontile.tl.json"
local store = require "moontile.tl.tune.store"

local function lines(path)
  local f = assert(io.open(path))
  local list = {}
  for line in f:lines() do
    list[#list + 1] = line
  end
  f:close()
  return list
end

local x = tl.randn({1000}, "float32")
local space = {BN = {32, 64, 128}}

-- A search
local k = K.scale:compile {N = 1000, BN = 64, factor = 3}
local best = k:tune {budget = "60s", space = space, inputs = {x}}
local r = best.tuning
print("all tried", r.counts.tried, r.counts.failed, #r.trials, r.ended)
print("first is the base", r.trials[1].text)
local least = true
for _, t in ipairs(r.trials) do
  least = least and t.runs > 0
end
print("timed", least, best.latency > 0, best.tuned.BN ~= nil)
tl.testing.assert_close(best(x), x * 3)

-- A call with the best values finds the kernel
print("found by calls", K.scale:compile {N = 1000, BN = best.tuned.BN, factor = 3} == best)

-- The store
local record = json.decode(lines(store.path())[1])
print("kept", record.kernel, record.config == r.best.text, record.tried, record.version,
  record.target)
print("tensors", record.tensors)
local again = k:tune {budget = "60s", space = space, inputs = {x}}
print("from the store", again.tuning.stored ~= nil, again.tuned.BN == best.tuned.BN,
  again.tuning.counts.tried)
print("fresh", k:tune({budget = "60s", space = space, fresh = true}).tuning.counts.tried)
local function stored(n, factor)
  return K.scale:compile {N = n, BN = 64, factor = factor}:tune({space = space}).tuning.stored
end
print("other sizes", stored(500, 3))
print("other values", stored(1000, 2))
print("lines", #lines(store.path()))

-- Lines that do not read are no results, and the next result drops them; those of another version stay
local f = assert(io.open(store.path(), "a"))
f:write('{"key": "half\n\n[1, 2]\n{"version": 99, "key": "x", "config": "{}", "ms": 1}\n')
f:close()
print("damaged", k:tune({space = space}).tuning.stored ~= nil, #store.all())
k:tune {space = space, fresh = true}
print("dropped", #lines(store.path()), #store.all())
os.remove(store.path())
print("gone", k:tune({space = space}).tuning.stored, #store.all())
print("not kept", k:tune({space = {BN = {32}}, cache = false}).tuning.counts.tried, #store.all())

-- What fails is listed with its reason, and nothing more happens
local odd = K.scale:compile {N = 1000, BN = 64, factor = 3}:tune {budget = 60, cache = false,
  inputs = {x}, space = {{BN = 64}, {BN = 0}, {BN = 64, factor = 4}, {BN = "a"}}}
for _, t in ipairs(odd.tuning.trials) do
  print(t.text, t.stage, t.failed and t.failed.code, t.failed and t.failed.message)
end
print(K.masked(odd.tuning))

-- Of large results the first, middle and last rows are compared
local large = K.scale:compile {N = 1 << 22, BN = 1024, factor = 3}:tune {cache = false, rep = 2,
  inputs = {tl.full({1 << 22}, 2, "float32")}, space = {{BN = 1024}, {BN = 1024, factor = 4}}}
print("large", large.tuning.trials[2].failed.label)

-- By ref_prog every candidate can be wrong
local ok, e = pcall(k.tune, k, {space = space, cache = false, inputs = {x},
  ref_prog = function(a) return a * 5 end})
print(ok, (tostring(e):gsub("at %[%d+%]: [%d.-]+ instead of [%d.-]+", "AT")))

-- A space of its own: tiles are varied, what changes the tensors is not
local g = K.gemm:compile {M = 64, N = 64, K = 32, BM = 32, BN = 32, BK = 16, stages = 2,
  threads = 64}
local names = {}
local of = g:tune {budget = 0.001, cache = false}
for _, t in ipairs(of.tuning.trials) do
  for name in pairs(t.config) do
    names[name] = true
  end
end
local list = {}
for name in pairs(names) do
  list[#list + 1] = name
end
table.sort(list)
print("varied", table.concat(list, " "), #of.tuning.trials, of.tuning.ended)

-- A tl.jit function with tensors; values by position or by name
local a, b = tl.randn({64, 32}, "float16"), tl.randn({32, 64}, "float16")
local t = K.gemm:tune(a, b, {BM = 32, BN = 32, BK = 16, stages = 2, threads = 64, cache = false,
  space = {BM = {16, 32}, BN = {32}}, budget = "1m"})
print("jit", t.tuning.counts.tried, tl.allclose(t(a, b), tl.ref.matmul(a, b), 1e-2, 1e-2))
