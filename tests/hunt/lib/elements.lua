-- elements.lua: random statements for single elements: T.Parallel, and code of single threads.
--
-- Each iteration writes elements of its own: a loop's indices go into the target's by a map that is one to
-- one, and what the loop writes it reads only at that very place.
local types = require "hunt.types"
local E = require "hunt.expr"
local notes = require "hunt.notes"
local M = {}

local function gcd(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

-- One index of a dimension of n elements from loop variables of its own: extents, an expression of the
-- variables, and whether it covers all.
local dimension = {}

function dimension.same(_, n, var) local v = var(n); return v, true end
function dimension.back(_, n, var) return E.bin("-", E.lit(n - 1), var(n)), true end
function dimension.turn(r, n, var)
  return E.bin("%", E.add(var(n), E.lit(r:int(1, n))), E.lit(n)), true
end
function dimension.part(r, n, var)
  local m = r:int(1, n)
  return E.add(var(m), E.lit(r:int(0, n - m))), m == n
end
function dimension.stride(r, n, var)
  if n < 2 then return var(n), true end
  return E.add(E.mul(var(n // 2), 2), E.lit(r:int(0, 1))), false
end
function dimension.xor(r, n, var)
  if n & (n - 1) ~= 0 or n < 2 then return var(n), true end
  return E.bin("~", var(n), E.lit(r:int(1, n - 1))), true
end
function dimension.times(r, n, var)
  local m = r:of {3, 5, 7}
  if gcd(m, n) ~= 1 then return var(n), true end
  return E.bin("%", E.mul(var(n), m), E.lit(n)), true
end
function dimension.split(r, n, var)
  local k = r:of {2, 4, 8}
  if n % k ~= 0 or n == k then return var(n), true end
  local a, b = var(n // k), var(k)
  return E.add(E.mul(a, k), b), true
end

local styles = {"back", "turn", "part", "stride", "xor", "times", "split"}

-- An index from a loop variable and the lanes of a vector: {name, n, guard}.  `all`: it must reach every element.
local function lanes(G, n, var, all)
  local r = G.r
  local w = math.min(n, r:of {2, 4, 4, 4, 8, 8, 3, 5, 16})
  local vec = {name = G:name "u", n = w}
  local v = E.var(vec.name, 0, w - 1)
  local how = r:of {"plain", "plain", "plain", "off", "apart", "back", "xor", "turn", "alone"}
  local even = n % w == 0
  local function line(m) return E.add(E.mul(var(m), w), v) end
  if how == "off" and not all and n > w then
    local c = r:int(1, n - w)
    return E.add(line((n - c) // w), E.lit(c)), false, vec
  elseif how == "apart" and (even or not all) then
    return E.add(E.mul(v, n // w), var(n // w)), even, vec
  elseif how == "back" and (even or not all) then
    return E.bin("-", E.lit(n - 1), line(n // w)), even, vec
  elseif how == "xor" and even and n & (n - 1) == 0 and n > 1 then
    return E.bin("~", line(n // w), E.lit(r:int(1, n - 1))), true, vec
  elseif how == "turn" and even then
    return E.bin("%", E.add(line(n // w), E.lit(r:int(1, n))), E.lit(n)), true, vec
  elseif how == "alone" and n <= 16 then
    vec.n = n
    return E.var(vec.name, 0, n - 1), true, vec
  elseif even or not all and r:chance(0.5) then
    return line(n // w), even, vec
  end
  local e = line((n + w - 1) // w)
  vec.guard = {k = "cmp", op = "<", t = "bool", a = e, b = E.lit(n)}
  return e, true, vec
end

-- A one to one map from loop variables to elements of b; `vector`: and from the lanes of one vector.
local function map(G, b, vector)
  local r = G.r
  local wide, vec = vector and (r:chance(0.8) and #b.shape or r:int(1, #b.shape))
  local odd = (b.scope ~= "fragment" or G.profile.fragmap > 0) and r:chance(0.4)
  local vars, extents, idx, whole = {}, {}, {}, true
  local function var(n)
    local name = G:name "i"
    vars[#vars + 1], extents[#extents + 1] = name, n
    return E.var(name, 0, n - 1)
  end
  local d = 1
  while d <= #b.shape do
    local n, m = b.shape[d], b.shape[d + 1]
    if d == wide then
      local e, all
      e, all, vec = lanes(G, n, var, not b.init)
      idx[#idx + 1] = e
      whole = whole and all
    elseif odd and m and d + 1 ~= wide and r:chance(0.15) then
      local v = var(n * m)
      idx[#idx + 1], idx[#idx + 2] = E.bin("//", v, E.lit(m)), E.bin("%", v, E.lit(m))
      d = d + 1
    else
      local style = odd and r:chance(0.5) and r:of(styles) or "same"
      if not b.init and (style == "part" or style == "stride") then style = "same" end
      local e, all = dimension[style](r, n, var)
      idx[#idx + 1] = e
      whole = whole and all
    end
    d = d + 1
  end
  if odd and #vars > 1 and r:chance(0.3) then
    local i, j = r:int(1, #vars), r:int(1, #vars)
    vars[i], vars[j], extents[i], extents[j] = vars[j], vars[i], extents[j], extents[i]
  end
  if #vars == 0 then var(1) end
  return vars, extents, idx, whole, vec
end

local body

local function store(G, out, t)
  local b = t.buf
  local r = G.r
  local kind = r:chance(0.8) and b.dtype or r:of(G.value_types)
  local e = E.gen(G, kind, r:int(1, 3))
  e = E.fit(G, e, b.dtype, b.lo, b.hi)
  local s = {k = "store", buf = b.name, idx = t.idx, e = e}
  if e.k == "bin" and e.t == b.dtype and e.a.k == "load" and e.a.buf == b.name and r:chance(0.7)
      and ({["+"] = 1, ["-"] = 1, ["*"] = 1, ["//"] = 1, ["%"] = 1, ["&"] = 1, ["|"] = 1, [">>"] = 1})[e.op] then
    s.compound = true
  end
  out[#out + 1] = s
  b.init = true
end

local fetches = {int32 = {"add", "max", "min", "load"}, uint32 = {"add", "max", "min", "load"}}

-- A name for the iteration's own element, which an atomic changes by the way.
local function fetch(G, out, t)
  local b, r = t.buf, G.r
  local ops = b.init and (b.scope == "shared" or b.scope == "global") and fetches[b.dtype]
  if not ops then return store(G, out, t) end
  local e = E.cast(E.fit(G, E.gen(G, b.dtype, 1), b.dtype, b.lo, b.hi), b.dtype)
  local s = {k = "fetch", op = r:of(ops), name = G:name "e", buf = b.name, idx = t.idx, e = e}
  if s.op == "load" then s.e = nil end
  out[#out + 1] = s
  G:push {name = s.name, t = b.dtype, lo = b.lo, hi = b.hi}
  store(G, out, t)
end

-- A condition under which an iteration ends here, as a statement of `list` behind its first `from`
-- statements: at its own level, or inside of a branch that there is.
local function leave(G, list, from, s)
  if not G.r:chance(G.profile.next) then return end
  local at = G.r:int(from + 1, #list + 1)
  local jump = {k = "next", label = s.label}
  if s.k == "loop" and s.kind ~= "vectorized" and not s.whole and G.r:chance(0.4) then jump = {k = "break"} end
  local inside = list[at]
  if inside and inside.k == "if" and G.r:chance(0.5) then
    list = G.r:of(inside.arms).body
    at = G.r:int(1, #list + 1)
  end
  if G.r:chance(0.1) then
    jump = {k = "if", arms = {{c = E.condition(G, 1), body = {}}, {body = {jump}}}}
  end
  table.insert(list, at, {k = "if", arms = {{c = E.condition(G, 1), body = {jump}}}})
end

-- A variable of the iteration, or a new value for one.
local function cell(G, out)
  local r, list = G.r, {}
  for _, v in ipairs(G.vars) do if v.cell then list[#list + 1] = v end end
  if #list > 0 and r:chance(0.7) then
    local v = r:of(list)
    local e = E.gen(G, v.t, 2)
    if r:chance(0.4) and types.of[v.t].kind == "int" then e = E.bin(r:of {"+", "-", "|"}, E.var(v.name, v.lo, v.hi, v.t), e, v.t) end
    e = E.fit(G, e, v.t, v.lo, v.hi)
    local own = e.k == "bin" and e.a.k == "var" and e.a.name == v.name and e.t == v.t
    out[#out + 1] = {k = "set", name = v.name, t = v.t, e = e,
                     compound = own and ({["+"] = 1, ["-"] = 1, ["|"] = 1})[e.op] and r:chance(0.5) or nil}
    return
  end
  local t = r:of {"int32", "int32", "float32", "uint8", "float16"}
  local lo, hi = G:cap(t)
  local v = {name = G:name "a", t = t, lo = lo, hi = hi, cell = true}
  out[#out + 1] = {k = "var", name = v.name, t = t, e = E.cast(E.fit(G, E.gen(G, t, 1), t, lo, hi), t)}
  G:push(v)
end

-- A loop of one iteration: the ends may differ from one to the next.
local function inner_loop(G, v)
  local r = G.r
  local s = {k = "loop", kind = r:of {"serial", "serial", "unroll"}, var = v, lo = E.lit(0), hi = E.lit(r:int(1, 6)), body = {},
             label = "next_" .. v}
  if not r:chance(G.profile.steps) then return s, 0, s.hi.v - 1 end
  local w = E.index_var(G)
  if w and w.hi <= 8 and r:chance(0.5) then
    s.kind = "serial"
    if r:chance(0.3) then
      s.lo, s.hi = w, E.lit(w.hi + r:int(0, 2))
    else
      s.hi = E.add(w, E.lit(r:int(0, 2)))
    end
    if r:chance(0.3) then s.step = r:int(1, 3) end
    return s, 0, math.max(0, s.hi.hi - 1)
  end
  local lo, n = r:int(0, 3), r:int(1, 6)
  s.lo, s.hi, s.step = E.lit(lo), E.lit(lo + n), r:int(1, 4)
  if r:chance(0.3) then
    s.lo, s.hi, s.step, s.kind = E.lit(lo + n - 1), E.lit(lo - 1), -r:int(1, 3), "serial"
  end
  return s, lo, lo + n - 1
end

-- A loop of one iteration that a condition ends.
local function inner_while(G, out, t, depth)
  local r, v, n = G.r, G:name "w", G.r:int(1, 4)
  local counter = E.var(v, 0, n)
  out[#out + 1] = {k = "var", name = v, t = "int32", e = E.lit(0)}
  local s = {k = "while", c = {k = "cmp", op = "<", t = "bool", a = counter, b = E.lit(n)}, body = {}}
  if r:chance(0.4) then s.c = {k = "and", t = "bool", a = s.c, b = E.condition(G, 1)} end
  local vars = #G.vars
  G:push {name = v, t = "int32", lo = 0, hi = n}
  body(G, s.body, t, 1, depth + 1)
  s.body[#s.body + 1] = {k = "set", name = v, t = "int32", e = E.bin("+", counter, E.lit(1)), compound = r:chance(0.5) or nil}
  for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  out[#out + 1] = s
end

local function statement(G, out, t, depth)
  local r = G.r
  if r:chance(G.profile.cell) then return cell(G, out) end
  if r:chance(G.profile.fetch) then return fetch(G, out, t) end
  if r:chance(G.profile.facts) then
    if r:chance(0.2) then notes.say(G, out) else notes.assume(G, out) end
  end
  local what = r:int(1, 20)
  if what <= 3 and depth < 2 then
    local s = {k = "if", arms = {}}
    for i = 1, r:of {1, 2, 2, 3} do
      local arm = {body = {}}
      if i == 1 or r:chance(0.4) then arm.c = E.condition(G, 1) end
      G:maybe(false, function() body(G, arm.body, t, 1, depth + 1) end)
      s.arms[i] = arm
      if not arm.c then break end
    end
    out[#out + 1] = s
  elseif what <= 6 and depth < 2 and t.buf.init and r:chance(G.profile.inner) then
    if r:chance(G.profile.steps * 0.3) then return inner_while(G, out, t, depth) end
    local v = G:name "q"
    local s, lo, hi = inner_loop(G, v)
    local vars = #G.vars
    G:push {name = v, t = "int32", lo = lo, hi = hi, element = true}
    body(G, s.body, t, 1, depth + 1)
    leave(G, s.body, 0, s)
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
    out[#out + 1] = s
  elseif what == 7 then
    local kind = r:of {"int32", "int32", "float32"}
    local e = E.gen(G, kind, 2)
    if e.k == "lit" then return store(G, out, t) end
    local name = G:name "e"
    out[#out + 1] = {k = "let", name = name, e = e}
    G:push {name = name, t = kind, lo = e.lo, hi = e.hi}
    store(G, out, t)
  else
    store(G, out, t)
  end
end

function body(G, out, t, n, depth)
  local vars = #G.vars
  for _ = 1, n do statement(G, out, t, depth) end
  if depth > 0 then
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  end
end

local function root(b) return b.root or b.name end

local function same(a, b)
  if #a ~= #b then return false end
  for d, n in ipairs(a) do if n ~= b[d] then return false end end
  return true
end

-- The turns of a vector, or of another loop, that write the targets.
local function vector_loop(G, vec, targets)
  local r, first = G.r, 0
  local s = {k = "loop", kind = r:chance(0.85) and "vectorized" or r:of {"serial", "unroll"}, var = vec.name, lo = E.lit(0),
             hi = E.lit(vec.n), body = {}, label = "next_" .. vec.name}
  local list, vars = s.body, #G.vars
  if vec.guard then
    list = {}
    s.body[1] = {k = "if", arms = {{c = vec.guard, body = list}}}
  end
  G:push {name = vec.name, t = "int32", lo = 0, hi = vec.n - 1, element = true}
  for _, t in ipairs(targets) do
    if not t.buf.init then
      store(G, list, t)
      first = first + 1
    end
  end
  for _ = 1, r:of {1, 1, 2, 3} do body(G, list, r:of(targets), 1, 0) end
  for i = #G.vars, vars + 2, -1 do G.vars[i] = nil end
  s.whole = first > 0 -- every turn has something to write
  leave(G, list, first, s)
  G.vars[vars + 1] = nil
  return s
end

-- Extents by the names of sizes that are the same; one that is known only when the kernel is called cannot run
-- over a fragment.
local function by_sizes(G, s)
  local p, r, fragments = G.program, G.r, false
  if G.in_macro or not r:chance(G.profile.sizes) then return end
  M.names(s.body, function(name)
    local b = p.bufs[name]
    fragments = fragments or b and b.scope == "fragment"
  end)
  for d, n in ipairs(s.extents) do
    for _, name in ipairs(p.dim_order) do
      if p.dims[name] == n and (p.dim_kind[name] == "const" or not fragments) then
        s.sizes = s.sizes or {}
        s.sizes[d] = name
      end
    end
  end
end

-- What stands in a T.Parallel whose elements are those of vectors.
local function vector_body(G, s, vec, targets, alone)
  local r, own = G.r, G.own
  local none = {}
  for name in pairs(own) do none[name] = {buf = "none"} end
  local before = #G.vars
  -- its own elements have no name out here
  G.own = none
  for _ = 1, r:of {0, 0, 1, 2} do cell(G, s.body) end
  G.own = own
  for _ = 1, r:of {1, 1, 1, 2} do s.body[#s.body + 1] = vector_loop(G, vec, targets) end
  G.own = none
  if not alone and r:chance(0.3) then
    -- what the iteration has found, one element each
    local idx = {}
    for d, name in ipairs(s.vars) do idx[d] = E.var(name, 0, s.extents[d] - 1) end
    local b = G:tile(r:of {"shared", "fragment"}, r:of(G.value_types), {table.unpack(s.extents)})
    local cells = {}
    for i = before + 1, #G.vars do cells[#cells + 1] = G.vars[i] end
    if #cells > 0 and r:chance(0.7) then
      local v = r:of(cells)
      s.body[#s.body + 1] = {k = "store", buf = b.name, idx = idx,
                             e = E.fit(G, E.var(v.name, v.lo, v.hi, v.t), b.dtype, b.lo, b.hi)}
      b.init = true
    else
      store(G, s.body, {buf = b, idx = idx})
    end
  end
  for i = #G.vars, before + 1, -1 do G.vars[i] = nil end
end

-- A T.Parallel that writes b, and other tiles beside it.
function M.par(G, out, b, alone)
  local r = G.r
  local vars, extents, idx, whole, vec = map(G, b, r:chance(G.profile.vector))
  local targets = {{buf = b, idx = idx}}
  G.own = {[root(b)] = {buf = b.name, idx = idx}}
  if not alone and r:chance(0.35) then
    local other
    for _ = 1, 4 do
      local o = r:of(G.tiles)
      if not o.held and not G.own[root(o)] and same(o.shape, b.shape) and (whole or o.init) then other = o end
    end
    if not other and r:chance(0.5) then
      other = G:tile(r:of {"shared", "fragment"}, r:of(G.value_types), {table.unpack(b.shape)})
      if not whole then other = nil end
    end
    if other and not (other.scope == "fragment" and G.profile.fragmap == 0 and idx[1].k ~= "var") then
      targets[2] = {buf = other, idx = idx}
      G.own[root(other)] = {buf = other.name, idx = idx}
    end
  end
  local n = #G.vars
  for d, v in ipairs(vars) do G:push {name = v, t = "int32", lo = 0, hi = extents[d] - 1, element = true} end
  local s = {k = "par", vars = vars, extents = extents, body = {}, label = "next_" .. vars[1]}
  G.par = true
  if vec then
    vector_body(G, s, vec, targets, alone)
  else
    for _, t in ipairs(targets) do
      if not t.buf.init then store(G, s.body, t) end
    end
    local first, before = #s.body, #G.vars
    for _ = 1, r:of {1, 1, 2, 3} do body(G, s.body, r:of(targets), 1, 0) end
    for i = #G.vars, before + 1, -1 do G.vars[i] = nil end -- names that may stand behind it
    leave(G, s.body, first, s)
  end
  notes.options(G, s)
  by_sizes(G, s)
  G.par, G.own = nil, nil
  for i = #G.vars, n + 1, -1 do G.vars[i] = nil end
  if #s.body == 0 then return end
  out[#out + 1] = s
end

-- Fills a tile whole.
function M.fill(G, out, b)
  M.par(G, out, b, true)
end

-- Sums of many iterations in few elements.
function M.atomic(G, out, b, op)
  local r = G.r
  local shape = r:of {{r:int(1, 40)}, {G.tile_shape[1], G.tile_shape[2]}, {G.tile_shape[2]}}
  local s = {k = "par", vars = {}, extents = shape, body = {}}
  local n = #G.vars
  local vec = r:chance(G.profile.vector) and {k = "loop", kind = "vectorized", var = G:name "u", lo = E.lit(0),
                                              hi = E.lit(r:of {2, 4, 4, 8, 3}), body = {}}
  for d, m in ipairs(shape) do
    s.vars[d] = G:name "i"
    G:push {name = s.vars[d], t = "int32", lo = 0, hi = m - 1, element = true}
  end
  if vec then G:push {name = vec.var, t = "int32", lo = 0, hi = vec.hi.v - 1, element = true} end
  G.par, G.own = true, {[b.name] = {buf = "none"}}
  local idx = {E.index(G, b.shape[1])}
  local e = E.cast(E.fit(G, E.gen(G, r:chance(0.5) and b.dtype or r:of(G.value_types), 2), b.dtype, b.lo, b.hi), b.dtype)
  local add = {k = "atomic", op = op, buf = b.name, idx = idx, e = e}
  if r:chance(0.3) then
    add = {k = "if", arms = {{c = E.condition(G, 1), body = {add}}}}
  end
  s.body[1] = add
  if vec then s.body[1], vec.body[1] = vec, add end
  G.par, G.own = nil, nil
  for i = #G.vars, n + 1, -1 do G.vars[i] = nil end
  out[#out + 1] = s
end

-- A thread's vectors: into an array of its own, perhaps, and into the target.
function M.thread_array(G, out, vec, t)
  local r, l = G.r, nil
  if r:chance(0.5) then
    l = G:buffer("local", r:of(G.value_types), {vec.n}, {per_thread = true})
    table.insert(G.head, {k = "alloc", buf = l.name})
    local v = E.var(vec.name, 0, vec.n - 1)
    local own = G.own
    G.own = {[l.name] = {buf = l.name, idx = {v}}, [t.buf.name] = {buf = "none"}}
    out[#out + 1] = vector_loop(G, vec, {{buf = l, idx = {v}}})
    G.own = own
    G.reading[#G.reading + 1] = l
  end
  for _ = 1, r:of {1, 1, 2} do out[#out + 1] = vector_loop(G, vec, {t}) end
  if l then table.remove(G.reading) end
end

-- Stores of single elements that all threads meet: they are done once.
function M.single(G, out, b)
  local r = G.r
  local idx, vec = {}, nil
  local wide = r:chance(0.8) and r:int(1, #b.shape)
  for d, n in ipairs(b.shape) do
    if d == wide then
      local w = math.min(n, r:of {1, 2, 3, 4, 4, 8, 16})
      vec = {name = G:name "u", n = w}
      local v, k = E.var(vec.name, 0, w - 1), E.index(G, n // w)
      idx[d] = r:chance(0.3) and E.add(v, E.lit(r:int(0, n - w))) or E.add(E.mul(k, w), v)
    else
      idx[d] = E.index(G, n, true)
    end
  end
  local vars = #G.vars
  G.own = {[root(b)] = {buf = b.name, idx = idx}}
  if vec then
    out[#out + 1] = vector_loop(G, vec, {{buf = b, idx = idx}})
  else
    store(G, out, {buf = b, idx = idx})
  end
  G.own = nil
  for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
end

-- Code of single threads: between two barriers each thread writes elements of its own.
function M.threads(G, out)
  local r, n = G.r, G.kernel.threads
  G.kernel.uses_tx = true
  local s = {k = "threads", phases = {}}
  local vars = #G.vars
  G:push {name = "tx", t = "int32", lo = 0, hi = n - 1, element = true}
  for p = 1, r:int(1, 3) do
    local m = r:of {n, n, n // 2, 16}
    local vec = r:chance(G.profile.vector) and {name = G:name "u", n = r:of {2, 4, 4, 8, 3}}
    local b = G:tile("shared", r:of(G.value_types), {m * (vec and vec.n or 1)})
    local tx = E.var("tx", 0, m - 1)
    local idx = {r:chance(0.6) and tx or r:chance(0.5) and E.bin("-", E.lit(m - 1), tx) or E.bin("~", tx, E.lit(r:int(1, m - 1)))}
    if vec then
      local v = E.var(vec.name, 0, vec.n - 1)
      idx[1] = r:chance(0.7) and E.add(E.mul(idx[1], vec.n), v) or E.add(E.mul(v, m), idx[1])
    end
    G.par, G.own = "threads", {[b.name] = {buf = b.name, idx = idx}}
    local phase = {}
    local guarded = m < n
    G.vars[vars + 1].hi = guarded and m - 1 or n - 1
    if vec then
      M.thread_array(G, phase, vec, {buf = b, idx = idx})
    else
      store(G, phase, {buf = b, idx = idx})
      for _ = 1, r:int(0, 2) do statement(G, phase, {buf = b, idx = idx}, 0) end
    end
    for i = #G.vars, vars + 2, -1 do G.vars[i] = nil end
    if guarded then
      phase = {{k = "if", arms = {{c = {k = "cmp", op = "<", t = "bool", a = E.var("tx", 0, n - 1), b = E.lit(m)}, body = phase}}}}
    end
    s.phases[p] = phase
  end
  G.par, G.own = nil, nil
  for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  out[#out + 1] = s
end

-- names ----------------------------------------------------------------------------------

local function in_expr(e, f)
  if e.name then f(e.name) end
  if e.buf then f(e.buf) end
  if e.a then in_expr(e.a, f) end
  if e.b then in_expr(e.b, f) end
  if e.c then in_expr(e.c, f) end
  for _, i in ipairs(e.idx or {}) do in_expr(i, f) end
  for _, i in ipairs(e.from or {}) do in_expr(i, f) end
end
M.in_expr = in_expr

local function in_region(r, f)
  f(r.buf)
  for _, e in pairs(r.from or {}) do in_expr(e, f) end
end

-- f(name, declared) for each name that statements use or declare, in order.
function M.names(list, f)
  for _, s in ipairs(list) do
    if type(s.buf) == "string" then f(s.buf, s.k == "alloc" or s.k == "view") end
    for _, e in ipairs(s.idx or {}) do in_expr(e, f) end
    if s.e then in_expr(s.e, f) end
    if s.lo then in_expr(s.lo, f) end
    if s.hi then in_expr(s.hi, f) end
    if type(s.c) == "table" then in_expr(s.c, f) end
    if s.k == "reduce" or s.k == "scan" or s.k == "transpose" then f(s.src) f(s.dst) end
    if s.k == "copy" or s.k == "sum" then in_region(s.src, f) end
    if s.k == "copy" or s.k == "sum" or s.k == "fill" then in_region(s.dst, f) end
    if s.k == "gemm" then f(s.a) f(s.b) f(s.c) end
    if s.k == "macro" then for _, a in ipairs(s.args) do f(a) end end
    if s.k == "let" or s.k == "var" or s.k == "fetch" then f(s.name, true) end
    if s.k == "set" then f(s.name) end
    if s.k == "loop" then f(s.var, true) end
    for _, v in ipairs(s.vars or {}) do f(v, true) end
    for _, a in ipairs(s.arms or {}) do
      if a.c then in_expr(a.c, f) end
      M.names(a.body, f)
    end
    if s.body and s.k ~= "macro" then M.names(s.body, f) end
    for _, p in ipairs(s.phases or {}) do M.names(p, f) end
  end
end

return M
