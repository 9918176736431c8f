-- Random chains of nests between fragments: dst[f(i, j)] = a[g(i, j)] with
-- divisions, remainders, sums, reversals, transpositions, constants and selects,
-- loops around and inside, several sources, reductions in between.  What a chain
-- gives is computed here as well, by plain loops.
local function generator(seed)
  local state = seed * 2654435761 % 4294967296
  local function below(n)
    state = (state * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (state >> 20) % n
  end
  local function pick(list) return list[below(#list) + 1] end

  -- Expressions: text that is read by the kernel and by plain Lua ----------

  local index
  local function leaf(vars) return pick(vars) end

  -- An index below n of the variables {name, size}.
  function index(vars, n, depth)
    if #vars == 0 or below(12) == 0 then return tostring(below(n)) end
    local v, w = leaf(vars), leaf(vars)
    local form = below(13)
    if form < 4 and v[2] <= n then return v[1] end
    if form == 4 and v[2] <= n then return ("%d - %s"):format(n - 1, v[1]) end
    if form == 5 then return ("%s // %d"):format(v[1], (v[2] + n - 1) // n + below(2)) end
    if form == 6 then return ("%s %% %d"):format(v[1], 1 + below(n)) end
    if form == 7 and v ~= w then
      local all = v[2] * w[2]
      local e = ("(%s * %d + %s)"):format(v[1], w[2], w[1])
      if all <= n then return e end
      return below(2) == 0 and e .. " % " .. n or ("%s // %d"):format(e, (all + n - 1) // n)
    end
    if form == 8 and v[2] < n then
      local c = (n - 1) // (v[2] - 1 > 0 and v[2] - 1 or 1)
      c = 1 + below(c)
      local room = n - (v[2] - 1) * c
      return ("%s * %d + %d"):format(v[1], c, room > 0 and below(room) or 0)
    end
    if form == 9 then return ("T.min(%s + %d, %d)"):format(v[1], below(4), n - 1) end
    if form == 10 then return ("(%s + %s) %% %d"):format(v[1], w[1], n) end
    if form == 11 and depth > 0 then
      return ("T.if_then_else(%s < %d, %s, %s)"):format(v[1], below(v[2] + 1),
        index(vars, n, depth - 1), index(vars, n, depth - 1))
    end
    return v[2] <= n and v[1] or ("%s %% %d"):format(v[1], n)
  end

  -- Where the iterations of a domain write, no two of them the same element:
  -- indices and the shape that they need.
  local function places(vars)
    local idx, shape = {}, {}
    local function put(e, n)
      idx[#idx + 1], shape[#shape + 1] = e, n
    end
    local order = {table.unpack(vars)}
    for i = #order, 2, -1 do
      local k = below(4) == 0 and below(i) + 1 or i
      order[i], order[k] = order[k], order[i]
    end
    local form = below(8)
    if form == 0 and #order > 1 then
      local last, prev = table.remove(order), table.remove(order)
      for _, v in ipairs(order) do put(v[1], v[2]) end
      put(("%s * %d + %s"):format(prev[1], last[2], last[1]), prev[2] * last[2])
    elseif form == 1 and #order < 3 and order[#order][2] % 2 == 0 then
      local last = table.remove(order)
      for _, v in ipairs(order) do put(v[1], v[2]) end
      local c = last[2] % 4 == 0 and below(2) == 0 and 4 or 2
      if below(2) == 0 then
        put(("%s // %d"):format(last[1], c), last[2] // c)
        put(("%s %% %d"):format(last[1], c), c)
      else
        put(("%s %% %d"):format(last[1], c), c)
        put(("%s // %d"):format(last[1], c), last[2] // c)
      end
    else
      for _, v in ipairs(order) do
        local how = below(12)
        if how == 0 then put(("%d - %s"):format(v[2] - 1, v[1]), v[2])
        elseif how == 1 then put(v[1] .. " + 3", v[2] + 3 + below(3))
        elseif how == 2 then put(v[1] .. " * 2", v[2] * 2)
        else put(v[1], v[2]) end
      end
      if #idx < 3 and below(8) == 0 then put("1", 2) end
    end
    return idx, shape
  end

  -- Programs ---------------------------------------------------------------

  local sizes = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 33, 48, 64, 128}
  local function domain(rank)
    local vars, all = {}, 1
    for i, name in ipairs{"i", "j", "k"} do
      if i > rank then break end
      local n = pick(sizes)
      while all * n > 2048 do n = pick(sizes) end
      all = all * n
      vars[i] = {name, n}
    end
    return vars
  end

  local dtype = pick{"float32", "float32", "int32", "float16", "int8"}
  local threads = pick{32, 64, 128, 128, 256}
  local out, bufs, run = {}, {}, {}
  local indent = "    "
  local function line(...) out[#out + 1] = indent .. string.format(...) end

  local plain = {min = math.min, max = math.max,
    if_then_else = function(c, a, b) if c then return a end return b end}
  local function closure(text)
    return assert(load("local T = ... return function(i, j, k, q) return " .. text .. " end"))(plain)
  end
  local function offset(buf, idx)
    local e = "0"
    for d, x in ipairs(idx) do e = ("(%s) * %d + (%s)"):format(e, buf.shape[d], x) end
    return closure(e)
  end
  local function total(shape)
    local n = 1
    for _, s in ipairs(shape) do n = n * s end
    return n
  end
  local function declare(shape)
    local b = {name = "f" .. #bufs, shape = shape, size = total(shape), data = {}}
    bufs[#bufs + 1] = b
    line("local %s = T.alloc_fragment({%s}, \"%s\")", b.name, table.concat(shape, ", "), dtype)
    return b
  end
  local function fill(b, v)
    line("T.fill(%s, %d)", b.name, v)
    run[#run + 1] = function() for x = 0, b.size - 1 do b.data[x] = v end end
  end
  local function each(vars, f, q)
    local function go(d, at)
      if d > #vars then return f(at[1], at[2], at[3], q) end
      for x = 0, vars[d][2] - 1 do at[d] = x; go(d + 1, at) end
    end
    go(1, {})
  end
  local function load_of(vars)
    local src = below(2) == 0 and bufs[#bufs] or pick(bufs)
    local idx = {}
    for d, n in ipairs(src.shape) do idx[d] = index(vars, n, 1) end
    local at = offset(src, idx)
    return ("%s[%s]"):format(src.name, table.concat(idx, ", ")),
      function(...) return src.data[at(...)] end
  end
  local function value(vars)
    local form = below(6)
    local a, fa = load_of(vars)
    if form < 3 then return a, fa end
    local b, fb = load_of(vars)
    if form == 3 then return ("T.max(%s, %s)"):format(a, b), function(...) return math.max(fa(...), fb(...)) end end
    if form == 4 then
      return ("T.min(%s, %s)"):format(a, b), function(...) return math.min(fa(...), fb(...)) end
    end
    local v = pick(vars)
    local c = below(v[2] + 1)
    local cond = closure(("%s < %d"):format(v[1], c))
    return ("T.if_then_else(%s < %d, %s, %s)"):format(v[1], c, a, b),
      function(...) if cond(...) then return fa(...) end return fb(...) end
  end
  local function heads(vars)
    local names, extents = {}, {}
    for i, v in ipairs(vars) do names[i], extents[i] = v[1], v[2] end
    return ("for %s in T.Parallel(%s) do"):format(table.concat(names, ", "), table.concat(extents, ", "))
  end

  local function nest()
    local vars = domain(1 + below(3))
    local idx, shape = places(vars)
    local loop = below(6) -- 0: a loop inside, 1: around, 2: around that chooses where
    local turns = 1 + below(6)
    local inner = loop == 0 and {table.unpack(vars)} or vars
    if loop <= 2 then inner = {table.unpack(vars)}; inner[#inner + 1] = {"q", turns} end
    local chosen = loop == 2 and #idx < 3
    if chosen then
      local at = 1 + below(#idx + 1)
      table.insert(idx, at, "q")
      table.insert(shape, at, turns)
    end
    local sources = {table.unpack(bufs)}
    local v, f = value(inner)
    if loop == 1 and below(2) == 0 then v, f = load_of(inner) end
    local dst = declare(shape)
    fill(dst, below(5))
    local at = offset(dst, idx)
    local target = ("%s[%s]"):format(dst.name, table.concat(idx, ", "))
    local guard, test
    if below(5) == 0 then
      local g = pick(vars)
      guard = ("%s %s %d"):format(g[1], pick{"<", ">="}, below(g[2] + 1))
      test = closure(guard)
    end
    local q = loop <= 2 and ("for q in T.serial(%d) do"):format(turns) or nil
    if q and loop > 0 then line("%s", q) end
    line("%s", heads(vars))
    if guard then line("if %s then", guard) end
    if loop == 0 then line("%s", q) end
    if loop <= 1 then v = ("T.max(%s, %s)"):format(target, v) end
    line("%s = %s", target, v)
    if loop == 0 then line("end") end
    if guard then line("end") end
    line("end")
    if q and loop > 0 then line("end") end
    run[#run + 1] = function()
      for x = 0, q and turns - 1 or 0 do
        each(vars, function(...)
          if test and not test(...) then return end
          local a, y = at(...), f(...)
          dst.data[a] = loop <= 1 and math.max(dst.data[a], y) or y
        end, x)
      end
    end
  end

  local function reduction()
    local src = pick(bufs)
    if #src.shape == 1 and src.shape[1] == 1 then return nest() end
    local dim = below(#src.shape)
    local shape, before, after = {}, 1, 1
    for d, n in ipairs(src.shape) do
      if d - 1 ~= dim then shape[#shape + 1] = n end
      if d - 1 < dim then before = before * n elseif d - 1 > dim then after = after * n end
    end
    if #shape == 0 then shape = {1} end
    local n, dst = src.shape[dim + 1], declare(shape)
    line("T.reduce_max(%s, %s, {dim = %d})", src.name, dst.name, dim)
    run[#run + 1] = function()
      for x = 0, before - 1 do for z = 0, after - 1 do
        local m = src.data[x * n * after + z]
        for y = 1, n - 1 do m = math.max(m, src.data[(x * n + y) * after + z]) end
        dst.data[x * after + z] = m
      end end
    end
  end

  local shape = {}
  for i, v in ipairs(domain(1 + below(3))) do shape[i] = v[2] end
  out[#out + 1] = "return tl.jit(function(A)"
  indent = "  "
  line("A: T.Tensor({%s}, \"%s\")", table.concat(shape, ", "), dtype)
  local decl = #out + 1
  line("")
  line("for _ in T.Kernel(1, {threads = %d}) do", threads)
  indent = "    "
  local input = {}
  for x = 0, total(shape) - 1 do input[x] = below(100) - 50 end
  local first = declare(shape)
  line("T.copy(A, %s)", first.name)
  run[1] = function() for x = 0, first.size - 1 do first.data[x] = input[x] end end
  for _ = 1, 2 + below(3) do
    if below(5) == 0 then reduction() else nest() end
  end
  local last = bufs[#bufs]
  line("T.copy(%s, C)", last.name)
  line("end")
  line("return C")
  out[#out + 1] = "end)"
  out[decl] = ("  local C = T.empty({%s}, \"%s\")"):format(table.concat(last.shape, ", "), dtype)
  return {
    text = table.concat(out, "\n"), dtype = dtype, shape = shape, input = input,
    want = function()
      for _, f in ipairs(run) do f() end
      return last.data, last.size
    end,
  }
end
return generator
