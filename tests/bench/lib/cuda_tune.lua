-- tests/bench/lib/cuda_tune.lua: which configurations lua/ops should have on the
-- card at hand: all that come into question, timed in one interleaved run.
--
--     make bench T=cuda.tune.gemm      tiles of ops/gemm.lua for the shapes of cuda.llm
--     make bench T=cuda.tune.memory    threads and registers of the memory-bound operators
--     make bench T=cuda.tune.int4      pieces of K and stages of ops/dequant.lua
--
-- What it prints for gemm are rows of gemm.measured.
local c = ...
local bench, data, attempt = c.bench, c.data, c.attempt

-- Candidates: list of {text, kernel, values}; prints each, the best first.
local function contest(title, list, bytes)
  local run, order = {}, {}
  for i, x in ipairs(list) do
    local _, module, args = x[2]:bound(x[3])
    run[i] = {module, args}
  end
  local ms, _ = bench.run(run, {rounds = 11})
  for i in ipairs(list) do
    order[i] = {bench.median(ms[i]), list[i][1]}
  end
  table.sort(order, function(a, b) return a[1] < b[1] end)
  print(title)
  for _, o in ipairs(order) do
    local rate = bytes and ("%.2f TB/s"):format(bytes / o[1] * 1e-9) or ""
    print(("  %.4f ms %s %s"):format(o[1], rate, o[2]))
  end
  return order
end

-- GEMM ---------------------------------------------------------------------------

local gemm = require "moontile.ops.gemm"

local function row_text(r)
  return ("{bm = %d, bn = %d, kb = %d, stages = %d, threads = %d, swap = %s, split = %d}"):format(
    r.bm, r.bn, r.kb, r.stages, r.threads, tostring(r.swap or false), r.split)
end

local function tune_shape(m, n, k, dtype, trans_b, most)
  local list = {}
  for _, config in ipairs(gemm.candidates(m, n, k, dtype)) do
    if #list == most then
      break
    end
    local ok, ours = pcall(c.gemm_job, m, n, k, dtype, trans_b, config)
    if ok then
      list[#list + 1] = {row_text(config), ours[1], ours[2]}
    else
      print("  failed: " .. row_text(config), ours)
    end
  end
  local first = list[1][1]
  local order = contest(("%dx%dx%d, first guess %s"):format(m, n, k, first), list)
  print(('    ["%dx%dx%d%s"] = %s,'):format(m, n, k, trans_b and " nt" or "", order[1][2]))
end

local function tune_gemm()
  for _, s in ipairs(c.llm_shapes()) do
    attempt(("tune gemm %dx%dx%d"):format(s[1], s[2], s[3]), function()
      tune_shape(s[1], s[2], s[3], "bfloat16", true, tonumber(os.getenv "MOST") or 8)
    end)
  end
  data.free()
end

-- Memory -------------------------------------------------------------------------

-- operator -> its module, and what to try in its row of the machine
local knobs = {
  softmax = {"softmax", {{each = 16}, {each = 32}, {each = 64, least = 128}}},
  RMSNorm = {"rmsnorm", {{rows = 1}, {rows = 4}, {rows = 16}, {each = 16, rows = 4},
    {each = 16, rows = 1}}},
  sum = {"reduce", {{loads = 4}, {loads = 8}, {loads = 16}, {threads = 128, loads = 8},
    {threads = 512, loads = 4}}},
  transpose = {"transpose", {{}, {across = 64}, {across = 64, threads = 128}, {threads = 128},
    {across = 256}}},
  relu = {"elementwise", {{loads = 2}, {loads = 4}, {loads = 8}, {threads = 128}, {threads = 512}}},
  gelu = {"elementwise", {{loads = 2}, {loads = 4}, {loads = 8}, {threads = 128}}},
  add = {"elementwise", {{loads = 4}, {loads = 8}, {loads = 16}, {threads = 128}, {threads = 512}}},
}

local function text_of(knob)
  local parts = {}
  for k, v in pairs(knob) do
    parts[#parts + 1] = k .. " = " .. v
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Runs f with the rows of the operator changed.
local function with(rows, knob, f)
  local name = rows.sm_90a and "sm_90a" or "gpu"
  local saved, changed = rows[name], {}
  for k, v in pairs(saved) do
    changed[k] = v
  end
  for k, v in pairs(knob) do
    changed[k] = v
  end
  rows[name] = changed
  local ok, r = pcall(f)
  rows[name] = saved
  if not ok then
    print("  failed: " .. text_of(knob), r)
    return nil
  end
  return r
end

local function tune_operator(row, dtype)
  local n, r = 8192, (128 << 20) // 8192 // (dtype == "float32" and 4 or 2)
  local x = data.normal({r, n}, dtype, 1)
  local knob, list = knobs[row[1]], {}
  for _, k in ipairs(knob[2]) do
    local entry = with(require("moontile.ops." .. knob[1]).rows, k, function()
      local kernel, more, check, shape = row[3](r, n, dtype, x)
      local values = {shape and x:reshape(shape) or x, table.unpack(more)}
      check((kernel:launch(values, #values, data.poison)))
      return {text_of(k), kernel, values}
    end)
    list[#list + 1] = entry
  end
  contest(("%s 128 MB %s"):format(row[1], dtype), list, row[2] * (128 << 20))
end

local function tune_memory()
  for _, dtype in ipairs {"float16", "float32"} do
    for _, row in ipairs(c.memory) do
      attempt(("tune %s %s"):format(row[1], dtype), function() tune_operator(row, dtype) end)
    end
    data.free()
  end
end

-- int4 ---------------------------------------------------------------------------

local function tune_int4()
  local dequant = require "moontile.ops.dequant"
  for _, s in ipairs {{8192, 8192}, {7168, 20480}} do
    local n, k = s[1], s[2]
    attempt(("tune int4 %dx%d"):format(n, k), function()
      local weights = tl.randint(0, 1 << 32, {n // 64, k // 16, 128}, "uint32")
      local scale = tl.rand({n, k // 128}, "float32"):astype "float16"
      for _, m in ipairs {1, 16} do
        local x, list = data.normal({m, k}, "float16", 3), {}
        for _, split in ipairs {1, 2, 4, 5, 8} do
          for _, stages in ipairs {3, 4, 6} do
            if (k // 128) % split == 0 then
              local opts = {split = split, stages = stages}
              list[#list + 1] = {("{split = %d, stages = %d}"):format(split, stages),
                dequant.kernel(m, n, k, "float16", opts),
                dequant.arguments(x, weights, scale, opts)}
            end
          end
        end
        contest(("int4 %dx%dx%d"):format(m, n, k), list, n * k // 2)
      end
    end)
  end
end

return {{"cuda.tune.gemm", tune_gemm}, {"cuda.tune.memory", tune_memory},
  {"cuda.tune.int4", tune_int4}}
