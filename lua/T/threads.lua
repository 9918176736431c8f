-- T/threads.lua: what has a meaning for single threads only: indices, votes,
-- exchanges, barriers.  Tile targets refuse them by name; the sim and GPU
-- targets run them.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def, alias = registry.def, registry.alias
local call, callin = ir.call, ir.callin

local full = 0xFFFFFFFF

-- Indices and extents --------------------------------------------------------

for _, o in ipairs {
  {"thread", "binding", "index of the thread", "线程下标", 1},
    {"block", "binding", "index of the block", "块下标", 1},
  {"thread", "extent", "number of threads", "线程数", 2}, {"block", "extent", "number of blocks", "块数",
    2},
} do
  local axis, which = o[1], o[5]
  local name = ("get_%s_%s"):format(axis, o[2])
  local function get(what)
    return (select(which, trace.bindings(what, axis)))
  end
  def {
    name = name, sig = name .. "(dim=0)", types = "dim:int",
    summary = o[3] .. " in one direction, counted from 0", summary_zh = "某一方向的" .. o[4] ..
      "，从 0 数起",
    example = ("local n = T.%s(0)\nrow[0] = n"):format(name), threads = axis == "thread" and
      which == 1,
    fn = function(dim)
      local v = get("T." .. name)
      if dim < 0 or dim >= 3 then
        diag.fail("arg_value", "T." .. name, "dim", W"0, 1 or 2", dim)
      end
      return v[dim + 1] or (which == 1 and 0 or 1)
    end,
  }
  def {
    name = name .. "s", sig = name .. "s()",
    summary = o[3] .. " in all directions, in a table", summary_zh = "所有方向的" .. o[4] .. "，以表给出",
    example = ("local n = T.%ss()\nrow[0] = n[1]"):format(name), threads = axis == "thread" and
      which == 1,
    fn = function()
      local list = get("T." .. name .. "s")
      while axis == "thread" and #list < 3 do -- as TileLang has it; of blocks those of T.Kernel
        list[#list + 1] = which == 1 and 0 or 1
      end
      trace.lists[list] = "T." .. name .. "s"
      return list
    end,
  }
end

-- Exchanges and votes ----------------------------------------------------------

local function def_shuffle(name, arg, summary, zh)
  local f = call[name]
  def {
    name = name, sig = ("%s(value, %s, width=32, mask=0xFFFFFFFF)"):format(name, arg),
    types = "value:value " .. arg .. ":value width:int mask:value", threads = true,
    summary = summary, summary_zh = zh,
    example = ("local v = T.alloc_var(T.float32, 1)\nv = T.%s(v, 1)\nrow[0] = v"):format(name),
    fn = function(v, lane, width, mask) return (f(v, lane, width, mask or full)) end,
  }
end
def_shuffle("shfl_sync", "srcLane", "the value of another lane of the warp", "取 warp 中另一通道的值")
def_shuffle("shfl_xor", "delta", "the value of lane xor delta", "取通道号异或 delta 处的值")
def_shuffle("shfl_up", "delta", "the value of the lane delta below", "取低 delta 个通道的值")
def_shuffle("shfl_down", "delta", "the value of the lane delta above", "取高 delta 个通道的值")

local function predicate(what, p)
  local d = ir.dtype(p)
  if d and ir.dtypes[d].class == "F" then
    diag.fail("arg_type", what, "predicate", W"an integer or a condition", d, what .. "(x > 0)")
  end
  return p
end

local function def_vote(name, arg, summary, zh, intrinsic, test)
  local f = call[intrinsic or name]
  def {
    name = name, sig = ("%s(%s, mask=0xFFFFFFFF)"):format(name, arg), types = arg ..
      ":value mask:value",
    threads = true, summary = summary, summary_zh = zh,
    example = ("local n = T.alloc_var(T.int32, T.get_thread_binding())\nn = T.%s(%s)\nrow[0] = n"):
      format(name, test and "n > 0" or "n"),
    fn = function(p, mask)
      return (f(test and predicate("T." .. name, p) or p, mask or full))
    end,
  }
end
def_vote("any_sync", "predicate", "1 when the predicate holds in any lane", "任一通道条件成立则为 1", nil,
  true)
def_vote("all_sync", "predicate", "1 when the predicate holds in all lanes", "所有通道条件成立则为 1", nil,
  true)
def_vote("ballot_sync", "predicate", "a bit for each lane where the predicate holds",
  "每个条件成立的通道对应一位", nil, true)
def_vote("match_any_sync", "value", "lanes with the same value", "与本通道值相同的通道")
def_vote("match_all_sync", "value", "all lanes, if they hold the same value", "若所有通道的值相同，则为全部通道")

def {
  name = "ballot", sig = "ballot(predicate)", types = "predicate:value", threads = true,
  summary = "a bit for each lane where the predicate holds", summary_zh = "每个条件成立的通道对应一位",
  example = "local n = T.ballot(T.get_thread_binding() > 3)\nrow[0] = n",
  fn = function(p) return (call.ballot_sync(predicate("T.ballot", p), full)) end,
}

def {
  name = "activemask", sig = "activemask()", threads = true,
  summary = "the lanes that are active now", summary_zh = "当前活动的通道",
  example = "local m = T.activemask()\nrow[0] = m",
  fn = function() return (callin.activemask(trace.kernel("T.activemask"))) end,
}

for _, o in ipairs {
  {"count", "how many threads of the block hold the predicate", "块中条件成立的线程数"},
  {"and", "1 when the predicate holds in all threads of the block", "块中所有线程条件成立则为 1"},
  {"or", "1 when the predicate holds in any thread of the block", "块中任一线程条件成立则为 1"},
} do
  local name = "syncthreads_" .. o[1]
  def {
    name = name, sig = name .. "(predicate)", types = "predicate:value", threads = true,
    summary = o[2] .. "; a barrier too", summary_zh = o[3] .. "；同时是屏障",
    example = ("local n = T.%s(T.get_thread_binding() > 3)\nrow[0] = n"):format(name),
    fn = function(p) return (call[name](predicate("T." .. name, p))) end,
  }
end

for _, kind in ipairs {"sum", "max", "min", "bitand", "bitor"} do
  local name = "warp_reduce_" .. kind
  def {
    name = name, sig = name .. "(value)", types = "value:value", threads = true,
    summary = kind .. " of a value over the lanes of the warp", summary_zh = "在 warp 的各通道间归约（" ..
      kind .. "）",
    example = ("local n = T.%s(T.get_thread_binding())\nrow[0] = n"):format(name),
    fn = function(v) return (call[name](v)) end,
  }
end

-- Lane and warp ------------------------------------------------------------------

local function def_index(name, args, intrinsic, summary, zh)
  def {
    name = name, sig = ("%s(%s)"):format(name, args), types = "warp_size:int warps_per_group:int",
    threads = true,
    summary = summary, summary_zh = zh, example = ("row[0] = T.%s()"):format(name),
    fn = function(size, group)
      local P = trace.kernel("T." .. name)
      if intrinsic == "get_warp_group_idx" then
        if group and not size then
          diag.fail("arg_missing", "T." .. name, "warp_size", "T." .. name ..
            "(warp_size, warps_per_group)")
        end
        return (callin[intrinsic](P, size or 0, group or 0))
      end
      return (callin[intrinsic](P, size or 0))
    end,
  }
end
def_index("get_lane_idx", "warp_size=None", "get_lane_idx", "index of the thread in its warp",
  "线程在 warp 中的下标")
def_index("get_warp_idx", "warp_size=None", "get_warp_idx", "index of the warp in its block",
  "warp 在块中的下标")
def_index("get_warp_idx_sync", "warp_size=None", "get_warp_idx",
  "index of the warp, equal in all lanes",
  "warp 的下标，各通道一致")
def_index("get_warp_group_idx", "warp_size=None, warps_per_group=None", "get_warp_group_idx",
  "index of the group of 4 warps, or of warps_per_group",
  "以 4 个（或 warps_per_group 个）warp 为一组的组下标")

def {
  name = "shuffle_elect", sig = "shuffle_elect(thread_extent)", types = "thread_extent:value",
  threads = true,
  summary = "true in one thread of each group", summary_zh = "每组只有一个线程为真",
  example = "if T.shuffle_elect(32) then row[0] = 1 end",
  fn = function(n) return (callin.shuffle_elect(trace.kernel("T.shuffle_elect"), n)) end,
}

-- Barriers -----------------------------------------------------------------------

def {
  name = "sync_threads", sig = "sync_threads(barrier_id=None, arrive_count=None)",
  types = "barrier_id:int arrive_count:int",
  summary = "barrier of the block; the compiler inserts those that tiles need",
  summary_zh = "块屏障；分块所需的屏障由编译器插入",
  example = "T.sync_threads()",
  fn = function(id, count)
    ir.callstmt(trace.kernel("T.sync_threads"), "sync_threads", id or -1, count or -1)
  end,
}
alias("syncthreads", "sync_threads")

def {
  name = "sync_warp", sig = "sync_warp(mask=None)", types = "mask:value",
  summary = "barrier of the warp", summary_zh = "warp 屏障", example = "T.sync_warp()",
  fn = function(mask)
    ir.callstmt(trace.kernel("T.sync_warp"), "sync_warp", mask or full)
  end,
}

def {
  name = "sync_grid", sig = "sync_grid()", threads = true,
  summary = "barrier of all blocks", summary_zh = "所有块的屏障", example = "T.sync_grid()",
  fn = function()
    ir.callstmt(trace.kernel("T.sync_grid"), "sync_grid")
  end,
}
