-- T/loops.lua: launches and loops: what stands after `in` of a generic for.
--
-- A frame opens at the iterator's first call and closes at its second; the
-- closing value of the generic for closes it when `break` or an error leaves
-- the loop.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local place = require "moontile.base.place"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def, alias = registry.def, registry.alias

local M = {}

-- Frames ------------------------------------------------------------------

local Frame = {}
Frame.__index = Frame
M.Frame = Frame

function Frame.leave(self)
  if self.exit then
    local exit = self.exit
    self.exit = nil
    exit()
  end
  if self.level then
    local P, level = self.P, self.level
    self.level = nil
    while ir.frames(P) >= level do
      ir.close(P)
    end
    if self.closed then
      self.closed(P)
    end
  end
end

function Frame.__close(self, err)
  if err == nil then
    self:leave()
  end
end

local function step(frame)
  if frame.entered then
    frame:leave()
    return nil
  end
  frame.entered = true -- a `for` runs it
  return frame.enter(frame)
end

-- The four values of a generic for, whose arguments have been looked at.  n: how many variables it gives.
local function frame(what, n, enter)
  local P = trace.prog(what)
  local self = setmetatable({P = P, what = what, n = n, enter = enter}, Frame)
  trace.made(self)
  local function turn(state)
    if state ~= self then
      self.entered = true
      place.fail(what:match "[%w_]+$", "loop_called", what)
    end
    return step(state)
  end
  return turn, self, nil, self
end

local function opened(self)
  self.level = ir.frames(self.P)
end

-- The names of the loop's variables, as the stage passes them; true when the
-- explist was a frame of ours.
function M.loop_frame(names, _, state)
  if getmetatable(state) ~= Frame then
    return false
  end
  local n = select(2, names:gsub("[^,]+", ""))
  if n ~= state.n then
    state.entered = true
    place.fail("for", "loop_names", state.what, state.n, n)
  end
  state.names = names
  return true
end

-- In Python 8 / 2 is a float, of which there are no blocks or iterations: a bound that is one is refused.
local function whole(what, v)
  if math.type(v) == "float" and registry.exact() then
    local row = registry.names[what:match "[%w_]+$"]
    diag.fail("arg_type", what, "extent", W"an integer", tostring(v), row and "T." .. row.sig or what)
  end
end

-- T.Kernel ----------------------------------------------------------------

local function threads_of(v)
  if v == nil then
    return 128
  end
  for i = 1, type(v) == "table" and #v or 0 do
    if math.type(v[i]) ~= "integer" then
      diag.fail("arg_type", "T.Kernel", "threads", W"an integer or a table of integers",
        describe(v[i]), "T.Kernel(grid..., {threads = 128})")
    end
  end
  return v
end

local around = setmetatable({}, {__mode = "k"}) -- program -> variables of the other loops that are open
local gathering = setmetatable({}, {__mode = "k"}) -- program -> has it reducers? (reducer.lua)

local function enter_kernel(self)
  local t = trace.current()
  if t.mode == "sig" then
    t.launched = true
    return nil
  end
  trace.flush(t)
  t.launches = t.launches + 1
  local v = table.pack(ir.launch(self.P, self.names, self.threads,
    table.unpack(self.grid, 1, self.n)))
  opened(self)
  function self.closed(P)
    if gathering[P] then
      M.ended(P)
    end
  end
  if self.cluster then
    ir.cluster(self.P, self.cluster)
  end
  return table.unpack(v, 1, v.n)
end

-- cluster_dims: 2, {2} or {2, 1, 1}; at most 16 blocks
local function cluster_of(what, v)
  local list, total = type(v) == "table" and v or {v}, 1
  for i = 1, #list do
    if math.type(list[i]) ~= "integer" or list[i] < 1 then
      total = math.huge
    else
      total = total * list[i]
    end
  end
  if #list < 1 or #list > 3 or total > 16 then
    diag.fail("arg_value", what, "cluster_dims", W"1 to 3 positive integers, 16 blocks in all",
      describe(v))
  end
  return list
end

-- The grid is made of whole clusters, as far as it is known.
local function check_cluster(cluster, grid, dims)
  for d, n in ipairs(cluster or {}) do
    local blocks = d > dims and 1 or ir.const(grid[d])
    if blocks and blocks % n ~= 0 then
      diag.fail("cluster_grid", d - 1, blocks, n)
    end
  end
end

local function kernel(kw, ...)
  local n = select("#", ...)
  if n > 3 then
    diag.fail("grid_dims", n)
  end
  for i = 1, n do
    local v = (select(i, ...))
    if not ir.isvalue(v) then
      diag.fail("arg_type", "T.Kernel", "blocks", W"a number or expression", describe(v),
        "T.Kernel(grid..., {threads = 128})")
    end
    whole("T.Kernel", v)
  end
  local grid, threads = {...}, threads_of(kw.threads)
  local cluster = kw.cluster_dims and cluster_of("T.Kernel", kw.cluster_dims)
  check_cluster(cluster, grid, n)
  local f, s, c, cl = frame("T.Kernel", n, enter_kernel)
  s.grid, s.threads, s.cluster = grid, threads, cluster
  return f, s, c, cl
end

def {
  name = "Kernel", sig = "Kernel(*blocks, threads=None, prelude=None, cluster_dims=None)",
  types = "threads:ints prelude:string cluster_dims:ints",
  summary = "opens a grid of blocks; the loop's variables are the block's indices",
  summary_zh = "打开一个线程块网格；循环变量是块下标",
  example = "for bx in T.Kernel(4, {threads = 64}) do T.fill(C[bx, 0:64], 1) end",
  where = "top",
  fn = function(kw, ...)
    if select("#", ...) == 0 then -- one block
      return kernel(kw, 1)
    end
    return kernel(kw, ...)
  end,
}

def {
  name = "ClusterKernel", sig = "ClusterKernel(*blocks, cluster_dims, threads=None, prelude=None)",
  types = "cluster_dims:ints threads:ints prelude:string", band = "B",
  summary = "T.Kernel with blocks in clusters that share their memories",
  summary_zh = "块成簇的 T.Kernel，簇内各块可互访共享内存",
  example = "for bx in T.ClusterKernel(4, {cluster_dims = {2, 1, 1}}) do T.fill(C[bx, 0:64], 1) end",
  where = "top",
  fn = function(kw, ...)
    local n = select("#", ...)
    local args = table.pack(...)
    args[n + 1] = {threads = kw.threads, prelude = kw.prelude, cluster_dims = kw.cluster_dims}
    return registry.names.Kernel.value(table.unpack(args, 1, n + 1))
  end,
}

-- A frame that leaves nothing in the program: enter(P) gives what ends it, and the value of its variable.
function M.scope(what, enter)
  return frame(what, 1, function(self)
    local value
    self.exit, value = enter(self.P)
    return value
  end)
end

-- T.ws --------------------------------------------------------------------

local Group = 128 -- threads of a warp group

-- The groups as one range of threads: lo, hi.
local function groups_of(ids)
  for i = 1, ids.n do
    if math.type(ids[i]) ~= "integer" or ids[i] < 0 then
      diag.fail("arg_type", "T.ws", "group_ids", W"integers from 0", describe(ids[i]),
        "T.ws(group, ...)")
    end
  end
  table.sort(ids)
  for i = 2, #ids do
    if ids[i] ~= ids[i - 1] + 1 then
      diag.fail("arg_value", "T.ws", "group_ids", W"groups that are adjacent",
        table.concat(ids, ", "))
    end
  end
  return ids[1] * Group, (ids[#ids] + 1) * Group
end

-- The index of the thread in its block, of all dimensions.
local function thread_index()
  local v, n = trace.bindings("T.ws", "thread")
  local index, stride = v[1], 1
  for d = 2, #v do
    stride = stride * n[d - 1]
    index = index + v[d] * stride
  end
  return index
end

local function enter_role(self)
  ir.role(self.P, self.lo, self.hi)
  opened(self)
  return thread_index() - self.lo
end

def {
  name = "ws", sig = "ws(*group_ids)", band = "B", threads = true,
  summary = "what the named groups of 128 threads do; the loop's variable is the thread in them",
  summary_zh = "由指定的 128 线程组执行的代码；循环变量是组内线程下标",
  example = "for _ in T.ws(0) do T.sync_warp() end",
  fn = function(_, ...)
    trace.kernel("T.ws")
    if select("#", ...) == 0 then
      diag.fail("arg_missing", "T.ws", "group_ids", "T.ws(group, ...)")
    end
    local lo, hi = groups_of(table.pack(...))
    local f, s, c, cl = frame("T.ws", 1, enter_role)
    s.lo, s.hi = lo, hi
    return f, s, c, cl
  end,
}
alias("WarpSpecialize", "ws")

-- Loops -------------------------------------------------------------------

local parallel = setmetatable({}, {__mode = "k"}) -- program -> the T.Parallel that are open, from the outermost
local drawing = setmetatable({}, {__mode = "k"}) -- program -> has it random numbers? (rng.lua)

-- Names for n variables of a loop that a program did not write.
function M.letters(n)
  return table.concat({"i", "j", "k", "l", "m", "n", "o", "q"}, ",", 1, n)
end

function M.in_parallel(P) return parallel[P] ~= nil and #parallel[P] > 0 end

function M.gathers(P) gathering[P] = true end

-- The variables of the loops that are open, T.Parallel left out, from the outermost.
function M.open_loops(P) return around[P] or {} end

function M.draws(P) drawing[P] = true end

-- The frame of the outermost open T.Parallel; nil: there is none.  And whether another or a loop is open in it.
function M.outer_parallel(P)
  local list = parallel[P]
  local outer = list and list[1]
  if outer then
    return outer, #list > 1 or ir.loops(P) > outer.loops
  end
end

-- The variables of all open T.Parallel, their extents, and the outermost one's frame; nil: there is none.
function M.parallel_loops(P)
  local vars, extents = {}, {}
  for _, f in ipairs(parallel[P] or {}) do
    for d = 1, f.n do
      vars[#vars + 1] = f.vars[d]
      extents[#extents + 1] = ir.const(f.bounds[2 * d - 1]) == 0 and f.bounds[2 * d] or f.bounds[2 * d] - f.bounds[2 * d - 1]
    end
  end
  local outer = #vars > 0 and parallel[P][1]
  if outer then
    return vars, extents, outer
  end
end

local function close_parallel(self, P)
  local list = parallel[P]
  list[#list] = nil
  if self.mark and #self.draws > 0 then
    M.share(P, self)
  elseif self.mark then
    M.gather(P, self)
  end
end

local function enter_parallel(self)
  local P = self.P
  parallel[P] = parallel[P] or {}
  if (gathering[P] or drawing[P]) and #parallel[P] == 0 then
    self.mark, self.parts, self.order, self.draws = ir.mark(P), {}, {}, {}
    self.loops = ir.loops(P) + 1
    self.around = table.move(around[P] or {}, 1, #(around[P] or {}), 1, {})
  end
  table.insert(parallel[P], self)
  function self.closed() close_parallel(self, P) end
end

-- A loop that is no T.Parallel: what is behind one inside of it may still speak of its variables.
local function enter_other(self)
  local list = around[self.P] or {}
  around[self.P] = list
  local n = #list
  table.move(self.vars, 1, self.vars.n, n + 1, list)
  function self.closed()
    for i = #list, n + 1, -1 do
      list[i] = nil
    end
  end
end

local function enter_loop(self)
  if self.kind == "parallel" then
    enter_parallel(self)
  end
  local v = table.pack(ir.loop(self.P, self.kind, self.names, self.by,
    table.unpack(self.bounds, 1, 2 * self.n)))
  self.vars = v
  if self.kind ~= "parallel" then
    enter_other(self)
  end
  opened(self)
  if self.after then
    self.after(self.P)
  end
  return table.unpack(v, 1, v.n)
end

local function loop(what, kind, n, bounds, by, after)
  trace.kernel(what)
  for i = 1, 2 * n do
    whole(what, bounds[i])
  end
  local f, s, c, cl = frame(what, n, enter_loop)
  s.kind, s.bounds, s.by, s.after = kind, bounds, by, after
  return f, s, c, cl
end

local function range(start, stop)
  if stop == nil then
    return {0, start}
  end
  return {start, stop}
end

local function extents(what, ...)
  local n = select("#", ...)
  if n == 0 then
    diag.fail("arg_missing", what, "extents", what .. "(n, ...)")
  end
  local b = {}
  for i = 1, n do
    b[2 * i - 1], b[2 * i] = 0, (select(i, ...))
  end
  return n, b
end

def {
  name = "Parallel",
  sig = "Parallel(*extents, coalesced_width=None, loop_layout=None, prefer_async=None, " ..
    "annotations=None)",
  types = "coalesced_width:int prefer_async:bool annotations:table",
  summary = "element loop spread over the threads of the block; its iterations are independent",
  summary_zh = "分布到块内各线程的逐元素循环；各次迭代相互独立",
  example = "for i, j in T.Parallel(32, 32) do Cl[i, j] = Cl[i, j] * 2 end",
  fn = function(_, ...)
    local n, b = extents("T.Parallel", ...)
    return loop("T.Parallel", "parallel", n, b)
  end,
}

def {
  name = "parallel", sig = "parallel(start, stop=None, *, annotations=None)",
  types = "start:value stop:value annotations:table",
  summary = "T.Parallel from start to stop: TVM's loop of one index, which may stand in another",
  summary_zh = "从 start 到 stop 的 T.Parallel：TVM 的单下标循环，可以嵌套",
  example = "for i in T.parallel(32) do\n  for j in T.parallel(32) do Cl[i, j] = Cl[i, j] * 2 end\nend",
  fn = function(start, stop)
    return loop("T.parallel", "parallel", 1, range(start, stop))
  end,
}

def {
  name = "grid", sig = "grid(*extents)",
  summary = "nested sequential loops", summary_zh = "嵌套的顺序循环",
  example = "for i, j in T.grid(4, 8) do row[i] = row[i] + j end",
  fn = function(_, ...)
    local n, b = extents("T.grid", ...)
    return loop("T.grid", "serial", n, b)
  end,
}

def {
  name = "Pipelined",
  sig = "Pipelined(start, stop=None, num_stages=0, order=None, stage=None, sync=None, " ..
    "group=None, annotations=None)",
  types = "start:value stop:value num_stages:int order:ints stage:ints annotations:table",
  summary = "sequential loop whose copies run ahead by num_stages buffers",
  summary_zh = "顺序循环，其复制操作以 num_stages 个缓冲提前执行",
  example = [[
for ko in T.Pipelined(2, {num_stages = 3}) do
  T.copy(A[0, ko * 32], As)
  T.gemm(As, Bs, Cl)
end]],
  fn = function(start, stop, stages, order, stage)
    if stages < 0 then
      diag.fail("arg_value", "T.Pipelined", "num_stages", W"0 or more", stages)
    end
    return loop("T.Pipelined", "pipelined", 1, range(start, stop), nil, function(P)
      ir.pipeline(P, stages, 0, order, stage)
    end)
  end,
}

def {
  name = "serial", sig = "serial(start, stop=None, step=None, *, annotations=None)",
  types = "start:value stop:value step:value annotations:table",
  summary = "sequential loop", summary_zh = "顺序循环",
  example = "for k in T.serial(8) do row[k] = row[k] + 1 end",
  fn = function(start, stop, by)
    return loop("T.serial", "serial", 1, range(start, stop), by)
  end,
}
alias("Serial", "serial")

def {
  name = "unroll",
  sig = "unroll(start, stop=None, step=None, *, explicit=False, unroll_factor=None, " ..
    "annotations=None)",
  types = "start:value stop:value step:value explicit:bool unroll_factor:int annotations:table",
  summary = "sequential loop that is unrolled", summary_zh = "展开的顺序循环",
  example = "for k in T.unroll(4) do row[k] = row[k] + 1 end",
  fn = function(start, stop, by, explicit, factor)
    if explicit and factor then
      diag.fail("arg_value", "T.unroll", "unroll_factor", W"nothing besides explicit = true",
        factor)
    end
    return loop("T.unroll", "unroll", 1, range(start, stop), by, function(P)
      ir.pipeline(P, 0, explicit and -1 or factor or 0)
    end)
  end,
}
alias("Unroll", "unroll")

def {
  name = "vectorized", sig = "vectorized(start, stop=None, *, annotations=None)",
  types = "start:value stop:value annotations:table",
  summary = "loop over the lanes of a vector", summary_zh = "按向量通道执行的循环",
  example = "for k in T.vectorized(4) do row[k] = 0 end",
  fn = function(start, stop)
    return loop("T.vectorized", "vectorized", 1, range(start, stop))
  end,
}
alias("Vectorized", "vectorized")

-- Tile number `id` of a domain: the last two dimensions in groups of rows, so
-- that neighbouring tiles share data; the others row-major.
local function decode(P, domain, id, group)
  local n = #domain
  local v, rest = {}, id
  if n == 1 then
    return {id}
  end
  for d = n, 3, -1 do
    v[d] = ir.let(P, "tile" .. d, rest % domain[d])
    rest = ir.let(P, "rest" .. d, rest // domain[d])
  end
  local rows, cols = domain[1], domain[2]
  local width = group * cols
  local first = ir.let(P, "first", rest // width * group)
  local size = ir.let(P, "size", ir.min(rows - first, group))
  v[1] = ir.let(P, "tile_m", first + rest % width % size)
  v[2] = ir.let(P, "tile_n", rest % width // size)
  return v
end

local function enter_persistent(self)
  local P, total = self.P, 1
  for _, d in ipairs(self.domain) do
    total = total * d
  end
  local waves = (total + self.wave - 1) // self.wave
  local w = ir.loop(P, "serial", "wave", nil, 0, waves)
  self.level = ir.frames(P)
  local id = ir.let(P, "tile", w * self.wave + self.index)
  ir.if_(P, ir.lt(id, total))
  return table.unpack(decode(P, self.domain, id, self.group), 1, self.n)
end

def {
  name = "Persistent", sig = "Persistent(domain, wave_size, index, group_size=8)",
  types = "domain:shape wave_size:value index:value group_size:int",
  summary = "waves of tiles over a fixed number of blocks", summary_zh = "由固定数量的块分批处理全部分块",
  example = "for m, n in T.Persistent({4, 4}, 4, bx) do row[m] = row[m] + n end",
  fn = function(domain, wave, index, group)
    trace.kernel("T.Persistent")
    if type(domain) ~= "table" then
      domain = {domain}
    end
    local f, s, c, cl = frame("T.Persistent", #domain, enter_persistent)
    s.domain, s.wave, s.index, s.group = domain, wave, index, group
    return f, s, c, cl
  end,
}

def {
  name = "loop_break", sig = "loop_break()",
  summary = "leaves the innermost sequential loop", summary_zh = "跳出最内层的顺序循环",
  example = "for k in T.serial(8) do if row[k] > 0 then T.loop_break() end row[k] = 1 end",
  fn = function()
    ir.break_(trace.kernel("T.loop_break"))
  end,
}

return M
