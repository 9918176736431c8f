-- statements.lua: random statements of a kernel, at the level of blocks.
local types = require "hunt.types"
local E = require "hunt.expr"
local elements = require "hunt.elements"
local notes = require "hunt.notes"
local tested = require "hunt.tested"
local feed = require "hunt.feed"
local M = {}

local order = {"par", "copy", "fill", "reduce", "scan", "transpose", "gemm", "atomic", "loop", "pipeline", "branch",
               "while", "var", "let", "macro", "view", "threads", "range", "local", "single", "grid", "assume", "say", "tested", "sync", "feed"}
local make = {}

local function add(out, s) out[#out + 1] = s end

local function same(a, b)
  if #a ~= #b then return false end
  for d, n in ipairs(a) do if n ~= b[d] then return false end end
  return true
end

-- A tile; one that a pipeline is filling only to be read.
local function pick(G, test, reads)
  local list = {}
  for _, b in ipairs(G.tiles) do
    if (reads or not b.held) and test(b) then list[#list + 1] = b end
  end
  if #list > 0 then return G.r:of(list) end
end

local function is_tile(b) return b.scope == "shared" or b.scope == "fragment" end

local function some_shape(G)
  local t, r = G.tile_shape, G.r
  return r:of {{t[1], t[2]}, {t[1], t[2]}, {t[1], t[2]}, {t[2]}, {t[1]}, {t[2], t[1]}, {t[1], t[3]}, {2, t[1], t[2]},
               {t[1] * 2, t[2]}}
end

local function some_tile(G, dtype, shape, scope)
  return G:tile(scope or G.r:of {"shared", "fragment"}, dtype or G.r:of(G.value_types), shape or some_shape(G))
end

-- A tile to write: one that there is, or a new one.
local function target(G)
  local b = G.r:chance(0.6) and pick(G, is_tile)
  return b or some_tile(G)
end
M.target = target

-- copies --------------------------------------------------------------------------------

-- May values of a stand in b without a clamp?
local function fits(a, b)
  local f, t = types.of[a.dtype], types.of[b.dtype]
  if t.kind == "bool" or f.kind == "bool" then return f.kind == t.kind end
  return a.lo >= b.lo and a.hi <= b.hi or (t.kind == "int" and f.kind == "int")
end

-- Where in global memory a tile may begin, a dimension of size n, a tile of m.
local function origin(G, n, m)
  local r = G.r
  local v = E.index_var(G)
  if not v or r:chance(0.1) then return E.lit(r:int(0, math.max(0, n - m))) end
  local e = E.mul(v, v.hi == 0 and 1 or m)
  if G.profile.outside > 0 and r:chance(0.25) then
    e = E.add(e, E.lit(r:int(-2, 3)))
    if e.lo < 0 and e.hi <= 0 or e.k == "lit" and e.v < 0 then return E.lit(0) end
  end
  return e
end

-- A region of global memory with the extents of a tile.
local function global_region(G, x, shape)
  local r = G.r
  local lead = #x.shape - #shape
  if lead < 0 then return nil end
  local from, extents, index = {}, {}, {}
  for d, n in ipairs(x.shape) do
    if d <= lead then
      from[d], extents[d], index[d] = E.index(G, n, true), 1, true
    else
      from[d], extents[d] = origin(G, n, shape[d - lead]), shape[d - lead]
    end
  end
  return {buf = x.name, from = from, extents = extents, index = index, form = r:of {"origin", "slice"}}
end

local function input_of(G, test)
  local list = {}
  for _, b in ipairs(G.inputs) do
    if not b.atomic and test(b) then list[#list + 1] = b end
  end
  return #list > 0 and G.r:of(list) or nil
end

local function load_tile(G, out, b)
  local x = input_of(G, function(x) return fits(x, b) and #x.shape >= #b.shape end)
  if not x then return false end
  local src = global_region(G, x, b.shape)
  add(out, notes.options(G, {k = "copy", src = src, dst = {buf = b.name}}))
  b.init = true
  return true
end
M.load_tile = load_tile

-- A part of a tile: static, or at a place that a variable decides.
local function part(G, b, extents)
  local from = {}
  for d, n in ipairs(b.shape) do
    local room = n - extents[d]
    local v = room > 0 and G.r:chance(0.4) and E.index_var(G)
    if v and v.hi <= room then
      from[d] = v
    elseif v then
      from[d] = E.bin("%", v, E.lit(room + 1))
    else
      from[d] = E.lit(G.r:int(0, room))
    end
  end
  return {buf = b.name, from = from, extents = extents, form = "slice"}
end

function make.copy(G, out)
  local r = G.r
  local dst = target(G)
  if r:chance(0.5) and load_tile(G, out, dst) then return end
  local src = pick(G, function(b) return is_tile(b) and b.init and b ~= dst and b.root ~= dst.name and dst.root ~= b.name
                                         and (not b.root or b.root ~= dst.root) and fits(b, dst) and #b.shape == #dst.shape end, true)
  if not src then
    if not load_tile(G, out, dst) then make.fill(G, out, dst) end
    return
  end
  if same(src.shape, dst.shape) and (r:chance(0.7) or not dst.init) then
    add(out, {k = "copy", src = {buf = src.name}, dst = {buf = dst.name}})
    dst.init = true
    return
  end
  local extents = {}
  for d, n in ipairs(dst.shape) do
    extents[d] = math.min(n, src.shape[d])
    if extents[d] > 2 and r:chance(0.5) then extents[d] = extents[d] // 2 end
  end
  if same(extents, dst.shape) then
    add(out, {k = "copy", src = part(G, src, extents), dst = {buf = dst.name}})
    dst.init = true
  elseif dst.init then
    add(out, {k = "copy", src = part(G, src, extents), dst = part(G, dst, extents)})
  else
    make.fill(G, out, dst)
  end
end

local function constant(G, b)
  local t = types.of[b.dtype]
  if t.kind == "bool" then return E.cast(E.lit(G.r:int(0, 1)), "bool") end
  local v = G.r:int(t.signed == false and 0 or -5, 9)
  return E.lit(t.kind == "float" and v + 0.0 or v, b.dtype)
end

function make.fill(G, out, dst)
  local r = G.r
  local b = dst or target(G)
  local where = {buf = b.name}
  if b.init and r:chance(0.3) then
    local extents = {}
    for d, n in ipairs(b.shape) do extents[d] = r:int(1, n) end
    where = part(G, b, extents)
  end
  if r:chance(0.3) then
    add(out, {k = "fill", dst = where, clear = true, e = E.cast(E.lit(0), b.dtype)})
  elseif r:chance(0.5) and #G.scalars > 0 and types.of[b.dtype].kind == "int" then
    add(out, {k = "fill", dst = where, e = E.fit(G, E.gen(G, "int32", 1), b.dtype, b.lo, b.hi)})
  else
    add(out, {k = "fill", dst = where, e = constant(G, b)})
  end
  b.init = true
end

-- tile operations -------------------------------------------------------------------------

local reductions = {float = {"sum", "max", "min", "absmax", "abssum"},
                    int = {"sum", "max", "min", "bitand", "bitor", "bitxor"}}

function make.reduce(G, out)
  local r = G.r
  local src = pick(G, function(b) return is_tile(b) and b.init and b.dtype ~= "bool" end, true)
  if not src or G.in_pipeline and G.profile.pipeline_reduce == 0 then return make.copy(G, out) end
  local kind = r:of(reductions[types.of[src.dtype].kind])
  local dim = r:int(0, #src.shape - 1)
  local lo, hi = src.lo, src.hi
  if types.of[src.dtype].kind == "float" then
    local top = math.max(math.abs(lo), math.abs(hi))
    if kind == "sum" or kind == "abssum" then
      top = top * src.shape[dim + 1]
      if top > types.of[src.dtype].whole then kind, top = "max", math.max(math.abs(lo), math.abs(hi)) end
    end
    lo, hi = -top, top
  end
  local shape = {}
  local keep = r:chance(0.2) or #src.shape == 1
  for d, n in ipairs(src.shape) do
    if d ~= dim + 1 then shape[#shape + 1] = n elseif keep then shape[#shape + 1] = 1 end
  end
  local dst = r:chance(0.4) and pick(G, function(b)
    return is_tile(b) and same(b.shape, shape) and b.dtype == src.dtype and b.lo <= lo and b.hi >= hi and b ~= src
           and b.root ~= src.name and src.root ~= b.name and (not b.root or b.root ~= src.root)
  end)
  dst = dst or G:tile(r:of {"fragment", "fragment", "shared"}, src.dtype, shape, {lo = lo, hi = hi})
  local clear = true
  if kind ~= "abssum" and dst.init and r:chance(0.5)
      and (types.of[src.dtype].kind == "int" or kind == "max" or kind == "min") then
    clear = false
  end
  add(out, {k = "reduce", kind = kind, src = src.name, dst = dst.name, dim = dim, clear = clear})
  dst.init = true
end

function make.scan(G, out)
  local r = G.r
  local src = pick(G, function(b)
    return is_tile(b) and b.init and #b.shape <= 2 and (types.of[b.dtype].kind == "int" or b.dtype == "float32")
  end)
  if not src or G.in_pipeline and G.profile.pipeline_reduce == 0 then return make.copy(G, out) end
  local dim = r:int(0, #src.shape - 1)
  local kind = r:of {"sum", "sum", "max"}
  local lo, hi = src.lo, src.hi
  if src.dtype == "float32" and kind == "sum" then
    lo, hi = lo * src.shape[dim + 1], hi * src.shape[dim + 1]
    if hi > types.of.float32.whole or lo < -types.of.float32.whole then kind, lo, hi = "max", src.lo, src.hi end
  end
  local dst = src
  if lo ~= src.lo or hi ~= src.hi or r:chance(0.6) then
    dst = G:tile(r:of {"fragment", "shared"}, src.dtype, src.shape, {lo = lo, hi = hi})
  end
  add(out, {k = "scan", kind = kind, src = src.name, dst = dst.name, dim = dim, reverse = r:chance(0.3)})
  dst.init = true
end

function make.transpose(G, out)
  local src = pick(G, function(b) return b.scope == "shared" and b.init and #b.shape == 2 end, true)
  if not src then return make.copy(G, out) end
  local dst = G:tile("shared", src.dtype, {src.shape[2], src.shape[1]}, {lo = src.lo, hi = src.hi})
  add(out, {k = "transpose", src = src.name, dst = dst.name})
  dst.init = true
end

local products = {
  {"float16", "float32", 64}, {"float16", "float32", 64}, {"bfloat16", "float32", 32}, {"int8", "int32"}, {"float32", "float32", 64},
}

-- The operand of a product: a tile loaded from an input of its own.
local function operand(G, out, dtype, shape, top, scope)
  local b = pick(G, function(b)
    return b.scope == scope and b.init and b.dtype == dtype and same(b.shape, shape) and (not top or b.hi <= top)
  end, true)
  if b and G.r:chance(0.7) then return b end
  b = G:tile(scope, dtype, shape, top and {lo = -top + 0.0, hi = top + 0.0} or nil)
  if load_tile(G, out, b) then return b end
  elements.fill(G, out, b)
  return b
end

function make.gemm(G, out, kind, M_, N, K)
  local r = G.r
  if not kind then
    kind = r:of(products)
    M_, N, K = r:of {16, 16, 32, 64}, r:of {16, 16, 32, 64}, r:of {16, 16, 32}
    if kind[1] == "int8" then K = 32 end
  end
  local ta, tb = r:chance(0.25), r:chance(0.4)
  local a = operand(G, out, kind[1], ta and {K, M_} or {M_, K}, kind[3], r:chance(0.2) and not ta and "fragment" or "shared")
  local b = operand(G, out, kind[1], tb and {N, K} or {K, N}, kind[3], "shared")
  local top = kind[3] and 2.0 ^ 23 or nil
  local c = pick(G, function(b) return b.product and b.dtype == kind[2] and same(b.shape, {M_, N}) end)
  if not c then
    c = G:tile("fragment", kind[2], {M_, N}, {lo = top and -top, hi = top, product = true})
  end
  local clear = not c.init
  if clear and r:chance(0.7) then
    add(out, {k = "fill", dst = {buf = c.name}, clear = true, e = E.cast(E.lit(0), c.dtype)})
    clear = false
  end
  add(out, {k = "gemm", a = a.name, b = b.name, c = c.name, ta = ta or nil, tb = tb or nil, clear = clear or nil,
            policy = r:chance(0.2) and r:of {"FullRow", "FullCol"} or nil})
  c.init = true
end

-- All elements of a tile, added to those of a tensor by all blocks.
function make.sum(G, out)
  local r = G.r
  local src = pick(G, function(b)
    return is_tile(b) and b.init and not b.root and (b.dtype == "int32" or b.dtype == "uint32" or b.dtype == "float32")
  end)
  if not src then return false end
  local dst = G:input(src.dtype, {table.unpack(src.shape)}, {atomic = true, name = G:name "R", dims = nil})
  G.program.outputs[#G.program.outputs + 1] = dst.name
  local from = {}
  for d in ipairs(src.shape) do from[d] = E.lit(0) end
  add(out, {k = "sum", op = r:of {"add", "add", "max", "min"}, src = {buf = src.name},
            dst = {buf = dst.name, from = from, extents = src.shape, form = "slice"}})
  return true
end

-- Sums that all iterations add to: the order of integers is no matter.  A tile is updated in another way
-- behind that, perhaps: statements have an order, though each is atomic.
function make.atomic(G, out)
  local r = G.r
  if G.in_atomic or #G.loops > 0 and r:chance(0.5) then return make.par(G, out) end
  if r:chance(0.3) and make.sum(G, out) then return end
  local op = r:of {"add", "add", "max", "min", "or"}
  local n = r:of {1, 4, 16, 33}
  local dst
  local dtype = op == "or" and "int32" or r:of {"int32", "int32", "uint32"}
  if r:chance(0.5) then
    dst = G:input(dtype, {n}, {atomic = true, name = G:name "R", dims = nil})
    G.program.outputs[#G.program.outputs + 1] = dst.name
  else
    dst = G:tile("shared", dtype, {n}, {})
    make.fill(G, out, dst)
    for _ = 1, r:of {0, 1, 1, 2} do
      elements.atomic(G, out, dst, op)
      op = r:of(dtype == "int32" and {"add", "max", "min", "or"} or {"add", "max", "min"})
    end
  end
  elements.atomic(G, out, dst, op)
end

-- loops and branches --------------------------------------------------------------------------

local function nested(G, n)
  G.nesting = G.nesting + 1
  local body = G:block(n)
  G.nesting = G.nesting - 1
  return body
end

-- A condition that is the same for all threads, and the statement that leaves under it.
local function cut(G, body, kind, loop)
  loop.cut = true
  local at = G.r:int(1, #body + 1)
  G.plain_condition = G.profile.break_and == 0
  table.insert(body, at, {k = "if", arms = {{c = E.condition(G, 1), body = {{k = kind}}}}})
  G.plain_condition = nil
end

-- What holds behind a loop of this many rounds: nothing that may not have run.
local function loop_body(G, s, rounds, var, n)
  local certain = rounds > 0
  local cutting = G.profile.cut > 0 and G.r:chance(G.profile.cut)
  local body
  G:maybe(certain and not cutting, function()
    G.loops[#G.loops + 1] = s
    local vars = #G.vars
    G:push(var)
    body = nested(G, n)
    if cutting then
      cut(G, body, G.r:of {"break", "continue"}, s)
    end
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
    G.loops[#G.loops] = nil
  end)
  s.body = body
end

local function has_label(list)
  for _, s in ipairs(list) do
    if s.k == "continue" then return true end
    if s.body and has_label(s.body) then return true end
    for _, a in ipairs(s.arms or {}) do if has_label(a.body) then return true end end
  end
end

-- Labels of nested loops must differ: only the innermost keeps its own.
local function one_label(list)
  for _, s in ipairs(list) do
    if s.body and (s.k == "loop" or s.k == "while") and has_label(s.body) then
      for i, t in ipairs(s.body) do
        if t.k == "if" and t.arms[1].body[1] and t.arms[1].body[1].k == "continue" then
          local rest = false
          for j, u in ipairs(s.body) do if j ~= i and has_label {u} then rest = true end end
          if rest then t.arms[1].body[1] = {k = "break"} end
        end
      end
    end
  end
end

function make.loop(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth then return make.par(G, out) end
  local v = G:name "k"
  local lo, n, step = 0, r:int(1, 5), 1
  if r:chance(0.3) then lo = r:int(1, 3) end
  if r:chance(0.2) then step = 2 end
  local s = {k = "loop", var = v, kind = r:of {"serial", "serial", "serial", "unroll", "for"}, step = step,
             lo = E.lit(lo), hi = E.lit(lo + n)}
  local rounds = 1
  if r:chance(0.15) then
    -- downwards
    s.lo, s.hi, s.step, s.kind = E.lit(lo + n - 1), E.lit(lo - 1), -1, "serial"
  elseif r:chance(0.25) then
    -- an end that a block or an outer loop decides
    local w = E.index_var(G)
    if w and w.hi <= 4 then
      s.hi = E.add(w, E.lit(lo + r:int(0, 2)))
      rounds = s.hi.lo > lo and 1 or 0
      n = s.hi.hi - lo
      if s.kind == "unroll" then s.kind = "serial" end
    end
  end
  if s.kind == "for" and s.hi.k == "lit" then s.kind = "serial" end
  loop_body(G, s, rounds, {name = v, t = "int32", lo = lo, hi = math.max(lo, lo + n - 1)}, r:int(1, 3))
  add(out, s)
  one_label(out)
end

-- A pipelined loop: tiles are copied from global memory, something is made of them.
function make.pipeline(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth or G.in_pipeline then return make.par(G, out) end
  local v, n = G:name "ko", r:int(1, 5)
  local s = {k = "loop", kind = "Pipelined", var = v, lo = E.lit(0), hi = E.lit(n), stages = r:of {0, 1, 2, 2, 3, 4}}
  local rounds = n
  if r:chance(0.2) then
    local w = E.index_var(G)
    if w and w.hi <= 5 then
      s.hi, rounds = E.add(w, E.lit(r:int(0, 2))), 0
      n = math.max(1, s.hi.hi)
      rounds = s.hi.lo
    end
  end
  G.in_pipeline = true
  local cutting = r:chance(G.profile.cut * 0.3)
  -- what the loop loads is known behind it only by the profiles that ask for it
  local certain = rounds > 0 and not cutting and G.profile.pipeline_shared > 0
  G:maybe(certain, function()
    local vars = #G.vars
    G:push {name = v, t = "int32", lo = 0, hi = n - 1}
    local body = {}
    for _ = 1, r:int(1, 3) do
      local b = G.profile.pipeline_shared > 0 and r:chance(0.4) and pick(G, function(b) return b.scope == "shared" and not b.root end)
                or some_tile(G, nil, nil, r:chance(0.8) and "shared" or "fragment")
      if r:chance(G.profile.pipeline_if) and b.init then
        local inner = {}
        load_tile(G, inner, b)
        if #inner > 0 then add(body, {k = "if", arms = {{c = E.condition(G, 1), body = inner}}}) end
      else
        load_tile(G, body, b)
      end
    end
    G.nesting = G.nesting + 1
    for _, s2 in ipairs(G:block(r:int(1, 3))) do add(body, s2) end
    G.nesting = G.nesting - 1
    if cutting then cut(G, body, "break", s) end
    s.body = body
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  end)
  G.in_pipeline = false
  add(out, s)
end

-- A pipelined loop whose tiles nobody else writes.
function make.feed(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth or G.in_pipeline then return make.par(G, out) end
  local kind = r:of(products)
  local product = {dtype = kind[1], M = r:of {16, 32, 64}, N = r:of {16, 32, 64}, K = kind[1] == "int8" and 32 or r:of {16, 32}}
  feed.loop(G, out, r:chance(0.35) and product or nil, function(n) return G:block(n) end, function(body)
    make.gemm(G, body, kind, product.M, product.N, product.K)
  end)
end

make["while"] = function(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth then return make.par(G, out) end
  local v, n = G:name "w", r:int(1, 5)
  add(out, {k = "var", name = v, t = "int32", e = E.lit(0)})
  local c = {k = "cmp", op = "<", t = "bool", a = E.var(v, 0, n), b = E.lit(n)}
  if r:chance(0.4) then
    c = {k = "and", t = "bool", a = c, b = E.condition(G, 1)}
  end
  local s = {k = "while", c = c}
  G:maybe(false, function()
    local vars = #G.vars
    G:push {name = v, t = "int32", lo = 0, hi = n}
    s.body = nested(G, r:int(1, 2))
    -- first, so that no other statement of the body leaves it out
    local one = E.bin("+", E.var(v, 0, n), E.lit(1))
    table.insert(s.body, r:chance(0.5) and 1 or #s.body + 1, {k = "set", name = v, t = "int32", e = one, compound = r:chance(0.5)})
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  end)
  add(out, s)
  if G.nesting == 0 and r:chance(0.5) then G.scalars[#G.scalars + 1] = {name = v, t = "int32", lo = 0, hi = n} end
end

function make.branch(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth + 1 then return make.par(G, out) end
  local s = {k = "if", arms = {}}
  for i = 1, r:of {1, 1, 1, 2, 2, 3} do
    local arm = {}
    if i == 1 or i == 2 and r:chance(0.5) then arm.c = E.condition(G, 1) end
    G:maybe(false, function() arm.body = nested(G, r:int(1, 2)) end)
    s.arms[i] = arm
    if not arm.c then break end
  end
  add(out, s)
end

-- Scalars: a variable of the kernel, or a new value for one.
function make.var(G, out)
  local r = G.r
  local list = {}
  for _, v in ipairs(G.vars) do if v.variable then list[#list + 1] = v end end
  if #list > 0 and r:chance(0.65) then
    local v = r:of(list)
    local e = E.fit(G, E.gen(G, v.t, 2), v.t, v.lo, v.hi)
    local compound = e.k == "bin" and e.a.k == "var" and e.a.name == v.name and e.t == v.t
        and ({["+"] = 1, ["-"] = 1, ["*"] = 1, ["|"] = 1})[e.op] and r:chance(0.5)
    add(out, {k = "set", name = v.name, t = v.t, e = e, compound = compound or nil})
    return
  end
  local outer = G.nesting == 0
  if not outer and not r:chance(G.profile.cell) then return make.par(G, out) end
  local t = r:of {"int32", "int32", "float32", "int64", "uint8"}
  local lo, hi = G:cap(t)
  local v = {name = G:name "v", t = t, lo = lo, hi = hi, variable = true}
  add(out, {k = "var", name = v.name, t = t, e = E.lit(types.of[t].kind == "float" and 1.0 or r:int(0, 9), t)})
  G:push(v)
  if outer then G.scalars[#G.scalars + 1] = v end
end

-- A name for a value: it keeps what it had then.
function make.let(G, out)
  local t = G.r:of {"int32", "int32", "float32"}
  local e = E.gen(G, t, 2)
  if e.k == "lit" then return end
  local name = G:name "c"
  add(out, {k = "let", name = name, e = e})
  G:push {name = name, t = t, lo = e.lo, hi = e.hi}
end

function make.view(G, out)
  local r = G.r
  local b = G.nesting == 0 and pick(G, function(b) return is_tile(b) and not b.root and b.init end)
  if not b then return make.par(G, out) end
  local n = 1
  for _, m in ipairs(b.shape) do n = n * m end
  local shapes = {{n}}
  for _, k in ipairs {2, 4, 8, 16} do
    if n % k == 0 and n > k then
      shapes[#shapes + 1] = {n // k, k}
      shapes[#shapes + 1] = {k, n // k}
    end
    if n % (2 * k) == 0 and n > 2 * k then shapes[#shapes + 1] = {n // k // 2, 2, k} end
  end
  local view = G:buffer(b.scope, b.dtype, r:of(shapes), {of = b.name, root = b.name, lo = b.lo, hi = b.hi, init = true,
                                                        name = G:name "u"})
  add(out, {k = "view", buf = view.name})
  G.reading[#G.reading + 1] = view
  G.tiles[#G.tiles + 1] = view
end

-- Arrays of a thread, that all threads fill alike.
make["local"] = function(G, out)
  local r = G.r
  local n = r:of {2, 4, 8}
  local b = G:buffer("local", r:of {"int32", "float32"}, {n})
  table.insert(G.head, {k = "alloc", buf = b.name})
  local v = G:name "k"
  local body = {}
  G:scope(function()
    G:push {name = v, t = "int32", lo = 0, hi = n - 1}
    add(body, {k = "store", buf = b.name, idx = {E.var(v, 0, n - 1)}, e = E.fit(G, E.gen(G, b.dtype, 2), b.dtype, b.lo, b.hi)})
  end)
  add(out, {k = "loop", kind = r:of {"serial", "unroll", "vectorized"}, var = v, lo = E.lit(0), hi = E.lit(n), body = body})
  b.init = true
  G.reading[#G.reading + 1] = b
end

function make.macro(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth then return make.par(G, out) end
  local inner = {}
  local variables = G.vars
  -- a macro gets values, not variables to assign
  local plain = {}
  for _, v in ipairs(G.vars) do if not v.variable then plain[#plain + 1] = v end end
  local outer = G.in_macro
  G.vars, G.in_macro = plain, true
  for _, s in ipairs(nested(G, r:int(1, 2))) do add(inner, s) end
  G.vars, G.in_macro = variables, outer
  local args, seen = {}, {}
  elements.names(inner, function(name, declared)
    if declared then seen[name] = true
    elseif not seen[name] then
      seen[name] = true
      args[#args + 1] = name
    end
  end)
  add(out, {k = "macro", name = G:name "m", args = args, body = inner})
end

-- Elements by themselves: of a tile, or of a tensor of the block's own.
function make.single(G, out)
  local b = pick(G, function(b) return is_tile(b) and b.init end)
  if not b then return make.fill(G, out) end
  elements.single(G, out, b)
end

-- Loops in each other, in one line.
function make.grid(G, out)
  local r = G.r
  if G.nesting >= G.profile.depth then return make.par(G, out) end
  local s = {k = "grid", vars = {}, extents = {}}
  G:maybe(true, function()
    local vars = #G.vars
    for d = 1, r:int(1, 2) do
      s.vars[d], s.extents[d] = G:name "k", r:int(1, 3)
      G:push {name = s.vars[d], t = "int32", lo = 0, hi = s.extents[d] - 1}
    end
    s.body = nested(G, r:int(1, 2))
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  end)
  add(out, s)
end

function make.assume(G, out) notes.assume(G, out) end
function make.say(G, out) notes.say(G, out) end
function make.tested(G, out)
  if G.in_pipeline then return make.par(G, out) end
  tested.add(G, out)
end

function make.par(G, out) elements.par(G, out, target(G)) end
function make.threads(G, out)
  if G.nesting > 0 or G.in_pipeline then return make.par(G, out) end
  elements.threads(G, out)
end

-- A tile operation of some of the threads.
function make.range(G, out)
  local r, n = G.r, G.kernel.threads
  if G.nesting > 0 or n < 128 or G.in_pipeline then return make.par(G, out) end
  local b = pick(G, function(b) return b.scope == "shared" and not b.root end) or some_tile(G, nil, nil, "shared")
  local body = {}
  if r:chance(0.5) or not load_tile(G, body, b) then elements.par(G, body, b, true) end
  G.kernel.uses_tx = true
  G.program.ranged = true
  add(out, {k = "range", text = r:of {("tx < %d"):format(n // 2), ("tx >= %d"):format(n // 2), ("tx < 64"), ("tx >= 64")}, body = body})
end

-- Threads wait for each other: wherever statements stand, all of them are there.
function make.sync(_, out) add(out, {k = "sync"}) end

-- The first statements fill some tiles.
function M.first(G, out)
  for _ = 1, G.r:int(1, 3) do
    local b = some_tile(G)
    if not load_tile(G, out, b) then elements.fill(G, out, b) end
  end
end

function M.one(G, out)
  local kind = G.r:weighted(order, G.profile)
  if G.reading[#G.reading] and #out > 40 then return end
  make[kind](G, out)
end

return M
