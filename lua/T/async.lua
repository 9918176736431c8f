-- T/async.lua: copies and matrix products that go on by themselves until
-- somebody waits for them, and what orders them.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local barriers = require "moontile.T.barriers"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def, alias = registry.def, registry.alias
local op = ir.op

-- An operation without operands; attrs: names of its integer arguments.
local function def_plain(name, args, opname, summary, zh, attrs)
  def {
    name = name, sig = ("%s(%s)"):format(name, args), band = "B", threads = true,
    types = args:find("n", 1, true) and "n:int" or nil,
    summary = summary, summary_zh = zh,
    example = ("T.%s(%s)"):format(name, args == "" and "" or "0"),
    fn = function(n)
      op(trace.kernel("T." .. name), opname, attrs and {[attrs] = n})
    end,
  }
end

-- cp.async -------------------------------------------------------------------

local tiles = "local t = T.alloc_shared({32, 32}, T.float32)\n"

def {
  name = "async_copy",
  sig = "async_copy(src, dst, *, coalesced_width=None, annotations=None, loop_layout=None)",
  types = "src:region dst:region coalesced_width:int annotations:table", band = "B",
  threads = true,
  summary = "starts a copy to shared memory and commits it; T.ptx_wait_group(n) waits",
  summary_zh = "启动到共享内存的复制并提交；等待用 T.ptx_wait_group(n)",
  example = tiles .. "T.async_copy(A[0, 0], t)\nT.ptx_wait_group(0)",
  fn = function(src, dst, width)
    op(trace.kernel("T.async_copy"), "async_copy", {coalesced_width = width}, nil, nil, src, dst)
  end,
}
def_plain("ptx_commit_group", "", "cp_async_commit",
  "closes a group of started copies", "结束一组已启动的复制")
def_plain("ptx_wait_group", "n", "cp_async_wait",
  "waits for all but the newest n groups of copies", "等待除最新 n 组之外的所有复制", "n")
def {
  name = "cp_async_barrier_noinc", sig = "cp_async_barrier_noinc(barrier)", band = "B",
  threads = true,
  summary = "arrives at a barrier when the copies started before are done",
  summary_zh = "此前启动的复制完成时到达屏障",
  example = tiles .. "local bar = T.alloc_barrier(128)\nT.async_copy(A[0, 0], t)\n" ..
    "T.cp_async_barrier_noinc(bar)\nT.mbarrier_wait_parity(bar, 0)",
  fn = function(bar)
    local what = "T.cp_async_barrier_noinc"
    op(trace.kernel(what), "cp_async_arrive", nil, nil, nil, barriers.object(what, bar))
  end,
}

-- TMA ---------------------------------------------------------------------------

local eviction = {evict_normal = 0, evict_first = 1, evict_last = 2}

local tma_load = "T.tma_copy(src, dst, {barrier = bar})"

local function scope_of(v)
  return ir.kind(v) == "buffer" and v.scope or v.buffer.scope
end

def {
  name = "tma_copy",
  sig = "tma_copy(src, dst, *, barrier=None, cluster_mask=None, leader_scope_threads=None, " ..
    "eviction_policy=None, annotations=None)",
  types = "src:region dst:region cluster_mask:int leader_scope_threads:int annotations:table " ..
    "eviction_policy:evict_normal|evict_first|evict_last", band = "B", threads = true,
  summary = "starts a bulk copy: to shared memory with a barrier, which expects the bytes; from " ..
    "shared memory without, and T.tma_store_wait() waits",
  summary_zh = "启动批量复制：到共享内存需给出屏障（由它等待字节）；从共享内存写出则用 T.tma_store_wait() 等待",
  example = tiles .. "local bar = T.alloc_barrier(128)\nT.tma_copy(A[0, 0], t, {barrier = bar})\n" ..
    "T.mbarrier_arrive(bar)\nT.mbarrier_wait_parity(bar, 0)",
  fn = function(src, dst, bar, mask, leader, evict)
    local what = "T.tma_copy"
    local P = trace.kernel(what)
    if leader and (leader < 32 or leader % 32 ~= 0) then
      diag.fail("arg_value", what, "leader_scope_threads", W"a positive multiple of 32", leader)
    elseif mask and (mask < 0 or mask >= 1 << 16) then
      diag.fail("arg_value", what, "cluster_mask", W"16 bits, one for each block", mask)
    end
    local attrs = {eviction = eviction[evict], cluster_mask = mask}
    if scope_of(dst) == "global" then
      op(P, "tma_put", attrs, nil, nil, src, dst)
      op(P, "bulk_commit")
    elseif bar == nil then
      diag.fail("arg_missing", what, "barrier", tma_load)
    else
      op(P, "tma_copy", attrs, nil, nil, src, dst, barriers.object(what, bar, "barrier", tma_load))
    end
  end,
}
def_plain("tma_store_arrive", "", "bulk_commit",
  "closes a group of started stores", "结束一组已启动的写出")
def {
  name = "tma_store_wait", sig = "tma_store_wait(count=0, read=True)", types = "count:int read:bool",
  band = "B", threads = true,
  summary = "waits until all but `count` groups of stores have read their tiles, or are visible",
  summary_zh = "等待除 count 组外的写出读完其分块；read = false 时等到写出可见",
  example = "T.tma_store_wait()",
  fn = function(count, read)
    op(trace.kernel("T.tma_store_wait"), "bulk_wait", {n = count, read = read})
  end,
}
def_plain("fence_proxy_async", "", "fence_async",
  "what this thread has written is seen by bulk copies and wgmma",
  "使本线程的写入对批量复制与 wgmma 可见")

-- wgmma ---------------------------------------------------------------------------

def {
  name = "wgmma_gemm",
  sig = "wgmma_gemm(A, B, C, transpose_A=False, transpose_B=False, " ..
    "policy=GemmWarpPolicy.Square, clear_accum=False, annotations=None)",
  types = "A:region B:region C:region transpose_A:bool transpose_B:bool policy:int " ..
    "clear_accum:value annotations:table", band = "B", threads = true,
  summary = "starts C += A * B by warp groups; T.wait_wgmma(n) waits",
  summary_zh = "由 warp 组启动 C += A * B；等待用 T.wait_wgmma(n)",
  example = [[
local a, b = T.alloc_shared({64, 32}, T.float16), T.alloc_shared({32, 64}, T.float16)
local c = T.alloc_fragment({64, 64}, T.float32)
T.copy(A[0, 0], a)
T.copy(B[0, 0], b)
T.clear(c)
T.wgmma_gemm(a, b, c)
T.wait_wgmma(0)]],
  fn = function(A, B, C, ta, tb, policy, clear)
    local P = trace.kernel("T.wgmma_gemm")
    if type(clear) ~= "boolean" then -- decided when the kernel runs
      ir.if_(P, clear)
      op(P, "fill", nil, 0, nil, C)
      ir.close(P)
      clear = false
    end
    op(P, "gemm", {transpose_A = ta, transpose_B = tb,
      policy = policy or 0, clear_accum = clear, k_pack = 1, async = true}, nil, nil, A, B, C)
  end,
}
alias("wgmma_mma", "wgmma_gemm")
def_plain("wait_wgmma", "n", "wgmma_wait",
  "waits for all but the newest n groups of products", "等待除最新 n 组之外的所有乘积", "n")
def_plain("warpgroup_wait", "n", "wgmma_wait",
  "waits for all but the newest n groups of products", "等待除最新 n 组之外的所有乘积", "n")
def_plain("warpgroup_arrive", "", "wgmma_fence",
  "orders registers before the products that follow", "使寄存器先于其后的乘积就绪")
def_plain("warpgroup_commit_batch", "", "wgmma_commit",
  "closes a group of started products", "结束一组已启动的乘积")

-- Registers ------------------------------------------------------------------------

local function reg_count(what, n)
  if n < 24 or n > 240 or n % 8 ~= 0 then
    diag.fail("arg_value", what, "reg_count", W"a multiple of 8 from 24 to 240", n)
  end
  return n
end

local function nreg(what, n, inc)
  op(trace.kernel(what), "setmaxnreg", {n = reg_count(what, n), inc = inc})
end

def {
  name = "set_max_nreg", sig = "set_max_nreg(reg_count, is_inc)",
  types = "reg_count:int is_inc:any", band = "B", threads = true,
  summary = "registers of each thread of the warp group, more or fewer",
  summary_zh = "增减 warp 组中每个线程的寄存器数", example = "T.set_max_nreg(24, 0)",
  fn = function(n, inc)
    nreg("T.set_max_nreg", n, inc ~= 0 and inc ~= false)
  end,
}
for name, o in pairs {
  inc_max_nreg = {true, "more registers for the warp group", "增加 warp 组的寄存器数", 240},
  dec_max_nreg = {false, "fewer registers for the warp group", "减少 warp 组的寄存器数", 24},
} do
  def {
    name = name, sig = name .. "(reg_count)", types = "reg_count:int", band = "B", threads = true,
    summary = o[2], summary_zh = o[3], example = ("T.%s(%d)"):format(name, o[4]),
    fn = function(n)
      nreg("T." .. name, n, o[1])
    end,
  }
end

-- What a launch says of blocks side by side and of the registers of its roles; the compiler decides otherwise.

def {
  name = "annotate_min_blocks_per_sm", sig = "annotate_min_blocks_per_sm(n)", types = "n:int", band = "B",
  summary = "blocks that should fit on one multiprocessor at a time (NVIDIA): the compiler gives threads no more registers than that leaves",
  summary_zh = "每个多处理器上应同时容纳的块数（NVIDIA）：编译器分配的寄存器不会超出由此限定的数量",
  example = "T.annotate_min_blocks_per_sm(2)",
  fn = function(n)
    local what = "T.annotate_min_blocks_per_sm"
    if n < 1 or n > 32 then
      diag.fail("arg_value", what, "n", W"from 1 to 32", n)
    end
    ir.residency(trace.kernel(what), n)
  end,
}
for name, o in pairs {
  annotate_producer_reg_dealloc = {24, 40, "registers that a thread of the producer warps keeps, where the compiler makes such warps",
    "编译器生成生产者 warp 时，其每个线程保留的寄存器数",
    function(P, n) ir.residency(P, nil, n) end},
  annotate_consumer_reg_alloc = {240, 232, "registers that a thread of the consumer warps gets, where the compiler makes producer warps",
    "编译器生成生产者 warp 时，消费者 warp 每个线程获得的寄存器数",
    function(P, n) ir.residency(P, nil, nil, n) end},
} do
  def {
    name = name, sig = ("%s(reg_count=%d)"):format(name, o[1]), types = "reg_count:int", band = "B",
    summary = o[3], summary_zh = o[4], example = ("T.%s(%d)"):format(name, o[2]),
    fn = function(n)
      o[5](trace.kernel("T." .. name), reg_count("T." .. name, n))
    end,
  }
end
for _, name in ipairs {"no_set_max_nreg", "disable_warp_group_reg_alloc"} do
  def {
    name = name, sig = name .. "()", band = "B",
    summary = "producers and consumers keep the registers that they were launched with",
    summary_zh = "生产者与消费者保持启动时的寄存器数", example = ("T.%s()"):format(name),
    fn = function()
      ir.residency(trace.kernel("T." .. name), nil, nil, nil, true)
    end,
  }
end
