-- T/barriers.lua: barrier objects in shared memory (mbarriers), named barriers,
-- and barriers of a cluster of blocks.
--
-- T.alloc_barrier gives a buffer of barriers; bar stands for its only one,
-- bar[i] for one of several.  Its first statements (mbar_init) are done once
-- for the block; the other operations are executed by every thread that comes
-- there, as in TileLang.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def, alias = registry.def, registry.alias
local op = ir.op

local M = {}

-- Objects -------------------------------------------------------------------

local MaxArrivals = 2^20 - 1

local function counts_of(what, v)
  local list = type(v) == "table" and v or {v}
  local ok = #list > 0
  for i = 1, #list do
    ok = ok and math.type(list[i]) == "integer" and list[i] >= 1 and list[i] <= MaxArrivals
  end
  if not ok then
    diag.fail("arg_value", what, "arrive_count", W"positive integers, a list or one",
      describe(v))
  end
  return list
end

local function def_alloc(name, summary, zh)
  def {
    name = name, sig = name .. "(arrive_count)", types = "arrive_count:ints", band = "B",
    threads = true, summary = summary, summary_zh = zh,
    example = ("local bar = T.%s(128)\nT.mbarrier_arrive(bar)"):format(name),
    fn = function(count)
      local what = "T." .. name
      local P = trace.kernel(what)
      local list = counts_of(what, count)
      local b = ir.buffer(P, "barrier", "uint64", #list, "bar")
      ir.unname(b)
      ir.alloc(b)
      for i, n in ipairs(list) do
        op(P, "mbar_init", nil, n, nil, b[{i - 1}])
      end
      return b
    end,
  }
end
def_alloc("alloc_barrier", "barrier objects: one, or one for each count of a list",
  "屏障对象：一个，或列表中每个计数各一个")
def_alloc("alloc_cluster_barrier", "barrier objects that the blocks of a cluster reach",
  "簇内各块可访问的屏障对象")

-- The region of a barrier argument; its name and the call, for messages.
function M.object(what, v, arg, call)
  local k = ir.kind(v)
  if (k == "buffer" and v.scope or k == "element" and v.buffer.scope) ~= "barrier" then
    diag.fail("arg_type", what, arg or "mbarrier", W"a barrier: bar, or bar[i]",
      describe(v), call or what .. "(bar)")
  end
  return v
end

local function def_mbarrier(name, args, types, opname, summary, zh, example, value)
  def {
    name = name, sig = ("%s(%s)"):format(name, args), types = types, band = "B", threads = true,
    summary = summary, summary_zh = zh,
    example = "local bar = T.alloc_barrier(128)\n" .. example,
    fn = function(bar, v)
      local what = "T." .. name
      op(trace.kernel(what), opname, nil, value or v, nil, M.object(what, bar))
    end,
  }
end

local wait = {"mbarrier, parity", "parity:value", "mbar_wait",
  "waits until the phase of this parity (0, 1, 0, ..) is complete", "等待该奇偶性（0、1、0……）的阶段完成"}
def_mbarrier("mbarrier_wait_parity", wait[1], wait[2], wait[3], wait[4], wait[5],
  "T.mbarrier_arrive(bar)\nT.mbarrier_wait_parity(bar, 0)")
def_mbarrier("barrier_wait", wait[1], wait[2], wait[3], wait[4], wait[5],
  "T.barrier_arrive(bar)\nT.barrier_wait(bar, 0)")
def_mbarrier("mbarrier_expect_tx", "mbarrier, tx", "tx:value", "mbar_expect",
  "the phase takes so many bytes more; no arrival", "该阶段还需到达这么多字节；不计到达",
  "T.mbarrier_expect_tx(bar, 2048)")
def_mbarrier("mbarrier_arrive_expect_tx", "mbarrier, tx", "tx:value", "mbar_arrive_expect",
  "the phase takes so many bytes more; arrives", "该阶段还需到达这么多字节，并计一次到达",
  "T.mbarrier_arrive_expect_tx(bar, 2048)")
def_mbarrier("barrier_arrive", "mbarrier", "", "mbar_arrive", "arrives at a barrier", "到达屏障",
  "T.barrier_arrive(bar)", -1)

def {
  name = "mbarrier_arrive", sig = "mbarrier_arrive(mbarrier, cta_id=None)",
  types = "cta_id:value", band = "B", threads = true,
  summary = "arrives at a barrier, of another block of the cluster with cta_id",
  summary_zh = "到达屏障；给出 cta_id 时为簇内另一块的屏障",
  example = "local bar = T.alloc_barrier(128)\nT.mbarrier_arrive(bar)",
  fn = function(bar, block)
    local what = "T.mbarrier_arrive"
    op(trace.kernel(what), "mbar_arrive", nil, block or -1, nil, M.object(what, bar))
  end,
}

alias("ptx_wait_barrier", "mbarrier_wait_parity")
alias("ptx_arrive_barrier", "barrier_arrive")
alias("ptx_arrive_barrier_expect_tx", "mbarrier_arrive_expect_tx")
alias("ptx_arrive_cluster_barrier", "mbarrier_arrive")

-- Named barriers ---------------------------------------------------------------

def {
  name = "named_barrier_arrive", sig = "named_barrier_arrive(barrier_id, thread_count)",
  types = "barrier_id:int thread_count:int", band = "B", threads = true,
  summary = "arrives at barrier 1..15 of the block without waiting; T.sync_threads(id, n) waits",
  summary_zh = "到达块的 1..15 号屏障而不等待；等待用 T.sync_threads(id, n)",
  example = "T.named_barrier_arrive(1, 128)",
  fn = function(id, count)
    op(trace.kernel("T.named_barrier_arrive"), "bar_arrive", {id = id, count = count})
  end,
}

-- Clusters -----------------------------------------------------------------------

local function def_cluster(name, ops, summary, zh, example)
  def {
    name = name, sig = name .. "()", band = "B", threads = true,
    summary = summary, summary_zh = zh, example = example,
    fn = function()
      local P = trace.kernel("T." .. name)
      for _, o in ipairs(ops) do
        op(P, o)
      end
    end,
  }
end
def_cluster("cluster_arrive", {"cluster_arrive"}, "arrives at the barrier of the cluster", "到达簇屏障",
  "T.cluster_arrive()\nT.cluster_wait()")
def_cluster("cluster_arrive_relaxed", {"cluster_arrive"}, "arrives at the barrier of the cluster",
  "到达簇屏障（宽松次序）", "T.cluster_arrive_relaxed()\nT.cluster_wait()")
def_cluster("cluster_wait", {"cluster_wait"}, "waits for the barrier of the cluster", "等待簇屏障",
  "T.cluster_arrive()\nT.cluster_wait()")
def_cluster("cluster_sync", {"cluster_arrive", "cluster_wait"},
  "barrier of all threads of the cluster", "簇内所有线程的屏障", "T.cluster_sync()")

def {
  name = "block_rank_in_cluster", sig = "block_rank_in_cluster()", band = "B",
  summary = "number of the block in its cluster, from 0", summary_zh = "块在簇中的编号，从 0 数起",
  example = "row[0] = T.block_rank_in_cluster()",
  fn = function()
    local P = trace.kernel("T.block_rank_in_cluster")
    local block = trace.bindings("T.block_rank_in_cluster", "block")
    local dims = {ir.clusterdims(P)}
    local rank, stride = 0, 1
    for d = 1, #block do
      if dims[d] > 1 then
        rank = rank + block[d] % dims[d] * stride
      end
      stride = stride * dims[d]
    end
    return rank
  end,
}

return M
