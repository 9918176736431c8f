-- lib/owned.lua: the programs of hunt/owned.lua: steps of all threads of one block on arrays, a barrier behind each.
--
-- A step is {lines, run(X, tx)}: X.get(array, at), X.put, X.add note the access; X.v[tx] is a variable of the thread.
local M = {}

-- Places of an array of n elements, for thread tx: a text, and f(X, tx).  In the first list no two threads share one.
local function place(r, w, apart)
  local n = w.n
  local k = r:int(1, apart and 5 or 8)
  if k == 1 then return "tx", function(_, tx) return tx end end
  if k == 2 then return ("%d - tx"):format(n - 1), function(_, tx) return n - 1 - tx end end
  if k == 3 then
    local c = r:of {1, 32, 37, 64}
    return ("(tx + %d) %% %d"):format(c, n), function(_, tx) return (tx + c) % n end
  end
  if k <= 5 then
    local p = "P" .. r:int(1, 2)
    return p .. "[tx]", function(X, tx) return X.data[p][tx + 1] end
  end
  if k == 6 then return "tx // 2", function(_, tx) return tx // 2 end end
  if k == 7 then return "Q[tx]", function(X, tx) return X.data.Q[tx + 1] end end
  return ("(v * 7 + tx) %% %d"):format(n), function(X, tx) return (X.v[tx] * 7 + tx) % n end
end

local kinds = {}

function kinds.scatter(r, w)
  local a, at, f = r:of(w.arrays), place(r, w, true)
  local c = r:int(1, 9)
  return {("%s[%s] = v + %d"):format(a, at, c)}, function(X, tx) X.put(a, f(X, tx), X.v[tx] + c, tx) end
end

function kinds.gather(r, w)
  local a, at, f = r:of(w.arrays), place(r, w)
  return {("v = (v * 3 + %s[%s]) %% 1000"):format(a, at)}, function(X, tx) X.v[tx] = (X.v[tx] * 3 + X.get(a, f(X, tx), tx)) % 1000 end
end

function kinds.some(r, w)
  local a, at, f = r:of(w.arrays), place(r, w, true)
  local m = r:int(2, 5)
  if r:chance(0.5) then
    return {("if v %% %d == 0 then %s[%s] = v end"):format(m, a, at)}, function(X, tx)
      if X.v[tx] % m == 0 then X.put(a, f(X, tx), X.v[tx], tx) end
    end
  end
  return {("if P1[tx] %% %d == 0 then v = %s[%s] %% 500 end"):format(m, a, at)}, function(X, tx)
    if X.data.P1[tx + 1] % m == 0 then X.v[tx] = X.get(a, f(X, tx), tx) % 500 end
  end
end

function kinds.atomic(r, w)
  local a, at, f = r:of(w.arrays), place(r, w)
  return {("T.atomic_add(%s[%s], v %% 8)"):format(a, at)}, function(X, tx) X.add(a, f(X, tx), X.v[tx] % 8, tx) end
end

-- Threads get numbers in some order and write there what does not depend on it.
function kinds.append(r, w, id)
  local a, c, m = r:of(w.arrays), r:int(1, 99), r:int(2, 4)
  w.counters = w.counters + 1
  local n = w.counters - 1
  return {
    ("if v %% %d == 0 then"):format(m), ("  local at%d = T.atomic_add(N[%d], 1, {return_prev = true})"):format(id, n),
    ("  %s[at%d %% %d] = %d"):format(a, id, w.n, c), "end",
  }, function(X, tx)
    if X.v[tx] % m ~= 0 then return end
    local at = X.get("N", n, tx, "atomic")
    X.add("N", n, 1, tx)
    X.put(a, at % w.n, c, tx, "guess")
  end
end

local order = {"scatter", "scatter", "gather", "gather", "some", "atomic", "append"}

local function step(r, w)
  w.id = w.id + 1
  local kind = r:of(order)
  if kind == "append" and w.counters >= 8 then kind = "gather" end
  local lines, run = kinds[kind](r, w, w.id)
  w.barriers = w.barriers + 1
  return {lines = lines, run = run, barrier = w.barriers, kind = kind}
end

local function list(r, w, depth)
  local out = {}
  for k = 1, r:int(2, depth > 0 and 5 or 3) do
    if depth > 0 and r:chance(0.25) then
      local body = list(r, w, depth - 1)
      local many = r:of {"2", "3", "C[0]", "C[1]"}
      local plain = true
      for _, s in ipairs(body) do plain = plain and s.kind ~= "append" end
      if plain then
        out[k] = {loop = body, many = many, var = "r" .. w.id}
      else
        out[k] = step(r, w)
        for _, s in ipairs(body) do out[#out + 1] = s end
        return out
      end
    else
      out[k] = step(r, w)
    end
  end
  return out
end

function M.program(r)
  local w = {barriers = 0, id = 0, counters = 0}
  w.n = r:of {64, 128, 128, 256}
  w.arrays = r:of {{"S"}, {"S", "R"}, {"S", "G"}, {"G"}, {"S", "S", "S", "G"}}
  w.shared = {}
  w.names = {"C", "G", "N0", "O", "P1", "P2", "Q"}
  w.data = {C = {r:int(0, 3), r:int(1, 4)}, G = {}, N0 = {0}, O = {}, P1 = {}, P2 = {}, Q = {}}
  for k = 1, w.n do
    w.data.G[k], w.data.O[k], w.data.P1[k], w.data.P2[k], w.data.Q[k] = r:int(0, 99), 0, k - 1, k - 1, r:int(0, w.n - 1)
  end
  for _, p in ipairs {"P1", "P2"} do
    if r:chance(0.75) then r:shuffle(w.data[p]) end
  end
  w.steps = list(r, w, 1)
  return w
end

-- The program without barrier `drop`; "all": without any.
function M.text(w, drop)
  local out = {"return T.prim_func(function(C, G, N0, O, P1, P2, Q)", "  C: T.Tensor({2}, 'int32')", "  N0: T.Tensor({1}, 'int32')"}
  for _, name in ipairs {"G", "O", "P1", "P2", "Q"} do out[#out + 1] = ("  %s: T.Tensor({%d}, 'int32')"):format(name, w.n) end
  out[#out + 1] = ("  for _ in T.Kernel(1, {threads = %d}) do"):format(w.n)
  for _, a in ipairs {"S", "R"} do out[#out + 1] = ("    local %s = T.alloc_shared({%d}, 'int32')"):format(a, w.n) end
  out[#out + 1] = "    local N = T.alloc_shared({8}, 'int32')"
  out[#out + 1] = "    local tx = T.get_thread_binding()"
  out[#out + 1] = "    local v = T.alloc_var('int32')"
  out[#out + 1] = "    v = Q[tx]"
  out[#out + 1] = "    S[tx] = tx"
  out[#out + 1] = "    R[tx] = 2 * tx"
  out[#out + 1] = "    if tx < 8 then N[tx] = 0 end"
  out[#out + 1] = drop ~= "all" and "    T.sync_threads()" or ""
  local function put(steps, indent)
    for _, s in ipairs(steps) do
      if s.loop then
        out[#out + 1] = ("%sfor %s in T.serial(%s) do"):format(indent, s.var, s.many)
        put(s.loop, indent .. "  ")
        out[#out + 1] = indent .. "end"
      else
        for _, l in ipairs(s.lines) do out[#out + 1] = indent .. l end
        if drop ~= "all" and drop ~= s.barrier then out[#out + 1] = indent .. "T.sync_threads()" end
      end
    end
  end
  put(w.steps, "    ")
  out[#out + 1] = "    O[tx] = v + S[tx] * 1000 + R[tx]"
  out[#out + 1] = "  end\nend)"
  return table.concat(out, "\n")
end

-- -> what the tensors are, and without barrier `drop` an element that warps fight for, or threads of one.
function M.run(w, drop)
  local X = {v = {}, data = {}}
  for name, x in pairs(w.data) do X.data[name] = {table.unpack(x)} end
  X.data.S, X.data.R, X.data.N = {}, {}, {0, 0, 0, 0, 0, 0, 0, 0}
  for tx = 0, w.n - 1 do X.v[tx], X.data.S[tx + 1], X.data.R[tx + 1] = w.data.Q[tx + 1], tx, 2 * tx end
  local seen, fight, beside = {}, nil, nil -- since the last barrier; of warps, of any two threads

  local function note(a, at, tx, how)
    local key = a .. "[" .. at .. "]"
    local all = seen[key]
    if not all then
      all = {}
      seen[key] = all
    end
    for _, e in ipairs(all) do
      if e.tx ~= tx and (e.how ~= "read" or how ~= "read") and not (e.how == "atomic" and how == "atomic") then
        beside = key
        if e.tx // 64 ~= tx // 64 then fight = fight or key end
      end
    end
    if #all < 512 then all[#all + 1] = {tx = tx, how = how} end
  end
  function X.get(a, at, tx, how)
    note(a, at, tx, how or "read")
    return X.data[a][at + 1]
  end
  function X.put(a, at, value, tx, how) -- a guess: in another order of threads it is another element
    note(a, at, tx, "write")
    if how == "guess" then beside = beside or a end
    X.data[a][at + 1] = value
  end
  function X.add(a, at, value, tx)
    note(a, at, tx, "atomic")
    X.data[a][at + 1] = X.data[a][at + 1] + value
  end

  local function go(steps)
    for _, s in ipairs(steps) do
      if s.loop then
        local many = math.tointeger(tonumber(s.many)) or w.data.C[tonumber(s.many:match "%d+") + 1]
        for _ = 1, many do go(s.loop) end
      else
        for tx = 0, w.n - 1 do s.run(X, tx) end
        if drop ~= s.barrier then seen = {} end
      end
    end
  end
  go(w.steps)
  for tx = 0, w.n - 1 do
    X.data.O[tx + 1] = X.v[tx] + X.get("S", tx, tx) * 1000 + X.get("R", tx, tx)
  end
  return {G = X.data.G, O = X.data.O}, fight, beside
end

return M
