-- plot of benchmark and tuning results, of lists and tables of numbers; files.
local bench = require "moontile.tl.bench"
local function result(name, ms, more)
  local r = {kernel = name, signature = name .. "(A, B)", target = "cuda", device = "H200",
    runs = 8, flushed = true, batch = 1, ms = ms, q1 = ms * 0.98, q3 = ms * 1.05, times = {}}
  for i = 1, 16 do
    r.times[i] = ms * (0.95 + (i * 7 % 16) / 100)
  end
  for key, v in pairs(more or {}) do
    r[key] = v
  end
  return setmetatable(r, bench.Result)
end

plot(result("gemm", 0.2))
local versus = {vs = {name = "cublas", ms = 0.25, q1 = 0.24, q3 = 0.26, times = {}}, ratio = 1.25,
  ratio_q1 = 1.2, ratio_q3 = 1.3, ratio_rounds = 8, of_flops = 0.7, of_bytes = 0.2}
plot(result("gemm", 0.2, versus))
plot {result("first", 0.2), result("second", 0.31)}

local report = setmetatable({kernel = "gemm", device = "H200", trials = {
  {text = "BM=64", ms = 0.3}, {text = "BM=128", ms = 0.2, predicted = {ms = 0.18}},
  {text = "BM=256", failed = {}, ms = false},
}}, {__name = "tuning report"})
plot(report)

plot {3, 1, 4, 1.5, -9}
plot({ours = 1.25, theirs = 1.5}, {width = 40})
plot({0 / 0, 1, 1 / 0}, {unicode = false, width = 50})
local many = {}
for i = 1, 100 do
  many[i] = math.sin(i / 10)
end
plot(many, {width = 60})

