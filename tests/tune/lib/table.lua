-- The table of a benchmark, from numbers that are given: as on a GPU.
local bench = require "moontile.tl.bench"
local r = setmetatable({kernel = "matmul", signature = "matmul(A, B)", target = "cuda",
  device = "NVIDIA H200", runs = 50, flushed = true, batch = 1, mhz = 1755, times = {}, ms = 0.19,
  q1 = 0.189, q3 = 0.1915, flops = 2 * 4096 ^ 3, bytes = 100663296, tflops = 723.4, tbs = 0.53,
  roof = {flops = 989.4e12, flops_by = "sheet", bytes = 4.27e12, bytes_by = "measured"},
  of_flops = 0.731, of_bytes = 0.124,
  predicted = {ms = 0.166, bound = "matrix", waves = 3.88, full = 0.97, blocks = 512,
    resident = 1, threads = 384},
  vs = {name = "cublas", ms = 0.184, q1 = 0.183, q3 = 0.185, times = {}},
  ratio = 0.968, ratio_q1 = 0.96, ratio_q3 = 0.971, ratio_rounds = 49}, bench.Result)
for i = 1, 50 do
  r.times[i], r.vs.times[i] = 0.19, 0.184
end
print(r)
for _, bound in ipairs {"memory", "latency", "waves"} do
  r.predicted.bound, r.vs, r.flushed, r.batch, r.mhz = bound, nil, false, 4, nil
  print(r)
end
