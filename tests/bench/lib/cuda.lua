-- tests/bench/lib/cuda.lua: the figures of the cuda target, each beside its
-- anchor, interleaved in one run on one card.  bench.lua loads it with its
-- helpers in `b`.
--
--     make bench T=cuda            the whole table (ROUNDS=20 BUDGET=300)
--     make bench T=cuda.gemm       rows of one group: gemm llm fp8 attention int4 memory first
--     make bench T=cuda.tune       tries configurations of lua/ops: cuda_tune.lua
--
-- A figure is the median of the rounds' ratios, theirs / ours, with quartiles.
-- ROWS=text keeps the rows whose name contains it; BUDGET: seconds after which
-- further rows are left out, and named.  Every result is compared with a float64
-- reference at some rows before it is timed, from outputs full of NaN.
local b = ...
local dir = "tests/bench/lib/"
local bench = dofile(dir .. "cuda_bench.lua")
local data = dofile(dir .. "cuda_data.lua")
local torch = dofile(dir .. "cuda_torch.lua")
local device = require "moontile.tl.device"
local ir = require "moontile.ir"
local ops = require "moontile.ops"
local roof = require "moontile.tl.roof"

local budget, only = tonumber(os.getenv "BUDGET") or 300, os.getenv "ROWS" or ""
local started, left_out = nil, {}

-- Peaks that the notes speak of, of the card at hand, by its name.
local cards = {
  H200 = {gbs = 4800, mac = 4096 * 132},
  H100 = {gbs = 3350, mac = 4096 * 132},
}

local function card()
  local name = roof.name(roof.facts(bench.session)) or ""
  for short, c in pairs(cards) do
    if name:find(short, 1, true) then return c end
  end
  return cards.H200
end

-- Rows ---------------------------------------------------------------------------

-- Is there time and a wish for the row?
local function wanted(name)
  if not name:find(only, 1, true) then
    return false
  elseif started and ir.clock() - started > budget then
    left_out[#left_out + 1] = name
    return false
  end
  started = started or ir.clock()
  return true
end

-- "739 TFLOP/s, 0.75 of the peak at 1830 MHz" or "4.1 TB/s, 0.86 of 4.8"
local function limit(r, work)
  local c, parts = card(), {}
  if work.flop then
    local tf = work.flop / r.ms * 1e-9
    local peak = c.mac * (work.speed or 1) * (r.mhz > 0 and r.mhz or 1980) * 1e-6
    parts[1] = ("%.0f TFLOP/s = %.2f of the matrix units at %.0f MHz"):format(tf, tf / peak, r.mhz)
  end
  if work.byte then
    local tbs = work.byte / r.ms * 1e-9
    parts[#parts + 1] = ("%.2f TB/s = %.2f of the memory"):format(tbs, tbs * 1e3 / c.gbs)
  end
  return table.concat(parts, ", ")
end

-- One line: ratio with quartiles, both times, what binds.
local function say(name, r, reach, aim, work)
  b.row(name, r.ratio[1], "x", ">", reach, ("aim %g  [%.3f %.3f]  %.4f / %.4f ms  %s"):format(aim,
    r.ratio[2], r.ratio[3], r.ms, r.anchor_ms, limit(r, work or {})))
end

-- Runs f; an error is a row that failed, not the end of the table.
local function attempt(name, f)
  if not wanted(name) then
    return nil
  end
  local ok, r = xpcall(f, function(e)
    return type(e) == "table" and tostring(e) or debug.traceback(e)
  end)
  if not ok then
    b.row(name, 0, "x", ">", 1, "FAILED: " .. tostring(r):gsub("\n", "\n    "))
    return nil
  end
  return r
end

-- GEMM ---------------------------------------------------------------------------

local gemm = require "moontile.ops.gemm"
local half = {float8_e4m3fn = "bfloat16"}

-- Our kernel, its inputs checked, and the anchor's arguments.
local function gemm_job(m, n, k, dtype, trans_b, config)
  local out = half[dtype] or dtype
  local x = data.normal({m, k}, dtype, 1)
  local w = data.normal(trans_b and {n, k} or {k, n}, dtype, 2)
  local opts = {trans_b = trans_b, out_dtype = out, config = config}
  local kernel, values = gemm.kernel(m, n, k, dtype, opts), gemm.arguments(x, w, opts)
  local y = kernel:launch(values, #values, data.poison)
  data.check_gemm(y, x, w, trans_b, data.tolerance(out, k, out ~= dtype))
  local spec = ("gemm m=%d n=%d k=%d a=%s b=%s c=%s acc=float32 tb=%d"):format(m, n, k, dtype,
    dtype, out, trans_b and 1 or 0)
  return {kernel, values}, {spec, {x, w, tl.empty({m, n}, out)}}
end

local function gemm_once(m, n, k, dtype, trans_b, opts)
  local ours, anchor = gemm_job(m, n, k, dtype, trans_b, opts and opts.config)
  return (bench.versus(ours, anchor, opts))
end

local function gemm_rows()
  for _, dtype in ipairs {"bfloat16", "float16"} do
    for _, n in ipairs {4096, 8192} do
      local name = ("GEMM %s %d^3 / cublasLt"):format(dtype, n)
      local r = attempt(name, function() return gemm_once(n, n, n, dtype, false) end)
      if r then
        say(name, r, 0.95, 1.05, {flop = 2 * n ^ 3})
      end
    end
  end
  data.free()
end

local function fp8_row()
  local n, name = 8192, "GEMM float8_e4m3fn 8192^3 / cublasLt"
  local r = attempt(name, function() return gemm_once(n, n, n, "float8_e4m3fn", true) end)
  if r then
    say(name, r, 0.90, 1.03, {flop = 2 * n ^ 3, speed = 2})
  end
  data.free()
end

-- (N, K) of the linear layers of Llama 3 8B, by rows of x.
local layers = {{6144, 4096}, {4096, 4096}, {28672, 4096}, {4096, 14336}}
local tokens = {16, 64, 256, 1024, 8192}

local function llm_shapes()
  local list = {}
  for _, l in ipairs(layers) do
    for _, m in ipairs(tokens) do
      list[#list + 1] = {m, l[1], l[2]}
    end
  end
  return list
end

local function llm_rows()
  local ratios = {}
  for _, s in ipairs(llm_shapes()) do
    local name = ("  x W^T bfloat16 %dx%dx%d / cublasLt"):format(s[1], s[2], s[3])
    local r = attempt(name, function() return gemm_once(s[1], s[2], s[3], "bfloat16", true) end)
    if r then
      ratios[#ratios + 1] = r.ratio[1]
      say(name, r, 0.92, 1.05, {flop = 2 * s[1] * s[2] * s[3],
        byte = 2 * (s[1] * s[3] + s[2] * s[3] + s[1] * s[2])})
    end
  end
  if #ratios > 0 then
    b.row(("GEMM over %d LLM shapes, geomean / cublasLt"):format(#ratios), bench.geomean(ratios),
      "x", ">", 0.92, "aim 1.05")
  end
  data.free()
end

-- Attention ----------------------------------------------------------------------

-- Ours and theirs take turns, some rounds each: two processes.
local function attention_once(c)
  local attention = require "moontile.ops.attention"
  local q, k, v = data.normal({c.b, c.h, c.s, c.d}, c.dtype, 1),
    data.normal({c.b, c.h, c.s, c.d}, c.dtype, 2), data.normal({c.b, c.h, c.s, c.d}, c.dtype, 3)
  local kernel = attention.kernel(c, c.dtype, {is_causal = c.causal})
  local o = kernel:launch({q, k, v}, 3, data.poison)
  for _, at in ipairs {0, c.b * c.h - 1} do -- the first and the last head
    local i, h = at // c.h, at % c.h
    local n = math.min(c.s, 512) -- of a causal head, its first queries see few keys
    local one = {T.slice(i, i + 1), T.slice(h, h + 1)}
    local function part(t, lo, hi)
      return t[{one[1], one[2], T.slice(lo, hi), T.slice(0, c.d)}]
    end
    if c.causal then
      tl.testing.assert_close(part(o, 0, n), tl.ref.attention(part(q, 0, n), part(k, 0, n),
        part(v, 0, n), {causal = true}), {rtol = 2 ^ -10, atol = 5 * 2 ^ -11})
    end
    local last = c.s - 4 -- the last queries see nearly all keys
    tl.testing.assert_close(part(o, last + 3, c.s), tl.ref.attention(part(q, last + 3, c.s),
      part(k, 0, c.s), part(v, 0, c.s), {causal = false}), {rtol = 2 ^ -10, atol = 5 * 2 ^ -11})
  end
  local _, module, args = kernel:bound({q, k, v})
  local ours, theirs, mhz, name = {}, {}, {}, nil
  for _ = 1, 5 do
    local each = math.max(2, bench.rounds // 5)
    local ms, clock = bench.run({{module, args}}, {rounds = each, flush = false, warmup = 2})
    local ms2, back_end = torch.attention(c, each)
    name = back_end
    for r = 1, each do
      ours[#ours + 1], theirs[#theirs + 1], mhz[#mhz + 1] = ms[1][r], ms2[r], clock[r]
    end
  end
  local r = bench.compare(ours, theirs, mhz)
  r.back_end = name
  return r
end

local function attention_rows()
  local ok, why = torch.open()
  if not ok then
    print("cuda.attention: skipped: " .. why)
    return
  end
  print("# " .. torch.about)
  for _, d in ipairs {128, 64} do
    for _, s in ipairs {4096, 16384} do
      for _, causal in ipairs {true, false} do
        local c = {b = 16384 // s, h = 2048 // d, s = s, d = d, causal = causal, dtype = "float16"}
        local name = ("attention f16 d%d %dk %s / cuDNN"):format(d, s // 1024,
          causal and "causal" or "full")
        local r = attempt(name, function() return attention_once(c) end)
        if r then
          local flop = 4 * c.b * c.h * c.s ^ 2 * d / (causal and 2 or 1)
          say(name:gsub("cuDNN", r.back_end == "cudnn" and "cuDNN" or r.back_end), r,
            d == 128 and 0.85 or 0.90, d == 128 and 1.03 or 1.10, {flop = flop})
        end
      end
    end
  end
  data.free()
end

-- int4 ---------------------------------------------------------------------------

local dequant = require "moontile.ops.dequant"

-- x W^T at some columns, from the packed weights.
local function check_int4(y, x, packed, scale)
  local k = x.shape[2]
  for _, j in ipairs {0, 65, y.shape[2] // 2 + 3, y.shape[2] - 1} do
    local w = {}
    for i = 0, k - 1 do
      w[i + 1] = {dequant.item(packed, j, i) * scale:item(j, i // 128)}
    end
    tl.testing.assert_close(y[{T.slice(0, y.shape[1]), T.slice(j, j + 1)}],
      tl.ref.matmul(x, tl.from_table(w, "float64")), {rtol = 2 ^ -10, atol = k * 2 ^ -18})
  end
end

local function int4_once(m, n, k, weights, scale)
  local x = data.normal({m, k}, "float16", 3)
  local kernel = dequant.kernel(m, n, k, "float16")
  local values = dequant.arguments(x, weights, scale)
  local y = kernel:launch(values, #values, data.poison)
  check_int4(y, x, weights, scale)
  local w = data.normal({n, k}, "float16", 1)
  local spec = ("gemm m=%d n=%d k=%d a=float16 b=float16 c=float16 acc=float32 tb=1"):format(
    m, n, k)
  return (bench.versus({kernel, values}, {spec, {x, w, tl.empty({m, n}, "float16")}}))
end

local function int4_rows()
  local ratios = {}
  for _, s in ipairs {{8192, 8192}, {7168, 20480}} do
    local n, k, weights, scale = s[1], s[2], nil, nil
    for _, m in ipairs {1, 4, 8, 16} do
      local name = ("int4 GEMM %dx%dx%d / cublasLt float16"):format(m, n, k)
      local r = attempt(name, function()
        weights = weights or tl.randint(0, 1 << 32, {n // 64, k // 16, 128}, "uint32")
        scale = scale or (tl.rand({n, k // 128}, "float32") * 0.125):astype "float16"
        return int4_once(m, n, k, weights, scale)
      end)
      if r then
        ratios[#ratios + 1] = r.ratio[1]
        say(name, r, 1.5, 3, {byte = n * k // 2 + n * (k // 128) * 2 + 2 * m * (n + k)})
      end
    end
  end
  if #ratios > 0 then
    b.row("int4 dequantised GEMM, M 1 to 16, geomean / cublasLt", bench.geomean(ratios), "x", ">",
      1.5, "aim 3")
  end
  data.free()
end

-- Memory -------------------------------------------------------------------------

local function close(rtol, atol)
  return {rtol = rtol, atol = atol}
end

local rounding = {float32 = 2 ^ -19, float16 = 2 ^ -10, bfloat16 = 2 ^ -7}

-- Each: make(rows, columns, dtype, x) -> kernel, further inputs, check(y); traffic in
-- tensors of the size of x.
local memory = {
  {"softmax", 2, function(r, n, dtype, x)
    return require("moontile.ops.softmax").kernel(r, n, dtype), {}, function(y)
      data.check_rows(y, x, tl.ref.softmax, close(rounding[dtype], 1e-6))
    end
  end},
  {"RMSNorm", 2, function(r, n, dtype, x)
    local w = data.normal({n}, dtype, 5)
    return require("moontile.ops.rmsnorm").kernel(r, n, dtype), {w, 1e-6}, function(y)
      data.check_rows(y, x, function(row)
        return tl.ref.rmsnorm(row, w, {eps = 1e-6})
      end, close(rounding[dtype], 1e-6))
    end
  end},
  {"sum", 1, function(r, n, dtype, x)
    return require("moontile.ops.reduce").kernel("sum", r, n, 1, dtype), {}, function(y)
      data.check_rows(y, x, function(row)
        return tl.ref.sum(row, 1)
      end, close(rounding[dtype], n * 2 ^ -22))
    end
  end},
  {"transpose", 2, function(r, n, dtype, x)
    return require("moontile.ops.transpose").kernel(r, n, dtype), {}, function(y)
      data.check_rows(y, x:transpose(0, 1), function(row) return row end, close(0, 0))
    end
  end},
  {"relu", 2, function(r, n, dtype, x)
    local e = require "moontile.ops.elementwise"
    return e.kernel(e.f.relu, r * n, dtype, 1), {}, function(y)
      data.check_rows(y:reshape {r, n}, x:reshape {r, n}, tl.ref.relu, close(0, 0))
    end, {r * n}
  end},
  {"gelu", 2, function(r, n, dtype, x)
    local e = require "moontile.ops.elementwise"
    return e.kernel(e.f.gelu, r * n, dtype, 1), {}, function(y)
      data.check_rows(y:reshape {r, n}, x:reshape {r, n}, tl.ref.gelu_tanh,
        close(rounding[dtype], 1e-6))
    end, {r * n}
  end},
  {"add", 3, function(r, n, dtype, x)
    local e = require "moontile.ops.elementwise"
    local z = data.normal({r * n}, dtype, 2)
    return e.kernel(e.f.add, r * n, dtype, 2), {z}, function(y)
      tl.testing.assert_close(y[{T.slice(0, n)}], tl.ref.add(x:flatten()[{T.slice(0, n)}],
        z[{T.slice(0, n)}]), close(rounding[dtype], 0))
    end, {r * n}
  end},
}

local function memory_once(row, dtype)
  local n, r = 8192, (128 << 20) // 8192 // (dtype == "float32" and 4 or 2)
  local x = data.normal({r, n}, dtype, 1)
  local kernel, more, check, shape = row[3](r, n, dtype, x)
  local values = {shape and x:reshape(shape) or x, table.unpack(more)}
  check((kernel:launch(values, #values, data.poison)))
  local bytes = row[2] * (128 << 20) // 2
  local n_copied = bytes // (dtype == "float32" and 4 or 2)
  local from, to = data.normal({n_copied}, dtype, 1), tl.empty({n_copied}, dtype)
  local result = bench.versus({kernel, values}, {("copy bytes=%d"):format(bytes), {from, to}})
  return result
end

local function memory_rows()
  for _, dtype in ipairs {"float16", "bfloat16", "float32"} do
    for _, row in ipairs(memory) do
      local name = ("%s 128 MB %s / a copy of the same bytes"):format(row[1], dtype)
      local r = attempt(name, function() return memory_once(row, dtype) end)
      if r then
        say(name, r, 0.90, 0.97, {byte = row[2] * (128 << 20)})
      end
    end
    data.free()
  end
end

-- First launches -----------------------------------------------------------------

-- A new kernel each time: a constant or sizes that no run before this second had;
-- a cached kernel's would be no first launch.
local salt = os.time()

local function fresh_elementwise(i, x)
  local f = tl.jit(function(A, c)
    local N = T.const "N"
    A: T.Tensor({N}, T.float32)
    local B = T.empty({N}, T.float32)
    for bx in T.Kernel(T.ceildiv(N, 1024), {threads = 256}) do
      for j in T.Parallel(1024) do
        B[bx * 1024 + j] = A[bx * 1024 + j] * c + 1
      end
    end
    return B
  end)
  local kernel
  return bench.clock(function()
    kernel = f:compile {N = x.shape[1], c = i}
    kernel(x)
  end) * 1e3, kernel
end

local function fresh_gemm(i)
  local m, k = 128 * (4 + salt % 61), 64 * (4 + (salt // 61 + 13 * i) % 97)
  local x, w = tl.randn({m, k}, "bfloat16"), tl.randn({k, 1024}, "bfloat16")
  local c = gemm.config(8192, 8192, 8192, "bfloat16")
  local kernel
  return bench.clock(function()
    kernel = gemm.kernel(m, 1024, k, "bfloat16", {config = c})
    kernel(x, w)
  end) * 1e3, kernel
end

-- Milliseconds of nvcc for the same text, or nil where there is none.
local function nvcc(kernel)
  local arch = bench.options:match "%-arch=(%S+)" or "sm_90a"
  local name = os.tmpname()
  local f <close> = io.open(name .. ".cu", "w")
  f:write(kernel:get_kernel_source())
  f:close()
  local found = os.execute "command -v nvcc >/dev/null 2>&1" and "nvcc"
    or "/usr/local/cuda/bin/nvcc"
  local command = ("%s -arch=%s -cubin -o %s.cubin %s.cu 2>%s.log"):format(found, arch, name, name,
    name)
  local ok
  local ms = bench.clock(function() ok = os.execute(command) end) * 1e3
  for _, tail in ipairs {"", ".cu", ".cubin", ".log"} do
    os.remove(name .. tail)
  end
  return ok and ms or nil
end

local function first_row(name, make, reach, aim)
  local ms, kernel = {}, nil
  for i = 1, 5 do
    ms[i], kernel = make(salt % (1 << 20) + i / 8)
  end
  local q = bench.quartiles(ms)
  local theirs = nvcc(kernel)
  b.row(name, q[1], "ms", "<", reach, ("aim %g  [%.1f %.1f]  nvcc of the same text: %s"):format(aim,
    q[2], q[3], theirs and ("%.0f ms = %.0f x"):format(theirs, theirs / q[1]) or "not here"))
end

local function first_rows()
  local name = "first launch of a new elementwise kernel"
  attempt(name, function()
    local x = tl.randn({1 << 16}, "float32")
    fresh_elementwise(0, x) -- NVRTC is warm then
    first_row(name, function(i) return fresh_elementwise(i, x) end, 25, 10)
  end)
  name = "first launch of a new GEMM"
  attempt(name, function()
    local step = 0
    first_row(name, function()
      step = step + 1
      return fresh_gemm(step)
    end, 200, 100)
  end)
end

-- The table ----------------------------------------------------------------------

local said

local function on_card(f)
  return function()
    local session, why = bench.open()
    if not session then
      if not said then
        print("cuda: skipped: " .. why)
      end
      said = true
      return
    end
    if not said then
      print("# cuda: " .. bench.options)
      said = true
    end
    local saved = device.default
    device.set_target "cuda"
    f()
    device.default = saved
    if #left_out > 0 then
      print(("# left out after %d s: %s"):format(budget, table.concat(left_out, "; ")))
      left_out = {}
    end
  end
end

local groups = {
  {"cuda.gemm", gemm_rows}, {"cuda.memory", memory_rows}, {"cuda.attention", attention_rows},
  {"cuda.int4", int4_rows}, {"cuda.llm", llm_rows}, {"cuda.fp8", fp8_row},
  {"cuda.first", first_rows},
}
for _, g in ipairs(groups) do
  g[2] = on_card(g[2])
end
if b.filter:find "^cuda%.tune" then -- asked for, never part of the table
  for _, g in ipairs(assert(loadfile(dir .. "cuda_tune.lua")) {bench = bench, data = data,
    attempt = attempt, gemm_job = gemm_job, llm_shapes = llm_shapes, memory = memory}) do
    groups[#groups + 1] = {g[1], on_card(g[2])}
  end
end
return groups
