-- T/reducer.lua: T.alloc_reducer: sums over the iterations of T.Parallel that belong to one element.
--
-- Each iteration contributes once, whatever threads do it.  What T.Parallel(m, n) adds to r[i] is gathered in a
-- tile of m x n, one element for each iteration, and reduced along n behind the loop:
--
--     for i, j in T.Parallel(m, n):            T.fill(part, 0)
--         r[i] += f(i, j)                      for i, j in T.Parallel(m, n): part[i, j] = part[i, j] + f(i, j)
--                                              T.reduce_sum(part, r, 1, clear=False)

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local loops = require "moontile.T.loops"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local def, names = registry.def, registry.names

local Reducer, Target = {__name = "reducer"}, {__name = "reducer element"}
local state = setmetatable({}, {__mode = "k"}) -- of a reducer: {buffer, op, old, done, init}

-- kind -> what changes nothing, of a dtype; how two values become one
local function lowest(dtype, sign)
  if types.infinite(dtype) then
    return sign * names.infinity.value(dtype)
  end
  return names[sign < 0 and "min_value" or "max_value"].value(dtype)
end
local kinds = {
  sum = {function() return 0 end, function(a, b) return a + b end},
  max = {function(dtype) return lowest(dtype, -1) end, function(a, b) return names.max.value(a, b) end},
  min = {function(dtype) return lowest(dtype, 1) end, function(a, b) return names.min.value(a, b) end},
  bitand = {function() return -1 end, function(a, b) return names.bitwise_and.value(a, b) end},
  bitor = {function() return 0 end, function(a, b) return names.bitwise_or.value(a, b) end},
  bitxor = {function() return 0 end, function(a, b) return names.bitwise_xor.value(a, b) end},
}

-- Behind the loop ------------------------------------------------------------------

local function reduce(P, kind, from, to, dim)
  ir.op(P, "reduce", {kind = ir.red(kind), dim = dim, clear = false, batch = 1}, nil, nil, from, to)
end

local function tile(P, dtype, shape)
  return (ir.buffer(P, "fragment", dtype, shape, "part"))
end

-- All of buffer's elements become combine(element, value(indices)).
local function combine_all(P, kind, buffer, value)
  local bounds, letters = {}, {"i", "j", "k", "l"}
  for d, n in ipairs(buffer.shape) do
    bounds[2 * d - 1], bounds[2 * d] = 0, n
  end
  local v = {ir.loop(P, "parallel", table.concat(letters, ",", 1, #buffer.shape), nil, table.unpack(bounds))}
  buffer[v] = ir.cast(kinds[kind][2](buffer[v], value(v)), buffer.dtype)
  ir.close(P)
end

-- Reduces what the loops have gathered along dimension d of `from`, which is number at; `to`: where to.
local function reduce_away(P, r, part, from, shape, at, to)
  if not to then
    to = tile(P, r.buffer.dtype, shape)
    ir.alloc(to)
    ir.op(P, "fill", nil, part.identity, nil, to)
  end
  reduce(P, r.op, from, to, at)
  return to
end

-- The reducer's elements, which have other indices than the tile's, become combine(element, tile's).
local function combine_at(P, r, part, from)
  local bounds, kept = {}, {}
  for d in ipairs(part.extents) do
    kept[#kept + 1] = part.keep[d] and d or nil
  end
  for i, d in ipairs(kept) do
    bounds[2 * i - 1], bounds[2 * i] = 0, part.extents[d]
  end
  if #kept == 0 then
    bounds = {0, 1}
  end
  local v = {ir.loop(P, "parallel", loops.letters(math.max(#kept, 1)), nil, table.unpack(bounds))}
  local index = {}
  for i, d in ipairs(part.dims) do
    index[i] = part.fixed[i]
    for k, e in ipairs(kept) do
      if e == d then
        index[i] = v[k]
      end
    end
  end
  r.buffer[index] = ir.cast(kinds[r.op][2](r.buffer[index], from[v]), r.buffer.dtype)
  ir.close(P)
end

-- Reduces what the loops have gathered to the reducer, one dimension after the other from the last one.
local function finish(P, r, part)
  local from, keep = part.tile, part.keep
  local shape = table.move(part.extents, 1, #part.extents, 1, {})
  local kept = 0
  for _ in pairs(keep) do
    kept = kept + 1
  end
  local region = {}
  for i, d in ipairs(part.dims) do
    region[i] = d and names.slice.value(0, part.extents[d])
  end
  for d = #part.extents, 1, -1 do
    if not keep[d] then
      if #shape > 1 then
        table.remove(shape, d)
      else
        shape = {1}
      end
      local last = #shape == kept
      from = reduce_away(P, r, part, from, shape, d - 1, last and part.ordered and r.buffer[region] or nil)
    end
  end
  if not part.ordered then
    combine_at(P, r, part, from)
  elseif kept == #part.extents then
    combine_all(P, r.op, r.buffer, function(v) return part.tile[v] end)
  end
end

-- Does index e mean the same element in all iterations, behind the loops, too?
local function stays(outer, e)
  if ir.const(e) then
    return true
  end
  for _, v in ipairs(outer.around) do
    if ir.same(e, v) then
      return true
    end
  end
end

-- Which of the loops' variables each index of the reducer is: its number, or false and the index itself, which
-- the loops do not change; and whether they are in the loops' order, and all.
local function places(r, index, vars, outer)
  local dims, fixed, keep, ordered, at = {}, {}, {}, true, 0
  for i = 1, #r.buffer.shape do
    local e = index[i]
    for d, v in ipairs(vars) do
      if e ~= nil and not keep[d] and ir.kind(e) == "expr" and ir.same(e, v) then
        dims[i], keep[d] = d, true
        ordered, at = ordered and d > at, d
        break
      end
    end
    if not dims[i] then
      if e == nil or not stays(outer, e) then
        diag.fail("reducer_index", ("%s[%s]"):format(r.buffer.name, tostring(e)))
      end
      dims[i], fixed[i], ordered = false, e, false
    end
  end
  return dims, fixed, keep, ordered
end

local function key_of(dims, fixed)
  local t = {}
  for i, d in ipairs(dims) do
    t[i] = d and tostring(d) or "=" .. tostring(fixed[i])
  end
  return table.concat(t, ",")
end

-- Where iterations of the open T.Parallel put what they add to element `index`.
local function gathered(r, index)
  local P = trace.kernel "T.alloc_reducer"
  local vars, extents, outer = loops.parallel_loops(P)
  if not vars then
    diag.fail("reducer_use", r.buffer.name, W"an element outside of T.Parallel")
  end
  index = type(index) == "table" and index or {index}
  local dims, fixed, keep, ordered = places(r, index, vars, outer)
  for d, n in ipairs(extents) do
    extents[d] = ir.const(n) or diag.fail("reducer_index", tostring(n))
  end
  local part = outer.parts[r]
  if part and part.key ~= key_of(dims, fixed) then
    diag.fail("reducer_index", W"two elements in one loop")
  elseif not part then
    part = {tile = tile(P, r.buffer.dtype, extents), dims = dims, fixed = fixed, keep = keep, ordered = ordered,
      extents = extents, identity = kinds[r.op][1](r.buffer.dtype), key = key_of(dims, fixed)}
    outer.parts[r] = part
    outer.order[#outer.order + 1] = r
  end
  return part.tile, vars
end

-- The loop is closed: it stands behind what its parts begin with, in front of their sums.
function loops.gather(P, outer)
  if #outer.order == 0 then
    return ir.drop(P, outer.mark)
  end
  ir.hold(P, outer.mark)
  for _, r in ipairs(outer.order) do
    ir.alloc(outer.parts[r].tile)
    ir.op(P, "fill", nil, outer.parts[r].identity, nil, outer.parts[r].tile)
  end
  ir.release(P, outer.mark)
  for _, r in ipairs(outer.order) do
    finish(P, r, outer.parts[r])
  end
end

-- The launch is closed.
function loops.ended(P)
  for _, r in pairs(state) do
    if r.P == P and r.loops and not r.old then
      r.loops = nil
      diag.fail("reducer_use", r.buffer.name, W"no T.finalize_reducer")
    end
  end
end

-- The reducer as a value -------------------------------------------------------------

function Reducer.__index(self, key)
  local r = state[self]
  if type(key) == "string" or r.done then
    return r.buffer[key]
  elseif not r.old then
    return setmetatable({r = r, index = key}, Target)
  end
  local t, vars = gathered(r, key)
  return t[vars]
end

function Reducer.__newindex(self, key, value)
  local r = state[self]
  if not r.old or r.done then
    diag.fail("reducer_use", r.buffer.name, r.done and W"an element is stored" or "T.reducer_update")
  end
  local t, vars = gathered(r, key)
  t[vars] = value
end

function Reducer.__tostring(self) return tostring(state[self].buffer) end

-- What functions of T get for a reducer: its buffer, where that is one already.
function registry.unwrap(row, i, args)
  local r = state[args[i]]
  if not r or row.takes_reducer then
    return args[i]
  elseif r.done then
    return r.buffer
  elseif r.old and (row.name == "clear" or row.name == "fill" and (r.op ~= "sum" or ir.const(args[2]) == 0)) then
    r.place = ir.nest(r.P)
    return r.buffer
  end
  diag.fail("reducer_use", r.buffer.name, "T." .. row.name)
end

-- Is the statement at hand in the loop and the branch where r began, or inside of them?  As TileLang has it: what stands
-- behind a branch, or on its other side, may come without the beginning.
local function belongs(P, r)
  local here = ir.nest(P)
  for i, frame in ipairs(r.place or {}) do
    if here[i] ~= frame then
      return false
    end
  end
  return true
end

local function reducer_of(what, v)
  return state[v] or diag.fail("arg_type", what, "reducer", "T.alloc_reducer", describe(v), what .. "(acc)")
end

def {
  name = "alloc_reducer", sig = 'alloc_reducer(shape, dtype, op="sum", replication=None)',
  types = "shape:shape dtype:dtype op:sum|max|min|bitand|bitor|bitxor replication:all|none", band = "B",
  summary = "what iterations of T.Parallel add up, each once: T.reducer_init, T.reducer_update, T.finalize_reducer; "
    .. "with replication, TileLang's older form, a tile with `acc[i] += v`",
  summary_zh = "由 T.Parallel 的各次迭代累加（每次一份）的结果：T.reducer_init、T.reducer_update、T.finalize_reducer；"
    .. "给出 replication 时为 TileLang 的旧形式：用 `acc[i] += v` 更新的分块",
  example = [[
local acc = T.alloc_reducer({32}, T.float32)
T.reducer_init(acc)
for i, j in T.Parallel(32, 32) do T.reducer_update(acc[i], Cl[i, j]) end
T.finalize_reducer(acc, row)]],
  fn = function(shape, dtype, op, replication)
    local P = trace.kernel "T.alloc_reducer"
    if op:find "^bit" and not dtype:find "int" then
      diag.fail("arg_value", "T.alloc_reducer", "dtype", W"an integer type", dtype)
    end
    local r = {buffer = ir.buffer(P, "fragment", dtype, shape, "reducer"), op = op, old = replication ~= nil, P = P}
    ir.alloc(r.buffer)
    loops.gathers(P)
    local self = setmetatable({}, Reducer)
    state[self] = r
    return self
  end,
}

def {
  name = "reducer_init", sig = "reducer_init(reducer, init=None)", types = "reducer:any init:value", band = "B",
  summary = "begins the sums of T.alloc_reducer; init counts as one more contribution to each",
  summary_zh = "开始 T.alloc_reducer 的归约；init 视为每个结果多出的一份贡献",
  example = names.alloc_reducer.example,
  fn = function(reducer, init)
    local P, r = trace.kernel "T.reducer_init", reducer_of("T.reducer_init", reducer)
    if r.loops and not r.old then
      diag.fail("reducer_use", r.buffer.name, W"T.reducer_init a second time")
    end
    r.loops = table.move(loops.open_loops(P), 1, #loops.open_loops(P), 1, {})
    r.place = ir.nest(P)
    r.init = init ~= nil and ir.let(P, "init", ir.cast(init, r.buffer.dtype)) or nil
    r.done = false
    ir.op(P, "fill", nil, kinds[r.op][1](r.buffer.dtype), nil, r.buffer)
  end,
}

def {
  name = "reducer_update", sig = "reducer_update(target, value)", types = "target:any value:value", band = "B",
  summary = "contributes a value to an element of a T.alloc_reducer, within T.Parallel",
  summary_zh = "在 T.Parallel 内向 T.alloc_reducer 的一个元素贡献一个值",
  example = names.alloc_reducer.example,
  fn = function(target, value)
    if getmetatable(target) ~= Target then
      diag.fail("arg_type", "T.reducer_update", "target", W"an element of a T.alloc_reducer", describe(target),
        "T.reducer_update(acc[i], v)")
    end
    local r = target.r
    if not belongs(trace.kernel "T.reducer_update", r) then
      diag.fail("reducer_use", r.buffer.name, W"T.reducer_update in another branch than its T.reducer_init")
    end
    local t, vars = gathered(r, target.index)
    r.loops = r.loops or {}
    t[vars] = kinds[r.op][2](t[vars], ir.cast(value, r.buffer.dtype))
  end,
}

def {
  name = "finalize_reducer", sig = "finalize_reducer(reducer, dst=None, batch=1, annotations=None)",
  types = "reducer:any dst:buffer batch:int annotations:table", band = "B",
  summary = "ends the sums of T.alloc_reducer and puts them into dst; of the older form they stay in the reducer",
  summary_zh = "结束 T.alloc_reducer 的归约并把结果写入 dst；旧形式的结果留在归约器中",
  example = names.alloc_reducer.example,
  fn = function(reducer, dst, batch)
    local what = "T.finalize_reducer"
    local P, r = trace.kernel(what), reducer_of(what, reducer)
    if batch < 1 then
      diag.fail("reduce_batch", what, batch)
    elseif dst == nil and not r.old then
      diag.fail("arg_missing", what, "dst", what .. "(acc, dst)")
    end
    if r.loops and not r.old and #loops.open_loops(P) > #r.loops then
      diag.fail("reducer_use", r.buffer.name, W"T.finalize_reducer in a loop without its T.reducer_init")
    elseif not belongs(P, r) then
      diag.fail("reducer_use", r.buffer.name, W"T.finalize_reducer in another branch than its T.reducer_init")
    end
    r.loops, r.place = nil, nil
    if r.init ~= nil then
      combine_all(P, r.op, r.buffer, function() return r.init end)
    end
    if dst ~= nil then
      ir.op(P, "copy", nil, nil, nil, r.buffer, dst)
    end
    r.done = r.old
  end,
}

for _, name in ipairs {"reducer_init", "reducer_update", "finalize_reducer"} do
  names[name].takes_reducer = true
end
