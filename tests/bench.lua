-- tests/bench.lua: the figures of the README, each as a ratio to an anchor that
-- runs in the same minutes on the same machine.
--
--     make bench                 the whole table
--     make bench T=gemm          rows whose name contains "gemm"
--     make bench T=cuda          those that need a GPU: lib/cuda.lua tells more
--
-- Anchors are in tests/bench/anchor.c.  Ours and theirs take turns; a figure is
-- the median of the rounds.  Inputs are random numbers, caches are flushed
-- before each timed run on both sides.
local device = require "moontile.tl.device"
local ir = require "moontile.ir"

local build, filter = arg[1], arg[2] or ""
local moontile, anchor = build .. "/moontile", build .. "/tests/bench/anchor"
local cores = tonumber(io.popen("nproc"):read "n")
local Rounds = 5
local Columns = "%-48s %-11s %-15s %-4s %s"

-- Helpers ----------------------------------------------------------------------

local function median(t)
  table.sort(t)
  return t[(#t + 1) // 2]
end

-- Milliseconds that an anchor prints, or nil when it cannot run.
local function run_anchor(args, env)
  local p <close> = io.popen(("%s %s %s"):format(env or "", anchor, args))
  return p:read "n"
end

local function clock(f, times)
  local t = {}
  for i = 1, times do
    collectgarbage()
    local from = ir.clock()
    f(i)
    t[i] = (ir.clock() - from) * 1e3
  end
  return median(t)
end

local rows = {}

-- One line of the table.  reach: the least good value; better: "<" or ">".
local function row(what, value, unit, better, reach, note)
  local ok = better == "<" and value <= reach or better == ">" and value >= reach
  rows[#rows + 1] = ok
  print(Columns:format(what, ("%.3g %s"):format(value, unit), ("%s %g %s"):format(
    better == "<" and "at most" or "at least", reach, unit), ok and "yes" or "NO", note or ""))
end

local function wanted(name)
  return name:find(filter, 1, true) ~= nil
end

-- Kernels ----------------------------------------------------------------------

-- The GEMM that everyone writes, with the tile as its parameters.
local gemm = function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float32)
  B: T.Tensor({K, N}, T.float32)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float32)
    local Bs = T.alloc_shared({BK, BN}, T.float32)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end

local function gemm_for(threads, n, tile)
  local f = tl.jit(gemm, {target = "cpu -threads=" .. threads})
  return f:compile{M = n, N = n, K = n, BM = tile[1], BN = tile[2], BK = tile[3]}
end

local vector_add = tl.jit(function(A, B, BN)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BN), {threads = 256}) do
    for i in T.Parallel(BN) do
      C[bx * BN + i] = A[bx * BN + i] + B[bx * BN + i]
    end
  end
  return C
end)

local softmax = tl.jit(function(X, BM)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local Y = T.empty({M, N}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 256}) do
    local x = T.alloc_fragment({BM, N}, T.float32)
    local m = T.alloc_fragment({BM}, T.float32)
    local s = T.alloc_fragment({BM}, T.float32)
    T.copy(X[bx * BM, 0], x)
    T.reduce_max(x, m, 1)
    for i, j in T.Parallel(BM, N) do
      x[i, j] = T.exp(x[i, j] - m[i])
    end
    T.reduce_sum(x, s, 1)
    for i in T.Parallel(BM) do
      s[i] = 1 / s[i] -- one division a row, as the C loop has it
    end
    for i, j in T.Parallel(BM, N) do
      Y[bx * BM + i, j] = x[i, j] * s[i]
    end
  end
  return Y
end)

-- The attention of lua/examples, as text, so that the front end is measured.
local function attention_source()
  local f <close> = assert(io.open "lua/examples/flash_attention.lua")
  local text = f:read "a"
  return text:match "(local attention = tl%.jit%b())" .. "\nreturn attention"
end

-- Rows -------------------------------------------------------------------------

local function start()
  local ms = run_anchor(("start 30 %s -e 'print(1)'"):format(moontile))
  row("moontile -e 'print(1)'", ms, "ms", "<", 30)
  row("start to the prompt", run_anchor(("prompt 30 %s"):format(moontile)), "ms", "<", 30)
end

-- The slowest key at a prompt with a full history.
local function keys()
  local dir = os.tmpname()
  os.remove(dir)
  os.execute(("mkdir -p '%s/moontile'"):format(dir))
  local f <close> = assert(io.open(dir .. "/moontile/history", "w"))
  for i = 1, 10000 do
    f:write(("local x%d = T.gemm(A%d, B%d, C) + %d\\nprint(x%d)\n"):format(i, i, i, i, i))
  end
  f:close()
  local ms = run_anchor(("keys 5 %s"):format(moontile), ("XDG_STATE_HOME='%s'"):format(dir))
  os.execute(("rm -r '%s'"):format(dir))
  row("a key at the prompt, 10,000 entries of history", ms, "ms", "<", 16, "the slowest of 45")
end

-- A 128 x 128 accumulator of a warp group, in 24-bit colour: the first plot of a process, with
-- the modules it loads, then one more.
local function plots()
  local code = [[
    local clock = os.clock
    local big = T.Fragment({128, 128}, {
      thread = function(i, j)
        return i // 64 * 128 + i %% 64 // 16 * 32 + i %% 8 * 4 + j %% 8 // 2
      end,
      index = function(i, j) return j // 8 * 4 + i %% 16 // 8 * 2 + j %% 2 end,
    })
    big:text()
    local t0 = clock()
    plot(big, {colour = 24, fold = %s})
    local t1 = clock()
    plot(big, {colour = 24, fold = %s})
    io.stderr:write((t1 - t0) * 1e3, " ", (clock() - t1) * 1e3, "\n")]]
  for _, fold in ipairs {true, false} do
    local first, again = {}, {}
    for i = 1, 7 do
      local p <close> = io.popen(("%s -e '%s' 2>&1 >/dev/null"):format(moontile,
        code:format(fold, fold)))
      first[i], again[i] = p:read("n", "n")
    end
    local what = fold and "folded" or "every cell"
    row("plot of a 128 x 128 fragment, " .. what, median(first), "ms", "<", 20,
      ("the first of a process; then %.1f ms"):format(median(again)))
  end
end

local function front_end()
  local attention = assert(load(attention_source(), "=attention"))()
  device.emit = function() end -- stop before the C compiler
  local ms = clock(function(i) -- another length is another kernel: nothing is cached
    attention:compile{B = 1, H = 8, HKV = 8, S = 1024 + i, D = 64, causal = true, BM = 64, BN = 64,
      THREADS = 128, STAGES = 2}
  end, 41)
  device.emit = nil
  row("trace + check + lower the attention example", ms, "ms", "<", 5)
end

local function small(i)
  return ([[
    local f = tl.jit(function(A)
      local N = T.const "N"
      A: T.Tensor({N}, T.float32)
      local C = T.empty({N}, T.float32)
      for bx in T.Kernel(T.ceildiv(N, 256)) do
        for i in T.Parallel(256) do
          C[bx * 256 + i] = A[bx * 256 + i] * %d.5
        end
      end
      return C
    end)
    return f(...)]]):format(i)
end

local function enter_to_result()
  local a = tl.randn({4096}, "float32")
  local seed = os.time() % 100000 * 64 -- small enough for float32 to tell apart
  load(small(seed))(a) -- the worker is there
  local fresh = clock(function(i) load(small(seed + i))(a) end, 15)
  local cached = clock(function() load(small(seed + 1))(a) end, 31)
  row("Enter to result, a new small kernel", fresh, "ms", "<", 150)
  row("Enter to result, the same kernel again", cached, "ms", "<", 5)
end

local core_types = {"", "Haswell", "Zen", "SkylakeX"}

local function best_core(n, threads)
  local best, at = math.huge, nil
  for _, c in ipairs(core_types) do
    local env = c ~= "" and "OPENBLAS_CORETYPE=" .. c or ""
    local ms = run_anchor(("gemm %d %d 5"):format(n, threads), env)
    if ms and ms < best then
      best, at = ms, env
    end
  end
  return at
end

-- Tiles to choose from; the choice is ours, as the core type is OpenBLAS's.
local tiles = {
  {64, 256, 256}, {128, 256, 256}, {256, 256, 256}, {128, 256, 512}, {128, 512, 256},
  {128, 256, 64},
}

local function gemm_rows()
  for _, threads in ipairs(cores > 1 and {1, cores} or {1}) do
    for _, n in ipairs {1024, 1536, 2048} do
      local env = best_core(n, threads)
      if not env then
        print "OpenBLAS is missing: apt-get install libopenblas0-pthread"
        return
      end
      local a, b = tl.randn({n, n}, "float32"), tl.randn({n, n}, "float32")
      local best, kernel, tile = math.huge, nil, nil
      for _, t in ipairs(tiles) do
        local k = gemm_for(threads, n, t)
        local ms = median(k:time({a, b}, {warmup = 1, times = 3}))
        if ms < best then
          best, kernel, tile = ms, k, t
        end
      end
      local ours, theirs = {}, {}
      for r = 1, Rounds do
        ours[r] = median(kernel:time({a, b}, {warmup = 1, times = 7}))
        theirs[r] = run_anchor(("gemm %d %d 7"):format(n, threads), env)
      end
      local us, them = median(ours), median(theirs)
      local flops = 2e-6 * n ^ 3
      row(("f32 GEMM %d, %d thread%s / OpenBLAS"):format(n, threads, threads > 1 and "s" or ""),
        them / us, "x", ">", 0.85, ("%.0f GFLOP/s, tile %s; OpenBLAS %.0f, %s"):format(
          flops / us, table.concat(tile, "x"), flops / them, env:match "=(.*)" or "its own choice"))
    end
  end
end

local function against(name, kernels, values, args, bytes)
  local ours, theirs = {}, {}
  local best, kernel = math.huge, nil
  for _, k in ipairs(kernels) do
    local ms = median(k:time(values, {warmup = 1, times = 3}))
    if ms < best then
      best, kernel = ms, k
    end
  end
  for r = 1, Rounds do
    ours[r] = median(kernel:time(values, {warmup = 1, times = 5}))
    theirs[r] = run_anchor(args)
  end
  local us, them = median(ours), median(theirs)
  row(name, them / us, "x", ">", 1, ("%.1f GB/s; the C loop %.1f GB/s"):format(
    bytes / us / 1e6, bytes / them / 1e6))
end

local function softmax_row()
  local m, n = 4096, 16384
  local x = tl.randn({m, n}, "float32")
  local kernels = {}
  for i, rows_of_block in ipairs {1, 4} do
    kernels[i] = softmax:compile{M = m, N = n, BM = rows_of_block}
  end
  against("row softmax 4096 x 16384 f32 / C loop", kernels, {x},
    ("softmax %d %d %d 5"):format(m, n, cores), 8 * m * n)
end

local function add_row()
  local n = 64 << 20
  local a, b = tl.rand({n}, "float32"), tl.rand({n}, "float32")
  local kernels = {}
  for i, block in ipairs {4096, 65536} do
    kernels[i] = vector_add:compile{N = n, BN = block}
  end
  against("vector add 64 Mi f32 / C loop", kernels, {a, b}, ("vadd %d %d 5"):format(n, cores),
    12 * n)
end

-- Resident memory that is not tensors: peak of anonymous and file pages.
local function memory_row()
  local script = [[
    package.path = "lua/?.lua;" .. package.path
    arg = {[0] = "quickstart", "small"}
    dofile "lua/examples/quickstart.lua"
    local s = {}
    for line in io.lines "/proc/self/status" do
      local k, v = line:match "^(%w+):%s*(%d+)"
      if k then s[k] = tonumber(v) end
    end
    io.stderr:write((s.VmHWM - s.RssShmem) / 1024, "\n")]]
  local name = os.tmpname()
  local f = assert(io.open(name, "w"))
  f:write(script)
  f:close()
  local p <close> = io.popen(("%s %s 2>&1 >/dev/null"):format(moontile, name))
  local mb = p:read "n"
  os.remove(name)
  row("peak memory of the quickstart, tensors aside", mb, "MB", "<", 60)
end

local groups = {
  {"start", start}, {"keys", keys}, {"plots", plots}, {"front end", front_end}, {"enter", enter_to_result},
  {"gemm", gemm_rows}, {"softmax", softmax_row}, {"vector add", add_row}, {"memory", memory_row},
}
for _, name in ipairs {"sim", "reader", "puzzles", "remote", "cuda"} do
  for _, g in ipairs(assert(loadfile(("tests/bench/lib/%s.lua"):format(name))) {
    row = row, median = median, clock = clock, attention_source = attention_source,
    moontile = moontile, filter = filter,
  }) do
    groups[#groups + 1] = g
  end
end

local cpu = "unknown processor"
for line in io.lines "/proc/cpuinfo" do
  cpu = line:match "^model name%s*:%s*(.*)" or cpu
end
print(("%s, %d cores, %s"):format(cpu, cores, os.date "!%Y-%m-%d"))
print(Columns:format("figure", "measured", "reach", "ok", ""))
local failed = 0
for _, g in ipairs(groups) do
  if wanted(g[1]) then
    g[2]()
  end
end
for _, ok in ipairs(rows) do
  failed = failed + (ok and 0 or 1)
end
print(("%d of %d figures reached"):format(#rows - failed, #rows))
