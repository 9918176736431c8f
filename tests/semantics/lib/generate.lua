-- generate.lua: random tile programs with an evaluator beside them.
--
--   local p = generate(seed)
--   p.text          a chunk that returns a tl.jit function f(A, B, BM, BN)
--   p.A, p.B        its inputs; p.BM, p.BN the block
--   p.want()        {C, R}: the outputs, by plain Lua loops over the same
--                   program, as functions of the indices
--
-- All values are small integers, which every type here holds exactly, so the
-- comparison is exact.  What a statement stores is clamped to its type's
-- `limit`; sums go to wide accumulators, which are clamped when they are read.
-- Every node carries its text and a closure that computes it.

-- type -> greatest integer that is stored, that an expression may reach
local limits = {
  float16 = {40, 2048}, bfloat16 = {40, 256}, float32 = {40, 2 ^ 24}, int32 = {40, 2 ^ 30},
  int8 = {40, 127}, int16 = {40, 32767}, float8_e4m3fn = {16, 16}, float64 = {40, 2 ^ 50},
}
local stored = {"float16", "bfloat16", "float32", "int32", "int8", "int16", "float8_e4m3fn",
  "float64"}
local wide = {"float32", "int32", "float64"}

local function generate(seed)
  -- a small generator of its own: the same programs with every Lua
  local state = seed * 2654435761 % 4294967296
  local function rnd(lo, hi)
    state = (state * 6364136223846793005 + 1442695040888963407)
    return lo + (state >> 33) % (hi - lo + 1)
  end
  local function pick(t) return t[rnd(1, #t)] end
  local function chance(n) return rnd(1, n) == 1 end

  local BM, BN = pick {1, 3, 4, 8, 16}, pick {1, 5, 8, 16, 32}
  local M, N = rnd(1, 3 * BM), rnd(1, 3 * BN)
  local dA, dB = pick(stored), pick(stored)
  local tiles, vecs, squares, nname = {}, {}, {}, 0
  local lines, indent = {}, "    "
  local loops = {} -- names of the serial variables in scope

  local function emit(...) lines[#lines + 1] = indent .. string.format(...) end
  local function fresh(p)
    nname = nname + 1
    return p .. nname
  end

  -- Expressions ------------------------------------------------------------------
  -- node: {text, f(env), dt (nil: a literal), bound}; env: {i, j, bx, by, k...}

  local function clampv(v, l) return math.max(-l, math.min(l, v)) end

  local function clamp(e, l)
    if e.bound <= l then return e end
    return {text = ("T.clamp(%s, %d, %d)"):format(e.text, -l, l), dt = e.dt, bound = l,
      f = function(env) return clampv(e.f(env), l) end}
  end

  local function cast(e, dt)
    return {text = ("T.cast(%s, %q)"):format(e.text, dt), dt = dt, bound = e.bound, f = e.f}
  end

  local function isint(dt) return dt:find "int" end
  local bits = {int8 = 8, int16 = 16, int32 = 32, float16 = 16, float32 = 32, float64 = 64}

  -- the type of a binary operation; nil where the types do not mix
  local function meet(p, q)
    if p == nil or q == nil or p == q then return p or q end
    local ip, iq = isint(p), isint(q)
    if (ip ~= nil) == (iq ~= nil) then
      if not bits[p] or not bits[q] then return nil end
      return bits[p] > bits[q] and p or q
    end
    return ip and q or p
  end

  local at -- the index texts of the loop: {i = "i", j = "j", rows, cols}

  local function literal()
    local v = rnd(-6, 6)
    return {text = v < 0 and ("(%d)"):format(v) or tostring(v), bound = 6,
      f = function() return v end}
  end

  local function index()
    local names = {"bx", "by"}
    if at then
      names[#names + 1] = "i"
      if at.j then names[#names + 1] = "j" end
    end
    table.move(loops, 1, #loops, #names + 1, names)
    local n = pick(names)
    return {text = n, dt = "int32", bound = 40, f = function(env) return env[n] end}
  end

  -- an element of a tile at the loop's place, or mirrored when it is not written
  local function element(t, written)
    local ti, tj, fi, fj = "i", "j", function(e) return e.i end, function(e) return e.j end
    if t ~= written and chance(4) then
      ti, fi = ("%d - i"):format(BM - 1), function(e) return BM - 1 - e.i end
    end
    if t ~= written and chance(4) then
      local s = rnd(1, BN)
      tj, fj = ("(j + %d) %% %d"):format(s, BN), function(e) return (e.j + s) % BN end
    end
    local e = {text = ("%s[%s, %s]"):format(t.name, ti, tj), dt = t.dt, bound = t.bound,
      f = function(env) return env.st[t.name][fi(env) * BN + fj(env)] end}
    return clamp(e, 40)
  end

  local function vector(v)
    local n = v.dim == 0 and "j" or "i"
    return clamp({text = ("%s[%s]"):format(v.name, n), dt = v.dt, bound = v.bound,
      f = function(env) return env.st[v.name][env[n]] end}, 40)
  end

  local inputs = {}
  local function load_input()
    local p = pick(inputs)
    local dr, dc = rnd(-2, 2), rnd(-2, 2)
    return {text = ("%s[by * %d + i + %d, bx * %d + j + %d]"):format(p.name, BM, dr, BN, dc),
      dt = p.dt, bound = p.bound,
      f = function(env) return p.get(env.by * BM + env.i + dr, env.bx * BN + env.j + dc) end}
  end

  local function ready(list)
    local r = {}
    for _, t in ipairs(list) do
      if t.init then r[#r + 1] = t end
    end
    return r
  end

  local function leaf(written)
    local k = rnd(1, 10)
    local ts, vs = ready(tiles), ready(vecs)
    if k <= 4 and #ts > 0 and at.j then
      return element(pick(ts), written)
    elseif k <= 6 and #vs > 0 then
      local v = pick(vs)
      if at.j or v.dim == 1 and at.rows == BM then return vector(v) end
    elseif k <= 8 and at.j then
      return load_input()
    elseif k == 9 then
      return index()
    end
    return literal()
  end

  local function compare()
    local a, b = index(), chance(2) and literal() or index()
    local op = pick {"<", "<=", ">", ">=", "==", "~="}
    local ops = {["<"] = function(p, q) return p < q end, ["<="] = function(p, q) return p <= q end,
      [">"] = function(p, q) return p > q end, [">="] = function(p, q) return p >= q end,
      ["=="] = function(p, q) return p == q end, ["~="] = function(p, q) return p ~= q end}
    local f = ops[op]
    local c = {text = ("%s %s %s"):format(a.text, op, b.text),
      f = function(env) return f(a.f(env), b.f(env)) end}
    if chance(3) then
      local m = rnd(2, 4)
      local x = index()
      local both = chance(2)
      local first = c
      c = {text = ("(%s) %s %s %% %d == 1"):format(first.text, both and "and" or "or", x.text, m),
        f = function(env)
          local s = x.f(env) % m == 1
          if both then return first.f(env) and s end
          return first.f(env) or s
        end}
    end
    if chance(5) then
      local inner = c
      c = {text = ("not (%s)"):format(inner.text), f = function(env) return not inner.f(env) end}
    end
    return c
  end

  local expr

  local function binary(depth, written)
    local a, b = expr(depth - 1, written), expr(depth - 1, written)
    if a.dt == nil and b.dt == nil then a = index() end
    local dt = meet(a.dt, b.dt)
    if not dt or dt == "float8_e4m3fn" then
      if a.dt then a = cast(a, "float32") end
      if b.dt then b = cast(b, "float32") end
      dt = "float32"
    end
    local top = limits[dt][2]
    local op = pick {"+", "-", "*", "max", "min", "+", "select", "mod", "div"}
    if (op == "mod" or op == "div") and not isint(dt) then op = "+" end
    if op == "+" or op == "-" then
      a, b = clamp(a, top // 2), clamp(b, top // 2)
      return {text = ("(%s %s %s)"):format(a.text, op, b.text), dt = dt, bound = a.bound + b.bound,
        f = op == "+" and function(env) return a.f(env) + b.f(env) end or
          function(env) return a.f(env) - b.f(env) end}
    elseif op == "*" then
      local half = math.floor(math.sqrt(top))
      a, b = clamp(a, half), clamp(b, half)
      return {text = ("(%s * %s)"):format(a.text, b.text), dt = dt, bound = a.bound * b.bound,
        f = function(env) return a.f(env) * b.f(env) end}
    elseif op == "max" or op == "min" then
      local f = math[op]
      return {text = ("T.%s(%s, %s)"):format(op, a.text, b.text), dt = dt,
        bound = math.max(a.bound, b.bound), f = function(env) return f(a.f(env), b.f(env)) end}
    elseif op == "select" then
      local c = compare()
      local form = pick {"T.if_then_else(%s, %s, %s)", "((%s) and %s or %s)", "T.Select(%s, %s, %s)"}
      return {text = form:format(c.text, a.text, b.text), dt = dt,
        bound = math.max(a.bound, b.bound),
        f = function(env) if c.f(env) then return a.f(env) end return b.f(env) end}
    elseif op == "mod" then
      local m = rnd(2, 9)
      return {text = ("(%s %% %d)"):format(a.text, m), dt = a.dt or dt, bound = m,
        f = function(env) return a.f(env) % m end}
    end
    local m = rnd(2, 9)
    return {text = ("(%s // %d)"):format(a.text, m), dt = a.dt or dt, bound = a.bound,
      f = function(env) return a.f(env) // m end}
  end

  function expr(depth, written)
    if depth == 0 or chance(4) then return leaf(written) end
    if chance(6) then
      local a = expr(depth - 1, written)
      if a.dt == "float8_e4m3fn" then a = cast(a, "float16") end
      if a.dt then
        return {text = ("T.abs(%s)"):format(a.text), dt = a.dt, bound = a.bound,
          f = function(env) return math.abs(a.f(env)) end}
      end
      return a
    elseif chance(8) then
      local a = expr(depth - 1, written)
      if a.dt then
        local dt = pick(wide)
        return cast(a, dt)
      end
      return a
    end
    return binary(depth, written)
  end

  -- a value for a store: integers, clamped
  local function value(t, depth)
    local e = expr(depth, t)
    local l = limits[t.dt][1]
    if e.dt == nil then return e end
    return clamp(e, l)
  end

  -- Statements -------------------------------------------------------------------
  -- each returns a function(env) that runs it for one block

  local function over(rows, cols, f)
    return function(env)
      local i0, j0 = env.i, env.j
      for i = 0, rows - 1 do
        for j = 0, cols - 1 do
          env.i, env.j = i, j
          f(env)
        end
      end
      env.i, env.j = i0, j0
    end
  end

  local function set(t, e, plus)
    return function(env)
      local st, p = env.st[t.name], env.i * BN + env.j
      st[p] = plus and st[p] + e.f(env) or e.f(env)
    end
  end

  local function new_tile(acc)
    local t = {name = fresh(acc and "acc" or "t"), dt = pick(acc and wide or stored), acc = acc}
    t.bound = acc and 1e6 or limits[t.dt][1]
    t.scope = pick {"shared", "fragment"}
    t.alloc = ("local %s = T.alloc_%s({%d, %d}, %q)"):format(t.name, t.scope, BM, BN, t.dt)
    return t
  end

  local statement

  local function element_loop(t)
    at = {j = true, rows = BM}
    emit("for i, j in T.Parallel(%d, %d) do", BM, BN)
    indent = indent .. "  "
    local body
    if t.acc and t.init and chance(2) then
      local e = clamp(expr(2, t), 200)
      emit("%s[i, j] += %s", t.name, e.text)
      body = set(t, e, true)
    elseif t.init and chance(4) then
      local c, e1, e2 = compare(), value(t, 2), value(t, 1)
      local other = chance(2)
      emit("if %s then", c.text)
      emit("  %s[i, j] = %s", t.name, e1.text)
      if other then
        emit("else")
        emit("  %s[i, j] = %s", t.name, e2.text)
      end
      emit("end")
      local s1, s2 = set(t, e1), set(t, e2)
      body = function(env)
        if c.f(env) then s1(env) elseif other then s2(env) end
      end
    else
      local e = value(t, 3)
      if chance(3) and e.dt then
        local n = fresh("x")
        emit("local %s = %s", n, e.text)
        emit("%s[i, j] = %s", t.name, n)
      else
        emit("%s[i, j] = %s", t.name, e.text)
      end
      body = set(t, e)
    end
    indent = indent:sub(3)
    emit("end")
    at = nil
    t.init = true
    return over(BM, BN, body)
  end

  local function copy_in(t)
    local p = pick(inputs)
    if p.bound > limits[t.dt][1] then return element_loop(t) end
    local dr, dc = rnd(-3, 3), rnd(-3, 3)
    local k = #loops > 0 and pick(loops) or nil
    local r = k and (" + %s"):format(k) or ""
    emit("T.copy(%s[by * %d + %d%s, bx * %d + %d], %s)", p.name, BM, dr, r, BN, dc, t.name)
    t.init = true
    return over(BM, BN, function(env)
      env.st[t.name][env.i * BN + env.j] =
        p.get(env.by * BM + dr + env.i + (k and env[k] or 0), env.bx * BN + dc + env.j)
    end)
  end

  local function copy_tile(t)
    local from = {}
    for _, s in ipairs(ready(tiles)) do
      if s ~= t and not s.acc and limits[s.dt][1] <= limits[t.dt][1] then from[#from + 1] = s end
    end
    if #from == 0 then return copy_in(t) end
    local s = pick(from)
    if t.init and chance(2) then -- a part of it
      local h, w = rnd(1, BM), rnd(1, BN)
      local r0, c0, r1, c1 = rnd(0, BM - h), rnd(0, BN - w), rnd(0, BM - h), rnd(0, BN - w)
      emit("T.copy(%s[%d:%d, %d:%d], %s[%d:%d, %d:%d])", s.name, r0, r0 + h, c0, c0 + w, t.name,
        r1, r1 + h, c1, c1 + w)
      return over(h, w, function(env)
        env.st[t.name][(r1 + env.i) * BN + c1 + env.j] =
          env.st[s.name][(r0 + env.i) * BN + c0 + env.j]
      end)
    end
    emit("T.copy(%s, %s)", s.name, t.name)
    t.init = true
    return over(BM, BN, function(env)
      local p = env.i * BN + env.j
      env.st[t.name][p] = env.st[s.name][p]
    end)
  end

  local function fill(t)
    local v = rnd(-9, 9)
    if t.init and chance(2) then
      local r, c = rnd(0, BM - 1), rnd(0, BN - 1)
      emit("T.fill(%s[%d:, :%d], %d)", t.name, r, c + 1, v)
      return over(BM, BN, function(env)
        if env.i >= r and env.j <= c then env.st[t.name][env.i * BN + env.j] = v end
      end)
    end
    emit("T.fill(%s, %d)", t.name, v)
    t.init = true
    return over(BM, BN, function(env) env.st[t.name][env.i * BN + env.j] = v end)
  end

  local kinds = {
    sum = {0, function(p, q) return p + q end},
    max = {-math.huge, math.max}, min = {math.huge, math.min},
    absmax = {0, function(p, q) return math.max(p, math.abs(q)) end},
  }

  local function small()
    local r = {}
    for _, t in ipairs(ready(tiles)) do
      if not t.acc and t.dt ~= "float8_e4m3fn" then r[#r + 1] = t end
    end
    return r
  end

  local function reduce()
    local from = small()
    if #from == 0 then return nil end
    local s, dim = pick(from), rnd(0, 1)
    local kind = pick {"sum", "max", "min", "absmax"}
    local v, again
    for _, o in ipairs(vecs) do
      if o.dim == dim and o.src == s.dt and chance(2) then v, again = o, true end
    end
    if not v then
      local dt = isint(s.dt) and "int32" or "float32"
      v = {name = fresh("v"), dim = dim, dt = dt, bound = 1e6, src = s.dt}
      v.alloc = ("local %s = T.alloc_fragment({%d}, %q)"):format(v.name, dim == 0 and BN or BM, dt)
      vecs[#vecs + 1] = v
    end
    local onto = again and v.init and chance(2)
    emit("T.reduce_%s(%s, %s, %d, %s)", kind, s.name, v.name, dim, onto and "false" or "true")
    v.init = true
    local first, f = kinds[kind][1], kinds[kind][2]
    return function(env)
      local st, from1 = env.st[v.name], env.st[s.name]
      for a = 0, (dim == 0 and BN or BM) - 1 do
        local r = onto and st[a] or first
        for b = 0, (dim == 0 and BM or BN) - 1 do
          r = f(r, from1[dim == 0 and b * BN + a or a * BN + b])
        end
        st[a] = r
      end
    end
  end

  local function scan(t)
    local from = small()
    if #from == 0 then return nil end
    local s, dim, back = pick(from), rnd(0, 1), chance(2)
    if s == t or not t.acc then return nil end
    emit("T.cumsum(%s, %s, {dim = %d, reverse = %s})", s.name, t.name, dim, tostring(back))
    t.init = true
    return function(env)
      local x, y = env.st[s.name], env.st[t.name]
      local rows, cols = dim == 0 and BN or BM, dim == 0 and BM or BN
      for a = 0, rows - 1 do
        local r = 0
        for b0 = 0, cols - 1 do
          local b = back and cols - 1 - b0 or b0
          local p = dim == 0 and b * BN + a or a * BN + b
          r = r + x[p]
          y[p] = r
        end
      end
    end
  end

  local function flat(t)
    local n = fresh("f")
    local c = rnd(1, 5)
    emit("local %s = T.reshape(%s, {%d})", n, t.name, BM * BN)
    emit("for i in T.Parallel(%d) do", BM * BN)
    emit("  %s[i] = (i * %d) %% 13 - 6", n, c)
    emit("end")
    t.init = true
    return function(env)
      for p = 0, BM * BN - 1 do env.st[t.name][p] = p * c % 13 - 6 end
    end
  end

  -- acc += s * w with a square tile w of its own, from an input
  local function gemm(t)
    local from = {}
    for _, s in ipairs(ready(tiles)) do
      local sums = s.dt == "int8" and "int32" or s.dt == "float64" and "float64" or "float32"
      if not s.acc and s.dt ~= "int32" and s.dt ~= "int16" and sums == t.dt then
        from[#from + 1] = s
      end
    end
    if #from == 0 or not t.init or t.scope ~= "fragment" then return nil end
    local s, p, trans, clear = pick(from), pick(inputs), chance(2), chance(3)
    local w = {name = fresh("w")}
    w.alloc = ("local %s = T.alloc_shared({%d, %d}, %q)"):format(w.name, BN, BN, s.dt)
    squares[#squares + 1] = w
    local dr, dc = rnd(-3, 3), rnd(-3, 3)
    emit("T.copy(%s[by * %d + %d, bx * %d + %d], %s)", p.name, BM, dr, BN, dc, w.name)
    emit("T.gemm(%s, %s, %s, {transpose_B = %s, clear_accum = %s})", s.name, w.name, t.name,
      tostring(trans), tostring(clear))
    return over(BM, BN, function(env)
      local place, x, sum = env.i * BN + env.j, env.st[s.name], 0
      for k = 0, BN - 1 do
        local r, c = trans and env.j or k, trans and k or env.j
        sum = sum + x[env.i * BN + k] * p.get(env.by * BM + dr + r, env.bx * BN + dc + c)
      end
      env.st[t.name][place] = (clear and 0 or env.st[t.name][place]) + sum
    end)
  end

  -- a sum in a T.alloc_var, inside of an element loop
  local function private_sum(t)
    at = {j = true, rows = BM}
    local v, k, n = fresh("s"), fresh("k"), rnd(1, 4)
    local dt = limits[t.dt][1] < 40 and "float32" or isint(t.dt) and "int32" or "float32"
    emit("for i, j in T.Parallel(%d, %d) do", BM, BN)
    emit("  local %s = T.alloc_var(%q, 1)", v, dt)
    emit("  for %s in T.serial(%d) do", k, n)
    loops[#loops + 1] = k
    local e = clamp(expr(2, t), 100)
    loops[#loops] = nil
    emit("    %s += %s", v, e.text)
    emit("  end")
    emit("  %s[i, j] = T.clamp(%s, %d, %d)", t.name, v, -limits[t.dt][1], limits[t.dt][1])
    emit("end")
    at = nil
    t.init = true
    return over(BM, BN, function(env)
      local r = 1
      for q = 0, n - 1 do
        env[k] = q
        r = r + e.f(env)
      end
      env.st[t.name][env.i * BN + env.j] = clampv(r, limits[t.dt][1])
    end)
  end

  local function sequence(n)
    local list = {}
    for _ = 1, n do list[#list + 1] = statement() end
    return function(env)
      for _, s in ipairs(list) do s(env) end
    end
  end

  local function loop()
    local k, n = fresh("k"), rnd(1, 3)
    local piped = #loops == 0 and chance(2)
    local first = piped and 0 or rnd(0, 2)
    if piped then
      emit("for %s in T.Pipelined(%d, {num_stages = %d}) do", k, n, rnd(0, 3))
    else
      emit("for %s in T.serial(%d, %d) do", k, first, first + n)
    end
    loops[#loops + 1] = k
    indent = indent .. "  "
    local body = sequence(rnd(1, 3))
    indent = indent:sub(3)
    loops[#loops] = nil
    emit("end")
    return function(env)
      for i = first, first + n - 1 do
        env[k] = i
        body(env)
      end
    end
  end

  local function branch()
    local c = compare()
    local saved = {}
    for _, list in ipairs {tiles, vecs} do
      for _, t in ipairs(list) do saved[t] = t.init or false end
    end
    emit("if %s then", c.text)
    indent = indent .. "  "
    local body = sequence(rnd(1, 2))
    indent = indent:sub(3)
    emit("end")
    for _, list in ipairs {tiles, vecs} do -- what only the branch has written does not count
      for _, t in ipairs(list) do t.init = saved[t] or false end
    end
    return function(env) if c.f(env) then body(env) end end
  end

  function statement()
    local t = (#tiles == 0 or #tiles < 5 and chance(3)) and new_tile(chance(3)) or pick(tiles)
    local r
    local k = rnd(1, 12)
    if k == 1 and #loops < 2 then return loop() end
    if k == 2 and #loops < 2 then return branch() end
    if k == 3 then r = reduce() end
    if r then return r end
    if not t.known then
      t.known = true
      tiles[#tiles + 1] = t
    end
    if k <= 4 then r = scan(t) elseif k <= 9 and t.acc then r = gemm(t) end
    if r then return r end
    if t.acc then return (t.init or chance(2)) and element_loop(t) or fill(t) end
    if k <= 6 then return copy_in(t) end
    if k <= 7 then return copy_tile(t) end
    if k == 8 then return fill(t) end
    if k == 10 then return private_sum(t) end
    if k == 9 and limits[t.dt][1] >= 40 then return flat(t) end
    return element_loop(t)
  end

  -- The program ----------------------------------------------------------------------

  tl.manual_seed(seed)
  local function make(name, dt)
    local l = 6
    local t = tl.randint(-l, l + 1, {M, N}, "int32")
    local p = {name = name, dt = dt, bound = l, tensor = t:to(dt)}
    local flatv = t:totable()
    function p.get(i, j)
      return i >= 0 and j >= 0 and i < M and j < N and flatv[i + 1][j + 1] or 0
    end
    return p
  end
  inputs[1], inputs[2] = make("A", dA), make("B", dB)

  local top = {}
  for _ = 1, rnd(3, 11) do top[#top + 1] = statement() end
  -- one tile and one vector go out
  local out = new_tile(false)
  tiles[#tiles + 1] = out
  top[#top + 1] = element_loop(out)
  local dC = pick(stored)
  while limits[dC][1] < limits[out.dt][1] do dC = pick(stored) end
  emit("T.copy(%s, C[by * %d, bx * %d])", out.name, BM, BN)
  local vs = {}
  for _, v in ipairs(vecs) do
    if v.init and v.dim == 1 then vs[#vs + 1] = v end
  end
  local rv = vs[#vs]
  if rv then
    emit("for i in T.Parallel(%d) do R[by * %d + i, bx] = %s[i] end", BM, BM, rv.name)
  end

  local head = {
    "return tl.jit(function(A, B, BM, BN)",
    ("  local M, N = T.%s \"M, N\""):format(chance(2) and "dynamic" or "const"),
    ("  A: T.Tensor({M, N}, %q)"):format(dA),
    ("  B: T.Tensor({M, N}, %q)"):format(dB),
    ("  local C = T.empty({M, N}, %q)"):format(dC),
  }
  if rv then head[#head + 1] = "  local R = T.empty({M, T.ceildiv(N, BN)}, \"float32\")" end
  head[#head + 1] = ("  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = %d}) do")
    :format(pick {32, 64, 128})
  for _, list in ipairs {tiles, vecs, squares} do
    for _, t in ipairs(list) do head[#head + 1] = "    " .. t.alloc end
  end
  local text = table.concat(head, "\n") .. "\n" .. table.concat(lines, "\n") ..
    "\n  end\n  return C" .. (rv and ", R" or "") .. "\nend)\n"

  local function want()
    local C, R = {}, {}
    for by = 0, (M + BM - 1) // BM - 1 do
      for bx = 0, (N + BN - 1) // BN - 1 do
        local env = {bx = bx, by = by, st = {}}
        for _, list in ipairs {tiles, vecs} do
          for _, t in ipairs(list) do env.st[t.name] = {} end
        end
        for _, s in ipairs(top) do s(env) end
        for i = 0, BM - 1 do
          for j = 0, BN - 1 do
            if by * BM + i < M and bx * BN + j < N then
              C[(by * BM + i) * N + bx * BN + j] = env.st[out.name][i * BN + j]
            end
          end
          if rv then R[(by * BM + i) * 1000 + bx] = env.st[rv.name][i] end
        end
      end
    end
    return function(i, j) return C[i * N + j] end, rv and function(i, j) return R[i * 1000 + j] end
  end

  return {text = text, A = inputs[1].tensor, B = inputs[2].tensor, BM = BM, BN = BN, want = want}
end

return generate
