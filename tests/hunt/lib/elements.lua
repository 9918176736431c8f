-- elements.lua: random statements for single elements: T.Parallel, and code of single threads.
--
-- Each iteration writes elements of its own: a loop's indices go into the target's by a map that is one to
-- one, and what the loop writes it reads only at that very place.
local types = require "hunt.types"
local E = require "hunt.expr"
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

-- A one to one map from loop variables to elements of b.
local function map(G, b)
  local r = G.r
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
    if odd and m and r:chance(0.15) then
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
  return vars, extents, idx, whole
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

-- A condition under which an iteration ends here, as a statement of `list` behind its first `from`
-- statements: at its own level, or inside of a branch that there is.
local function leave(G, list, from, s)
  if not G.r:chance(G.profile.next) then return end
  local at = G.r:int(from + 1, #list + 1)
  local jump = {k = "next", label = s.label}
  if s.k == "loop" and G.r:chance(0.4) then jump = {k = "break"} end
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

local function statement(G, out, t, depth)
  local r = G.r
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
    local v, n = G:name "q", r:int(1, 6)
    local s = {k = "loop", kind = r:of {"serial", "serial", "unroll"}, var = v, lo = E.lit(0), hi = E.lit(n), body = {},
               label = "next_" .. v}
    local vars = #G.vars
    G:push {name = v, t = "int32", lo = 0, hi = n - 1, element = true}
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

-- A T.Parallel that writes b, and other tiles beside it.
function M.par(G, out, b, alone)
  local r = G.r
  local vars, extents, idx, whole = map(G, b)
  local targets = {{buf = b, idx = idx}}
  G.own = {[root(b)] = {buf = b.name, idx = idx}}
  if not alone and r:chance(0.35) then
    local other
    for _ = 1, 4 do
      local o = r:of(G.tiles)
      if not G.own[root(o)] and same(o.shape, b.shape) and (whole or o.init) then other = o end
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
  for _, t in ipairs(targets) do
    if not t.buf.init then store(G, s.body, t) end
  end
  local first, before = #s.body, #G.vars
  for _ = 1, r:of {1, 1, 2, 3} do body(G, s.body, r:of(targets), 1, 0) end
  for i = #G.vars, before + 1, -1 do G.vars[i] = nil end -- names that may stand behind it
  leave(G, s.body, first, s)
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
  for d, m in ipairs(shape) do
    s.vars[d] = G:name "i"
    G:push {name = s.vars[d], t = "int32", lo = 0, hi = m - 1, element = true}
  end
  G.par, G.own = true, {[b.name] = {buf = "none"}}
  local idx = {E.index(G, b.shape[1])}
  local e = E.cast(E.fit(G, E.gen(G, r:chance(0.5) and b.dtype or r:of(G.value_types), 2), b.dtype, b.lo, b.hi), b.dtype)
  local add = {k = "atomic", op = op, buf = b.name, idx = idx, e = e}
  if r:chance(0.3) then
    add = {k = "if", arms = {{c = E.condition(G, 1), body = {add}}}}
  end
  s.body[1] = add
  G.par, G.own = nil, nil
  for i = #G.vars, n + 1, -1 do G.vars[i] = nil end
  out[#out + 1] = s
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
    local b = G:tile("shared", r:of(G.value_types), {m})
    local tx = E.var("tx", 0, m - 1)
    local idx = {r:chance(0.6) and tx or r:chance(0.5) and E.bin("-", E.lit(m - 1), tx) or E.bin("~", tx, E.lit(r:int(1, m - 1)))}
    G.par, G.own = "threads", {[b.name] = {buf = b.name, idx = idx}}
    local phase = {}
    local guarded = m < n
    G.vars[vars + 1].hi = guarded and m - 1 or n - 1
    store(G, phase, {buf = b, idx = idx})
    for _ = 1, r:int(0, 2) do statement(G, phase, {buf = b, idx = idx}, 0) end
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
    if s.k == "copy" then in_region(s.src, f) end
    if s.k == "copy" or s.k == "fill" then in_region(s.dst, f) end
    if s.k == "gemm" then f(s.a) f(s.b) f(s.c) end
    if s.k == "macro" then for _, a in ipairs(s.args) do f(a) end end
    if s.k == "let" or s.k == "var" then f(s.name, true) end
    if s.k == "set" then f(s.name) end
    if s.k == "loop" then f(s.var, true) end
    for _, v in ipairs(s.k == "par" and s.vars or {}) do f(v, true) end
    for _, a in ipairs(s.arms or {}) do
      if a.c then in_expr(a.c, f) end
      M.names(a.body, f)
    end
    if s.body and s.k ~= "macro" then M.names(s.body, f) end
    for _, p in ipairs(s.phases or {}) do M.names(p, f) end
  end
end

return M
