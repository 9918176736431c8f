-- T/tvm.lua: names that TileLang takes over from TVM, in terms of those of T: bound loops, warp shuffles,
-- reductions over threads, pointers, im2col, dp4a.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local def, alias, names = registry.def, registry.alias, registry.names
local call = ir.call

local full = 0xFFFFFFFF

-- Pieces ------------------------------------------------------------------------

local function store(element, value)
  element.buffer[ir.origin(element)] = value
end

-- The n elements of a row that begin at an element.
local function row_of(element, n)
  local at = ir.origin(element)
  local last = at[#at]
  at[#at] = names.slice.value(last, last + n)
  return element.buffer[at]
end

-- The first element of a buffer or a region.
local function first(v)
  if ir.kind(v) == "buffer" then
    local at = {}
    for i = 1, #v.shape do at[i] = 0 end
    return v[at]
  end
  return v.buffer[ir.origin(v)]
end

-- Bound loops ---------------------------------------------------------------------

local axes = "threadIdx.x|threadIdx.y|threadIdx.z|blockIdx.x|blockIdx.y|blockIdx.z"

def {
  name = "thread_binding", sig = "thread_binding(start, stop=None, thread=None, *, annotations=None)",
  types = "start:value stop:value thread:" .. axes .. " annotations:table", band = "B", threads = true,
  summary = "the index of the thread (or block) in one direction of T.Kernel, which must have as many of them",
  summary_zh = "线程（或块）在 T.Kernel 某一方向上的下标；该方向的数量必须与此相同",
  example = 'local tx = T.thread_binding(0, 128, {thread = "threadIdx.x"})\nrow[0] = tx',
  fn = function(start, stop, thread)
    local what = "T.thread_binding"
    if thread == nil then
      diag.fail("arg_missing", what, "thread", what .. "(start, stop, thread)")
    elseif stop == nil then
      start, stop = 0, start
    end
    local axis, d = thread:match "^(%a+)Idx%.(%a)$"
    local v, n = trace.bindings(what, axis)
    d = ("xyz"):find(d, 1, true)
    local have, want = n[d] or 1, ir.const(stop)
    if ir.const(start) ~= 0 then
      diag.fail("arg_value", what, "start", "0", describe(start))
    elseif (ir.const(have) or want) ~= want or not want and not ir.same(have, stop) then
      diag.fail("arg_value", what, "stop", W"the extent of T.Kernel there, %s":format(tostring(have)), tostring(stop))
    end
    return v[d] or 0
  end,
}

-- Warps ---------------------------------------------------------------------------

for _, o in ipairs {
  {"tvm_warp_shuffle", "shfl_sync", "warp_id", "the value of another lane of the warp", "取 warp 中另一通道的值"},
  {"tvm_warp_shuffle_up", "shfl_up", "offset", "the value of the lane offset below", "取低 offset 个通道的值"},
  {"tvm_warp_shuffle_down", "shfl_down", "offset", "the value of the lane offset above", "取高 offset 个通道的值"},
} do
  local name, f, arg = o[1], call[o[2]], o[3]
  def {
    name = name, sig = ("%s(mask, value, %s, width, warp_size)"):format(name, arg),
    types = "mask:value value:value " .. arg .. ":value width:int warp_size:int", band = "B", threads = true,
    summary = o[4] .. ", as T." .. o[2] .. " gives it", summary_zh = o[5] .. "，同 T." .. o[2],
    example = ("local v = T.alloc_var(T.float32, 1)\nv = T.%s(0xFFFFFFFF, v, 1, 32, 32)\nrow[0] = v"):format(name),
    fn = function(mask, v, lane, width) return (f(v, lane, width, mask)) end,
  }
end
alias("tvm_warp_activemask", "activemask")

-- Reductions over threads ------------------------------------------------------------

local Reducer = {__name = "reducer"}

def {
  name = "comm_reducer", sig = "comm_reducer(combiner, identity)", types = "combiner:function identity:any",
  band = "B",
  summary = "how T.tvm_thread_allreduce combines two values, for T.attr",
  summary_zh = "T.tvm_thread_allreduce 合并两个值的方式，交给 T.attr",
  example = "local sum = T.comm_reducer(function(x, y) return x + y end, {0})",
  fn = function(combiner, identity)
    return setmetatable({combine = combiner, identity = identity}, Reducer)
  end,
}

local open = setmetatable({}, {__mode = "k"}) -- program -> the reducer of T.attr around

def {
  name = "attr", sig = "attr(node=None, attr_key=None, value=None)", types = "node:maybe attr_key:string value:maybe", band = "B",
  threads = true,
  summary = 'the statements within belong to node: "reduce_scope" with a T.comm_reducer; "async_scope", whose '
    .. "copies each thread makes at once here, so that it waits for none",
  summary_zh = '其中的语句属于 node："reduce_scope" 配合 T.comm_reducer；"async_scope" 中的复制在此由各线程立即完成，无需等待',
  example = [[
local sum = T.comm_reducer(function(x, y) return x + y end, {0})
local total = T.alloc_local({1}, T.float32)
for _ in T.attr(sum, "reduce_scope", 0) do
  T.tvm_thread_allreduce(1, T.cast(1, T.float32), true, total[0], T.get_thread_binding(0))
end
row[0] = total[0]
]],
  fn = function(node, key)
    if key == "async_scope" then
      return require("moontile.T.loops").scope("T.attr", function() return function() end, node end)
    elseif key ~= "reduce_scope" then
      diag.fail("arg_value", "T.attr", "attr_key", '"reduce_scope", "async_scope"', describe(key))
    elseif getmetatable(node) ~= Reducer then
      diag.fail("arg_type", "T.attr", "node", "T.comm_reducer", describe(node),
        'T.attr(T.comm_reducer(f, identity), "reduce_scope", 0)')
    end
    return require("moontile.T.loops").scope("T.attr", function(P)
      local outer = open[P]
      open[P] = node
      return function() open[P] = outer end, node
    end)
  end,
}

def {
  name = "evaluate", sig = "evaluate(value=None)", types = "value:any", band = "B",
  summary = "nothing: a call stands as a statement by itself here", summary_zh = "无作用：此处调用本身即可作为语句",
  example = "T.evaluate(T.sync_threads())",
  fn = function(value)
    if ir.isvalue(value, true) then
      ir.let(trace.kernel "T.evaluate", "value", value) -- what calls C of the user's own is made here
    end
  end,
}

-- The threads of the directions of T.Kernel that vars name: n of them, number `index` among them is this one; the
-- groups that they make, number `group` of which it is in; beside: a group's threads are neighbours. And the thread's
-- number in the block, and how many there are.
local function directions(what, vars)
  local v, n = trace.bindings(what, "thread")
  local g = {n = 1, index = 0, groups = 1, group = 0, beside = true}
  local found, flat, threads = 0, 0, 1
  for d = 1, #v do
    local over = false
    for _, var in ipairs(vars) do over = over or ir.same(var, v[d]) end
    if over then
      found = found + 1
      g.beside = g.beside and (g.groups == 1 or n[d] == 1)
      g.index, g.n = g.index + v[d] * g.n, g.n * n[d]
    else
      g.group, g.groups = g.group + v[d] * g.groups, g.groups * n[d]
    end
    flat, threads = flat + v[d] * threads, threads * n[d]
  end
  if found ~= #vars then
    diag.fail("arg_value", what, "threads", W"indices of threads, each once: T.get_thread_binding(d)",
      #vars == 0 and "nothing" or describe(vars[1]))
  end
  return g, flat, threads
end

-- combine(x.., y..) of lists.
local function combined(reducer, x, y)
  local all = table.move(y, 1, #y, #x + 1, table.move(x, 1, #x, 1, {}))
  local r = table.pack(reducer.combine(table.unpack(all)))
  if r.n == 1 and type(r[1]) == "table" and not getmetatable(r[1]) then
    r = r[1]
  end
  if #r ~= #x then
    diag.fail("arg_value", "T.comm_reducer", "combiner", W"a function with %d results":format(#x), #r)
  end
  return r
end

-- An element of this thread's own for each value. (A variable of a narrow float would be a wider one in flight.)
local function elements(values)
  local list = {}
  for i, v in ipairs(values) do
    list[i] = names.alloc_local.value({1}, ir.dtype(v))
    list[i][{0}] = v
  end
  return list
end

local function loaded(tiles, at)
  local list = {}
  for i, tile in ipairs(tiles) do list[i] = tile[{at}] end
  return list
end

-- The values go to element `at` of each, all at once.
local function assign(P, tiles, at, values)
  local list = {}
  for i, v in ipairs(values) do
    list[i] = #values > 1 and ir.let(P, "next", v) or v
  end
  for i, tile in ipairs(tiles) do
    tile[{at}] = list[i]
  end
end

-- f between an if and its end; without an if where cond is nil.
local function when(P, cond, f)
  if cond then ir.if_(P, cond) end
  f()
  if cond then ir.close(P) end
end

local function align_of(n)
  local k = 1
  while k < n do k = k * 2 end
  return k
end

-- Lanes side by side, n of them in each `width`; all get what the first lane has in the end. TVM's order: those half
-- of them apart, then a quarter. index: the lane's number, where n is no power of two.
local function by_shuffles(P, reducer, own, n, width, index)
  local delta = align_of(n) // 2
  while delta > 0 do
    local other = {}
    for i, tile in ipairs(own) do
      other[i] = call.shfl_down(tile[{0}], delta, width, full)
    end
    other = loaded(elements(other), 0)
    when(P, delta * 2 > n and ir.lt(index, n - delta) or nil, function()
      assign(P, own, 0, combined(reducer, loaded(own, 0), other))
    end)
    delta = delta // 2
  end
  for _, tile in ipairs(own) do
    tile[{0}] = call.shfl_sync(tile[{0}], 0, width, full)
  end
end

local function shared_like(own, n)
  local list = {}
  for i, tile in ipairs(own) do list[i] = names.alloc_shared.value({n}, ir.dtype(tile[{0}])) end
  return list
end

-- Each warp by itself, then every warp what they all have left: g.n is a multiple of 32.
local function by_warps(P, reducer, own, g)
  local warps = g.n // 32
  by_shuffles(P, reducer, own, 32, 32)
  local left = shared_like(own, warps * g.groups)
  when(P, ir.eq(g.index % 32, 0), function()
    assign(P, left, g.group * warps + g.index // 32, loaded(own, 0))
  end)
  names.sync_threads.value()
  local lane = g.index % 32
  assign(P, own, 0, loaded(left, g.group * warps + names.min.value(lane, warps - 1)))
  by_shuffles(P, reducer, own, warps, 32, lane)
end

-- Threads that stand apart change places through shared memory, are reduced by their lanes, and get the results there.
local function by_lanes(P, reducer, own, g, flat)
  local there = shared_like(own, g.n * g.groups)
  assign(P, there, g.group * g.n + g.index, loaded(own, 0))
  names.sync_threads.value()
  assign(P, own, 0, loaded(there, flat))
  by_shuffles(P, reducer, own, g.n, g.n)
  local result = shared_like(own, g.groups)
  when(P, ir.eq(flat % g.n, 0), function()
    assign(P, result, flat // g.n, loaded(own, 0))
  end)
  names.sync_threads.value()
  assign(P, own, 0, loaded(result, g.group))
end

-- All of it in shared memory.
local function by_memory(P, reducer, own, g)
  local there = shared_like(own, g.n * g.groups)
  local at = g.group * g.n + g.index
  assign(P, there, at, loaded(own, 0))
  names.sync_threads.value()
  local delta = align_of(g.n) // 2
  while delta > 0 do
    when(P, ir.lt(g.index, math.min(delta, g.n - delta)), function()
      assign(P, there, at, combined(reducer, loaded(there, at), loaded(there, at + delta)))
    end)
    names.sync_threads.value()
    delta = delta // 2
  end
  assign(P, own, 0, loaded(there, g.group * g.n))
end

-- As TVM chooses it, whose order of combining this is: sums of floats depend on it.
local function allreduce(P, reducer, own, g, flat, threads)
  local whole, near = threads % 32 == 0, true
  for _, tile in ipairs(own) do
    local dt = ir.dtype(tile[{0}])
    local bits = ir.dtypes[dt].bits
    near = near and (dt == "float16" or bits == 32 or bits == 64)
  end
  if g.n == 1 then
    return
  elseif whole and g.beside and 32 % g.n == 0 then
    by_shuffles(P, reducer, own, g.n, g.n)
  elseif near and g.beside and g.n % 32 == 0 then
    by_warps(P, reducer, own, g)
  elseif whole and 32 % g.n == 0 then
    by_lanes(P, reducer, own, g, flat)
  else
    by_memory(P, reducer, own, g)
  end
end

def {
  name = "tvm_thread_allreduce", sig = "tvm_thread_allreduce(*args, dtype=None)", types = "dtype:any", band = "B",
  threads = true,
  summary = "(n, values.., condition, results.., threads..) combines n values of the threads along the directions of "
    .. "the block that the thread indices name, by the T.comm_reducer of T.attr; all these threads get the results",
  summary_zh = "(n, 值.., 条件, 结果.., 线程..) 按 T.attr 的 T.comm_reducer，沿线程下标所在方向合并各线程的 n 个值；"
    .. "这些线程都得到结果",
  example = [=[
local sum = T.comm_reducer(function(x, y) return x + y end, {0})
local total = T.alloc_local({1}, T.float32)
for _ in T.attr(sum, "reduce_scope", 0) do
  T.tvm_thread_allreduce(1, T.cast(1, T.float32), true, total[0], T.get_thread_binding(0))
end
row[0] = total[0]]=],
  fn = function(_, n, ...)
    local what = "T.tvm_thread_allreduce"
    local P = trace.kernel(what)
    local reducer, size, args = open[P], ir.const(n or 0), table.pack(...)
    if not reducer then
      diag.fail("arg_missing", what, "reducer", 'with T.attr(T.comm_reducer(f, identity), "reduce_scope", 0):')
    elseif not size or size < 1 or args.n < 2 * size + 2 then
      diag.fail("arg_value", what, "args", W"n, n values, a condition, n results, indices of threads", args.n)
    end
    local g, flat, threads = directions(what, table.move(args, 2 * size + 2, args.n, 1, {}))
    local values, holds = {}, args[size + 1]
    for i = 1, size do
      values[i] = args[i]
      if holds ~= true and ir.const(holds) ~= 1 then
        values[i] = ir.select(holds, values[i], ir.cast(reducer.identity[i], ir.dtype(values[i])))
      end
    end
    local own = elements(values)
    allreduce(P, reducer, own, g, flat, threads)
    for i = 1, size do
      local out = args[size + 1 + i]
      if ir.kind(out) ~= "element" then
        diag.fail("arg_type", what, "results", W"an element of a buffer", describe(out), what .. "(1, v, true, r[0], tx)")
      end
      store(out, own[i][{0}])
    end
  end,
}

-- Pointers ----------------------------------------------------------------------------

local Pointer = {__name = "pointer"}

function Pointer.__tostring(self)
  return ("T.access_ptr(%s)"):format(tostring(self.element))
end

local function pointer(what, base, mode, extent)
  local kind = ir.kind(base)
  if kind ~= "buffer" and kind ~= "element" and kind ~= "region" and kind ~= "partial" then
    diag.fail("arg_type", what, "base", W"a buffer, element or slice", describe(base), what .. '(A[i, j], "r")')
  elseif mode ~= "r" and mode ~= "w" and mode ~= "rw" then
    diag.fail("arg_value", what, "access_type", "r, w, rw", tostring(mode))
  end
  local region = base
  if kind == "element" then -- nil: nobody knows how much of it
    region = extent and row_of(base, extent)
  end
  return setmetatable({element = first(base), mode = mode, region = region}, Pointer)
end

def {
  name = "access_ptr", sig = "access_ptr(*args, access_type=None, offset=0, extent=None, ignore_last_ndim=0)",
  types = "access_type:r|w|rw offset:value extent:value ignore_last_ndim:int", band = "B",
  summary = "(base, access_type = \"r\", extents..) where an element stands, for T.ptx_cp_async",
  summary_zh = "(base, access_type = \"r\", extents..) 元素的地址，供 T.ptx_cp_async 使用",
  example = 'local p = T.access_ptr(As[0, 8], "w", 8)',
  fn = function(named, base, mode, ...)
    if ir.const(named.offset) ~= 0 then
      diag.fail("arg_value", "T.access_ptr", "offset", "0", describe(named.offset))
    end
    local extent = named.extent
    if select("#", ...) == 1 then
      extent = ...
    end
    return (pointer("T.access_ptr", base, named.access_type or mode or "r", extent and ir.const(extent)))
  end,
}

def {
  name = "type_annotation", sig = "type_annotation(dtype)", types = "dtype:dtype", band = "B",
  summary = "the type of what T.tvm_access_ptr points to", summary_zh = "T.tvm_access_ptr 所指元素的类型",
  example = 'local p = T.tvm_access_ptr(T.type_annotation(T.float16), As, 8, 8, 2)',
  fn = function(dtype) return dtype end,
}

local modes = {"r", "w", "rw"} -- TVM's mask: 1 reads, 2 writes

def {
  name = "tvm_access_ptr", sig = "tvm_access_ptr(ptype, data, offset, extent, rw_mask)",
  types = "ptype:dtype data:buffer offset:value extent:int rw_mask:int", band = "B",
  summary = "T.access_ptr of element number `offset` of a buffer, its rows one behind the other",
  summary_zh = "指向缓冲区按行展开后第 offset 个元素的 T.access_ptr",
  example = 'local p = T.tvm_access_ptr(T.type_annotation(T.float16), As, 8, 8, 2)',
  fn = function(ptype, data, offset, extent, mask)
    local what, total = "T.tvm_access_ptr", 1
    if ptype ~= data.dtype then
      diag.fail("arg_value", what, "ptype", data.dtype, ptype)
    end
    for _, d in ipairs(data.shape) do
      total = total * d
    end
    return (pointer(what, ir.view(data, data.dtype, {total})[{offset}], modes[mask] or tostring(mask), extent))
  end,
}

def {
  name = "address_of", sig = "address_of(obj)", types = "obj:region", band = "B",
  summary = "T.access_ptr of an element, to read and write", summary_zh = "元素的 T.access_ptr，可读可写",
  example = "local p = T.address_of(As[0, 8])",
  fn = function(obj) return (pointer("T.address_of", obj, "rw")) end,
}

-- An iteration of T.Parallel copies at once, as a vector.
local function copy_row(P, dst, src, n, predicate)
  local to, from = ir.origin(dst), ir.origin(src)
  local v = ir.loop(P, "vectorized", "v", nil, 0, n)
  to[#to], from[#from] = to[#to] + v, from[#from] + v
  dst.buffer[to] = predicate == nil and src.buffer[from] or ir.select(predicate, src.buffer[from], ir.cast(0, src.dtype))
  ir.close(P)
end

def {
  name = "ptx_cp_async", sig = "ptx_cp_async(dst_access_ptr, src_access_ptr, num_elems, predicate=None)",
  types = "dst_access_ptr:any src_access_ptr:any num_elems:int", band = "B", threads = true,
  summary = "this thread starts a copy of 4, 8 or 16 bytes to shared memory; T.ptx_commit_group() and "
    .. "T.ptx_wait_group(n), or a barrier, wait for it",
  summary_zh = "本线程启动 4、8 或 16 字节到共享内存的复制；等待用 T.ptx_commit_group() 与 T.ptx_wait_group(n)，或屏障",
  example = [=[
local t, tx = T.alloc_shared({128, 8}, T.float32), T.get_thread_binding()
for k in T.serial(2) do
  T.ptx_cp_async(T.access_ptr(t[tx, k * 4], "w", 4), T.access_ptr(A[tx % 64, k * 4], "r", 4), 4)
end
T.ptx_commit_group()
T.ptx_wait_group(0)
row[0] = t[tx, 1]]=],
  fn = function(dst, src, n, predicate)
    local what = "T.ptx_cp_async"
    local P = trace.kernel(what)
    for i, p in ipairs {dst, src} do
      if getmetatable(p) ~= Pointer then
        diag.fail("arg_type", what, i == 1 and "dst_access_ptr" or "src_access_ptr", "T.access_ptr", describe(p), what .. '(T.access_ptr(S[i], "w", 8), ' ..
          'T.access_ptr(A[i], "r", 8), 8)')
      end
    end
    local bytes = n * ir.dtypes[dst.element.dtype].bits // 8
    if bytes ~= 4 and bytes ~= 8 and bytes ~= 16 then
      diag.fail("arg_value", what, "num_elems", W"4, 8 or 16 bytes", ("%d (%d bytes)"):format(n, bytes))
    end
    if require("moontile.T.loops").in_parallel(P) then
      return copy_row(P, dst.element, src.element, n, predicate)
    end
    if predicate ~= nil then ir.if_(P, predicate) end
    ir.op(P, "async_copy", {open = true}, nil, nil, row_of(src.element, n), row_of(dst.element, n))
    if predicate ~= nil then
      ir.else_(P)
      ir.op(P, "fill", nil, 0, nil, row_of(dst.element, n))
      ir.close(P)
    end
  end,
}

-- C of the user's own ------------------------------------------------------------------------

def {
  name = "import_source", sig = "import_source(source=None)", types = "source:string", band = "B",
  summary = "C that the kernel's text begins with, for T.call_extern; not in the simulator",
  summary_zh = "放在内核代码开头的 C 代码，供 T.call_extern 调用；模拟器不支持",
  example = "T.import_source(nil)",
  fn = function(source)
    local P = trace.kernel "T.import_source"
    if source ~= nil then
      ir.op(P, "import_source", nil, nil, source)
    end
  end,
}

local value_form = 'T.call_extern("float32", "f", A[i])'

local function is_pointer(v) return getmetatable(v) == Pointer end

local nothing = {handle = true, void = true}

-- dtype, name and values of a call: the type stands in front, or is named.
local function extern_arguments(what, form, dtype, ...)
  local args = table.pack(...)
  if dtype == nil then
    dtype = table.remove(args, 1)
    args.n = args.n - 1
  end
  local name = table.remove(args, 1)
  args.n = args.n - 1
  if not nothing[dtype] and not types.isdtype(dtype) then
    diag.fail("arg_type", what, "dtype", W"a dtype", describe(dtype), form)
  elseif type(name) ~= "string" or not name:find "^[%a_][%w_:<>, ]*$" then
    diag.fail("arg_type", what, "name", W"the name of a function", describe(name), form)
  end
  return dtype, name, args
end

-- The value of a function of numbers.
local function own_value(what, pure, dtype, name, args)
  local P = trace.kernel(what)
  for i = 1, args.n do
    local v = args[i]
    if type(v) ~= "number" and type(v) ~= "boolean" and not ir.isvalue(v, true) then
      diag.fail("arg_type", what, "args", W"numbers and values", describe(v), value_form)
    end
  end
  return (ir.own(P, pure, types.canon(dtype), name, table.unpack(args, 1, args.n)))
end

def {
  name = "call_extern", sig = "call_extern(*args, dtype=None)", types = "dtype:any", band = "B",
  summary = "(dtype, name, values) is what a function of T.import_source gives for them; (\"handle\", name, from, to, value) "
    .. "calls one with two private arrays, T.access_ptr(x, \"r\") and T.access_ptr(y, \"w\"), and a number or none; "
    .. "not in the simulator",
  summary_zh = "(dtype, name, 若干值) 为 T.import_source 中的函数对这些值的返回值；(\"handle\", name, from, to, value) "
    .. "以两个私有数组 T.access_ptr(x, \"r\")、T.access_ptr(y, \"w\") 和可选的一个数调用函数；模拟器不支持",
  example = "local f = T.call_extern",
  fn = function(named, ...)
    local what, dtype = "T.call_extern", named.dtype
    local name, second = ...
    if dtype == nil and type(name) == "string" and is_pointer(second) then
      dtype = "handle" -- T.call_extern("f", from, to)
    end
    local args
    dtype, name, args = extern_arguments(what, value_form, dtype, ...)
    local from, to, value = args[1], args[2], args[3]
    if not nothing[dtype] and not is_pointer(from) and not is_pointer(to) then
      return own_value(what, false, dtype, name, args)
    end
    local P = trace.kernel(what)
    if not is_pointer(from) or not is_pointer(to) or args.n > 3 or from.mode ~= "r" or to.mode ~= "w" or
      not (from.region and to.region) then
      diag.fail("arg_value", what, "args", W"two pointers with their extents, what is read and what is written, and a number or none",
        args.n)
    end
    ir.op(P, "call_extern", {valued = value ~= nil}, value or 0, name, from.region, to.region)
  end,
}

def {
  name = "call_pure_extern", sig = "call_pure_extern(*args, dtype=None)", types = "dtype:any", band = "B",
  summary = "T.call_extern(dtype, name, values) of a function whose result depends on them alone: equal calls are one",
  summary_zh = "同 T.call_extern(dtype, name, 若干值)，但结果只取决于这些值：相同的调用合为一次",
  example = "local f = T.call_pure_extern",
  fn = function(named, ...)
    local what = "T.call_pure_extern"
    return own_value(what, true, extern_arguments(what, value_form, named.dtype, ...))
  end,
}

-- Indices --------------------------------------------------------------------------------

def {
  name = "index_to_coordinates", sig = "index_to_coordinates(index, shape)", types = "index:value shape:shape", band = "B",
  summary = "the list of an element's indices, from its number among all of a row-major shape",
  summary_zh = "由按行优先排列的序号求元素各维下标的列表",
  example = "local c = T.index_to_coordinates(bx + by * 2, {2, 2})\nrow[c[1]] = c[2]",
  fn = function(index, shape)
    local list = {}
    shape = type(shape) == "table" and shape or {shape}
    for d = #shape, 1, -1 do
      list[d], index = index % shape[d], index // shape[d]
    end
    return list
  end,
}

-- Tiles --------------------------------------------------------------------------------

-- Where the pixels of a tile's rows and the weights of its columns are.
local function im2col_value(img, o, p, k)
  local N, H, Wd, C = table.unpack(img.shape)
  local span = (o.kernel - 1) * o.dilation + 1
  local oh, ow = (H + 2 * o.pad - span) // o.stride + 1, (Wd + 2 * o.pad - span) // o.stride + 1
  local n = p // (oh * ow)
  local h = p // ow % oh * o.stride - o.pad + k // (C * o.kernel) * o.dilation
  local w = p % ow * o.stride - o.pad + k // C % o.kernel * o.dilation
  local inside = ir.lt(n, N)
  for _, c in ipairs {ir.le(0, h), ir.lt(h, H), ir.le(0, w), ir.lt(w, Wd), ir.lt(k, C * o.kernel * o.kernel)} do
    inside = ir.and_(inside, c)
  end
  return ir.select(inside, img[{n, h, w, k % C}], ir.cast(0, img.dtype))
end

def {
  name = "im2col",
  sig = "im2col(img, col, nhw_step, c_step, kernel, stride, dilation, pad, eviction_policy=None, annotations=None)",
  types = "img:buffer col:region nhw_step:value c_step:value kernel:int stride:int dilation:int pad:int " ..
    "eviction_policy:evict_normal|evict_first|evict_last annotations:table", band = "B",
  summary = "a tile of the matrix that makes a convolution a product: a row for each output pixel (n, h, w), " ..
    "a column for each weight (kh, kw, c); img is [N, H, W, C]",
  summary_zh = "把卷积变成矩阵乘的矩阵的一块：每行一个输出像素 (n, h, w)，每列一个权重 (kh, kw, c)；img 为 [N, H, W, C]",
  example = [[
local img = T.Tensor({1, 8, 8, 64}, T.float32, B.data)
T.im2col(img, As, 0, 1, 3, 1, 1, 1)]],
  fn = function(img, col, nhw_step, c_step, kernel, stride, dilation, pad)
    local what = "T.im2col"
    local P = trace.kernel(what)
    local rows, cols = col.shape[#col.shape - 1], col.shape[#col.shape]
    if #img.shape ~= 4 then
      diag.fail("arg_value", what, "img", W"a buffer of 4 dimensions", #img.shape)
    elseif not math.tointeger(cols) or not math.tointeger(rows) then
      diag.fail("arg_value", what, "col", W"a tile of 2 dimensions", #col.shape)
    elseif kernel < 1 or stride < 1 or dilation < 1 or pad < 0 then
      diag.fail("arg_value", what, "kernel, stride, dilation, pad", W"positive integers",
        ("%d, %d, %d, %d"):format(kernel, stride, dilation, pad))
    end
    local at = ir.origin(first(col))
    local i, j = ir.loop(P, "parallel", "i,j", nil, 0, rows, 0, cols)
    at[#at - 1], at[#at] = at[#at - 1] + i, at[#at] + j
    local value = im2col_value(img, {kernel = kernel, stride = stride, dilation = dilation, pad = pad},
      nhw_step * rows + i, c_step * cols + j)
    first(col).buffer[at] = ir.cast(value, first(col).buffer.dtype)
    ir.close(P)
  end,
}
alias("c2d_im2col", "im2col")

def {
  name = "dp4a", sig = "dp4a(A, B, C)", types = "A:region B:region C:region", band = "B",
  summary = "C += the product of 4 adjacent int8 of A and of B, in int32",
  summary_zh = "C += A 与 B 各 4 个相邻 int8 的点积（int32）",
  example = [[
local a, b = T.alloc_local({4}, T.int8), T.alloc_local({4}, T.int8)
T.fill(a, 2)
T.fill(b, 3)
T.dp4a(a, b, Ir[0])]],
  threads = true,
  fn = function(A, B, C)
    local sum
    for i, o in ipairs {{"A", A, "int8"}, {"B", B, "int8"}, {"C", C, "int32"}} do
      local dtype = first(o[2]).dtype
      if dtype ~= o[3] then
        diag.fail("arg_type", "T.dp4a", o[1], o[3], dtype, "T.dp4a(A, B, C)")
      end
      sum = i == 3 and first(o[2]) or nil
    end
    local c = sum
    for k = 0, 3 do
      sum = sum + ir.cast(ir.shift(first(A), k), "int32") * ir.cast(ir.shift(first(B), k), "int32")
    end
    store(c, sum)
  end,
}
