-- What differs between threads: generated programs over variables, private arrays, loops that are
-- left, roles, votes and values in shared memory, with tile operations among them, against an
-- interpreter that executes all threads step by step.  A program is right when the threads that
-- come to a tile operation stand side by side and have what it is given in common: then it has to
-- have the interpreter's result where it is taken.  A wrong one has to be refused, before it runs
-- or when it does.
--     SEEDS=4000 FIRST=1000 SHOW=1 REFUSED=1 TARGETS="sim -arch=c500" moontile vary_random.lua
local first, seeds = tonumber(os.getenv "FIRST") or 1, tonumber(os.getenv "SEEDS") or 60
local targets = {}
for t in (os.getenv "TARGETS" or "sim -arch=sm_80,sim -arch=sm_90a,sim -arch=c500,sim -arch=gfx942"):gmatch "[^,]+" do
  targets[#targets + 1] = t
end

-- What is refused because threads differ, or cannot wait for each other on some machine.
local may_refuse = {}
for code in ("E236 E237 E238 E239 E557 E759 E596 E775 E776 E777 E778"):gmatch "%S+" do may_refuse[code] = true end

local Rows, Cols, Mod = 4, 32, 61
local random = math.random
local function pick(t) return t[random(#t)] end

-- Expressions and statements are {text, value(m, t)} and {text, run(m, mask)}; mask is a list of
-- threads, m.v[name][t] their variables.
local function generator(seed)
  math.randomseed(seed)
  local Threads = pick {256, 256, 256, 128, 64, 32}
  local G, tiles, fresh = {threads = Threads}, 0, 0
  local loops = {}     -- names of variables of loops around
  local role           -- {lo, hi} around
  local even = false   -- expressions do not name the thread
  local function evenly(likely, f, ...)
    local outer = even
    even = random() < likely
    local e = f(...)
    even = outer
    return e
  end

  local function const(n) return {text = tostring(n), value = function() return n end} end

  -- A variable of a loop around: a number, or each thread's.
  local function at_loop(m, k, t)
    local n = m.v[k]
    return type(n) == "table" and n[t] or n
  end

  local expr, cond

  local function leaf()
    local kind = random(14)
    while even and kind >= 3 and kind <= 6 do kind = random(14) end
    if kind <= 2 then return const(random(0, 9)) end
    if kind == 3 then return {text = "tx", value = function(_, t) return t end} end
    if kind <= 6 then
      local by = pick {32, 64, 128}
      return {text = "tx // " .. by, value = function(_, t) return t // by end}
    end
    if kind <= 9 then
      local n = pick {"v", "w"}
      return {text = n, value = function(m, t) return m.v[n][t] end}
    end
    if kind == 10 then
      local i = random(0, 1)
      return {text = ("l[%d]"):format(i), value = function(m, t) return m.v["l" .. i][t] end}
    end
    if kind <= 12 and #loops > 0 then
      local k = pick(loops)
      if random(4) == 1 then
        return {text = ("l[%s %% 2]"):format(k), value = function(m, t) return m.v["l" .. at_loop(m, k, t) % 2][t] end}
      end
      return {text = k, value = function(m, t) return at_loop(m, k, t) end}
    end
    if kind == 13 then
      local i = random(0, 7)
      return {text = ("h[%d]"):format(i), value = function(m) return m.h[i] end}
    end
    local i = not even and random(3) == 1 and {text = "tx", value = function(_, t) return t end} or const(random(0, 31))
    return {text = ("P[%s]"):format(i.text), value = function(m, t) return m.P[i.value(m, t)] end}
  end

  function expr(depth)
    if depth <= 0 or random(3) == 1 then return leaf() end
    local a = expr(depth - 1)
    local kind = random(7)
    if kind <= 2 then
      local b = expr(depth - 1)
      return {text = ("(%s + %s)"):format(a.text, b.text), value = function(m, t) return a.value(m, t) + b.value(m, t) end}
    elseif kind <= 4 then
      local n = pick {2, 4, 32, 64, 128}
      return {text = ("(%s) // %d"):format(a.text, n), value = function(m, t) return a.value(m, t) // n end}
    elseif kind == 5 then
      local n = pick {2, 3, 4}
      return {text = ("(%s) %% %d"):format(a.text, n), value = function(m, t) return a.value(m, t) % n end}
    elseif kind == 6 then
      local c, b = cond(0), expr(depth - 1)
      return {text = ("T.Select(%s, %s, %s)"):format(c.text, a.text, b.text),
        value = function(m, t) return c.value(m, t) and a.value(m, t) or b.value(m, t) end}
    end
    return {text = ("(%s) * %d"):format(a.text, random(0, 2)), value = a.value, kept = a} -- see below
  end
  local plain = expr
  function expr(depth)
    local e = plain(depth)
    if e.kept then
      local n, a = tonumber(e.text:match "%d+$"), e.kept
      e.value = function(m, t) return a.value(m, t) * n end
    end
    return e
  end

  function cond(depth)
    local kind = random(6)
    if kind == 1 and depth > 0 then
      local a, b = cond(depth - 1), cond(depth - 1)
      return {text = ("(%s and %s)"):format(a.text, b.text), value = function(m, t) return a.value(m, t) and b.value(m, t) end}
    end
    if kind == 2 and not even then
      local n = random(0, Threads // 32) * 32
      return {text = "tx < " .. n, value = function(_, t) return t < n end}
    end
    if kind == 3 then
      local a, n = expr(1), random(0, 4)
      return {text = ("%s == %d"):format(a.text, n), value = function(m, t) return a.value(m, t) == n end}
    end
    local a, b, op = expr(1), expr(1), pick {"==", "<", "~=", "=="}
    return {text = ("%s %s %s"):format(a.text, op, b.text), value = function(m, t)
      local x, y = a.value(m, t), b.value(m, t)
      if op == "==" then return x == y elseif op == "<" then return x < y end
      return x ~= y
    end}
  end

  -- A value that lanes of a warp, or all threads, find out together.
  local function together()
    local kind = random(role and 3 or 4)
    local c = cond(0)
    if kind <= 2 then
      local all = kind == 2
      return {text = ("T.%s_sync(%s)"):format(all and "all" or "any", c.text), warps = true,
        vote = function(m, list)
          local yes = all
          for _, t in ipairs(list) do
            if all then yes = yes and c.value(m, t) else yes = yes or c.value(m, t) end
          end
          return yes and 1 or 0
        end}
    end
    local e, lane = expr(1), random(0, 31)
    if kind == 3 then
      return {text = ("T.shfl_sync(%s, %d, 32)"):format(e.text, lane), warps = true, width = 32,
        vote = function(m, list) return e.value(m, list[lane + 1]) end}
    end
    return {text = ("T.syncthreads_count(%s)"):format(c.text), vote = function(m, list)
      local n = 0
      for _, t in ipairs(list) do n = n + (c.value(m, t) and 1 or 0) end
      return n
    end}
  end

  local block

  local function place()
    local n = pick {"v", "w", "v", "w", "l"}
    if n ~= "l" then return n, function(m, t, x) m.v[n][t] = x end end
    local i = random(0, 1)
    if #loops > 0 and random(3) == 1 then
      local k = loops[#loops]
      return ("l[%s %% 2]"):format(k), function(m, t, x) m.v["l" .. at_loop(m, k, t) % 2][t] = x end
    end
    return ("l[%d]"):format(i), function(m, t, x) m.v["l" .. i][t] = x end
  end

  local function assign()
    local name, set = place()
    local e = evenly(0.6, expr, 2)
    return ("%s = (%s) %% %d"):format(name, e.text, Mod), function(m, mask)
      local new = {}
      for i, t in ipairs(mask) do new[i] = e.value(m, t) % Mod end
      for i, t in ipairs(mask) do set(m, t, new[i]) end
    end
  end

  local function ask()
    local name, set = place()
    local e = together()
    return ("%s = %s"):format(name, e.text), function(m, mask)
      local groups = {mask}
      if e.warps then
        local of, width = {}, e.width or m.warp
        groups = {}
        for _, t in ipairs(mask) do
          local g = t // width
          if not of[g] then
            of[g] = {}
            groups[#groups + 1] = of[g]
          end
          of[g][#of[g] + 1] = t
        end
        for _, list in ipairs(groups) do -- parts of a warp are nobody's promise
          if #list ~= math.min(width, Threads) then m.open = true return end
        end
      elseif #mask ~= Threads then
        m.open = true
        return
      end
      for _, list in ipairs(groups) do
        local x = e.vote(m, list)
        for _, t in ipairs(list) do set(m, t, x) end
      end
    end
  end

  -- mine: slices of s that earlier operations of the same block write, which this one waits for
  local function tile(mine)
    local id = tiles
    local row = random(4) > 1 and const(random(0, 3)) or evenly(0.8, expr, 1)
    local val = evenly(0.8, expr, random(0, 2))
    if #mine > 0 and random(2) == 1 then
      id = pick(mine)
    else
      tiles = tiles + 1
      mine[#mine + 1] = id
    end
    fresh = fresh + 1
    local at, f = ("s[%d, (%s) %% %d, "):format(id, row.text, Rows), "f" .. fresh
    local text = ("local %s = T.alloc_fragment({%d}, T.int32)\nfor i in T.Parallel(%d) do %s[i] = %s%d - i] %% 7 + %s end\n")
      :format(f, Cols, Cols, f, at, Cols - 1, val.text) .. ("for i in T.Parallel(%d) do %si] += %s[i] end"):format(Cols, at, f)
    local parallel = random(3) > 1
    if not parallel then
      text = ("T.fill(s[%d, (%s) %% %d, :], %s)"):format(id, row.text, Rows, val.text)
    end
    return text, function(m, mask)
      if #mask == 0 then return end
      local r, x = row.value(m, mask[1]) % Rows, val.value(m, mask[1])
      local own = {} -- a fill whose place is the thread's: every thread does one
      for i, t in ipairs(mask) do
        local place, value = row.value(m, t) % Rows, val.value(m, t)
        m.wrong = m.wrong or t ~= mask[1] + i - 1 or (parallel and (place ~= r or value ~= x)) or
          (own[place] or value) ~= value
        own[place] = value
      end
      for place, value in pairs(own) do
        local at, new = (id * Rows + place) * Cols, {}
        for i = 0, Cols - 1 do
          new[i] = parallel and m.s[at + i] + m.s[at + Cols - 1 - i] % 7 + value or value
        end
        for i = 0, Cols - 1 do m.s[at + i] = new[i] end
      end
    end
  end

  local function branch(depth)
    local c = evenly(0.5, cond, 1)
    local A = block(depth + 1)
    local B = random(3) == 1 and block(depth + 1)
    return ("if %s then\n%s%send"):format(c.text, A.text, B and "else\n" .. B.text or ""), function(m, mask)
      local yes, no = {}, {}
      for _, t in ipairs(mask) do
        local list = c.value(m, t) and yes or no
        list[#list + 1] = t
      end
      if #yes > 0 then A.run(m, yes) end
      if B and #no > 0 then B.run(m, no) end
    end
  end

  local function without(mask, gone)
    local list = {}
    for _, t in ipairs(mask) do
      if not gone[t] then list[#list + 1] = t end
    end
    return list
  end

  local function loop(depth)
    fresh = fresh + 1
    local k, n = "k" .. fresh, random(1, 4)
    local data = random(4) == 1 and evenly(0.7, expr, 1)
    loops[#loops + 1] = k
    local body = block(depth + 1, true)
    loops[#loops] = nil
    local bound = data and ("(%s) %% 4"):format(data.text) or tostring(n)
    local kind = not data and pick {"serial", "unroll", "serial"} or "serial"
    if kind == "serial" and not data and not body.jumps and random(6) == 1 then kind = "Pipelined" end
    return ("for %s in T.%s(%s) do\n%send"):format(k, kind, bound, body.text), function(m, mask)
      local rounds = {}
      for _, t in ipairs(mask) do rounds[t] = data and data.value(m, t) % 4 or n end
      local left, outer = {}, m.left
      for round = 0, 3 do
        local here = {}
        for _, t in ipairs(mask) do
          if round < rounds[t] and not left[t] then here[#here + 1] = t end
        end
        if #here > 0 then
          m.v[k] = round
          m.left, m.next = left, {}
          body.run(m, here, true)
        end
      end
      m.left = outer
      m.next = nil
    end
  end

  -- A while loop over a variable of its own, which may begin with the thread's.
  local function again(depth)
    fresh = fresh + 1
    local u, n, init = "u" .. fresh, random(1, 3), evenly(0.8, expr, 1)
    local c = evenly(0.7, cond, 0)
    local function get(m, t) return m.v[u][t] end
    loops[#loops + 1] = u
    local body = block(depth + 1, true)
    loops[#loops] = nil
    return ("local %s = T.alloc_var(T.int32, (%s) %% 2)\nwhile %s < %d and (%s) do\n  %s = %s + 1\n%send")
      :format(u, init.text, u, n, c.text, u, u, body.text), function(m, mask)
      m.v[u] = {}
      for _, t in ipairs(mask) do m.v[u][t] = init.value(m, t) % 2 end
      local left, outer_left, done = {}, m.left, {}
      for _ = 1, n do
        local here = {}
        for _, t in ipairs(mask) do
          if not left[t] and not done[t] then
            if get(m, t) < n and c.value(m, t) then here[#here + 1] = t else done[t] = true end
          end
        end
        if #here > 0 then
          for _, t in ipairs(here) do m.v[u][t] = m.v[u][t] + 1 end
          m.left, m.next = left, {}
          body.run(m, here, true)
        end
      end
      m.left = outer_left
      m.next = nil
    end
  end

  local function leave()
    local c, out = evenly(0.6, cond, 0), random(2) == 1
    return ("if %s then %s end"):format(c.text, out and "break" or "goto continue"), function(m, mask)
      for _, t in ipairs(mask) do
        if c.value(m, t) then
          local list = out and m.left or m.next
          list[t] = true
        end
      end
    end
  end

  local function ws(depth)
    local g = random(0, Threads // 128 - 1)
    local outer = loops
    local lo, hi = g * 128, g * 128 + 128
    role = {lo, hi}
    local body = block(depth + 1)
    role = nil
    loops = outer
    return ("for _ in T.ws(%d) do\n%send"):format(g, body.text), function(m, mask)
      local list = {}
      for _, t in ipairs(mask) do
        if t >= lo and t < hi then list[#list + 1] = t end
      end
      if #list > 0 then body.run(m, list) end
    end
  end

  -- One thread's value for all of them.
  local function publish()
    local at, from, e = random(0, 7), random(0, Threads - 1), expr(1)
    return ("T.sync_threads()\nif tx == %d then h[%d] = %s end\nT.sync_threads()"):format(from, at, e.text),
      function(m, mask)
        if #mask ~= Threads then
          m.open = true
          return
        end
        m.h[at] = e.value(m, from)
      end
  end

  local function statement(depth, inside, mine)
    local kind = random(20)
    if kind <= 6 then return assign() end
    if kind == 7 or kind <= 9 and depth > 0 then return tile(mine) end
    if kind <= 13 and depth < 4 then return branch(depth) end
    if kind <= 15 and depth < 3 and random(4) == 1 then return again(depth) end
    if kind <= 15 and depth < 3 then return loop(depth) end
    if kind == 16 and inside then return leave() end
    if kind == 17 and depth < 3 and not role and Threads >= 128 then return ws(depth) end
    if kind == 18 and depth == 0 then return publish() end
    if kind == 19 then return ask() end
    return assign()
  end

  -- inside: directly of a loop
  function block(depth, inside)
    local list, text, jumps, mine = {}, "", false, {}
    for _ = 1, depth == 0 and random(2, 6) or random(1, 3) do
      local lines, run = statement(depth, inside, mine)
      jumps = jumps or lines:find "^if .- then break" or lines:find "then goto continue end$"
      list[#list + 1] = run
      text = text .. lines:gsub("[^\n]+", "  %0") .. "\n"
    end
    if text:find "goto continue end\n" and inside then text = text .. "  ::continue::\n" end
    return {text = text, jumps = jumps, run = function(m, mask, rounds)
      local left, next_ = m.left, m.next
      for _, f in ipairs(list) do
        if rounds then mask = without(without(mask, left), next_) end
        if #mask == 0 then break end
        m.left, m.next = left, next_
        f(m, mask)
      end
    end}
  end

  local body = block(0)
  if tiles == 0 then
    local lines, run = tile {}
    local before = body.run
    body.text = body.text .. "  " .. lines .. "\n"
    body.run = function(m, mask)
      before(m, mask)
      run(m, mask)
    end
  end
  G.tiles = tiles
  G.text = ([[
return tl.jit(function(P)
  P: T.Tensor({256}, T.int32)
  local O = T.empty({%d, %d, %d}, T.int32)
  for _ in T.Kernel(1, {threads = %d}) do
    local tx = T.get_thread_binding()
    local s, h = T.alloc_shared({%d, %d, %d}, T.int32), T.alloc_shared({8}, T.int32)
    local v, w, l = T.alloc_var(T.int32, 0), T.alloc_var(T.int32, 1), T.alloc_local({2}, T.int32)
    T.fill(s, 0)
    T.fill(h, 1)
    T.fill(l, 2)
]]):format(tiles, Rows, Cols, Threads, tiles, Rows, Cols)
  G.text = G.text .. body.text:gsub("[^\n]+", "  %0")
  G.text = G.text .. "    T.copy(s, O)\n  end\n  return O\nend)\n"
  G.want = function(P, warp)
    local m = {P = P, h = {}, v = {v = {}, w = {}, l0 = {}, l1 = {}}, s = {}, warp = warp}
    local mask = {}
    for t = 0, Threads - 1 do
      mask[t + 1] = t
      m.v.v[t], m.v.w[t], m.v.l0[t], m.v.l1[t] = 0, 1, 2, 2
    end
    for i = 0, 7 do m.h[i] = 1 end
    for i = 0, tiles * Rows * Cols - 1 do m.s[i] = 0 end
    body.run(m, mask)
    return m
  end
  return G
end

local wrong, count = 0, {right = 0, refused = 0, wrong = 0, late = 0}
for seed = first, first + seeds - 1 do
  local g = generator(seed)
  tl.manual_seed(seed)
  local x = tl.randint(0, 9, {256}, "int32")
  local P = {}
  for i = 0, 255 do P[i] = x:item(i) end
  local shown = false
  local function report(target, what)
    wrong = wrong + 1
    print(seed, target, what)
    if os.getenv "SHOW" and not shown then print(g.text) end
    shown = true
  end
  for _, target in ipairs(targets) do
    local wide = target:find "c500" or target:find "gfx942"
    local m = g.want(P, wide and 64 or 32)
    tl.set_target(target)
    local made, k = pcall(function() return assert(load(g.text, "=seed" .. seed))():compile() end)
    local code = not made and tostring(k):match "error%[(E%d+)%]"
    if not made and not may_refuse[code] then
      report(target, k)
    elseif not made and not m.wrong and not m.open then
      count.refused = count.refused + 1
      if os.getenv "REFUSED" then
        print(seed, target, (tostring(k):match "[^\n]*"))
        if os.getenv "SHOW" and not shown then print(g.text) end
        shown = true
      end
    elseif not made then
      count.wrong = count.wrong + 1
    else
      local ran, c = pcall(k, x)
      if not ran and not m.wrong and not m.open then
        report(target, c)
      elseif not ran then
        count.late = count.late + 1
        if not m.open and os.getenv "LATE" then report(target, c) end
      elseif m.wrong and not m.open then
        report(target, "a wrong program was taken")
      elseif not m.open then
        count.right = count.right + 1
        local want = {}
        for i = 0, g.tiles * Rows * Cols - 1 do want[i + 1] = m.s[i] end
        local same = tl.allclose(c:astype "float64", tl.from_table(want, "float64"):reshape {g.tiles, Rows, Cols}, 0, 0)
        if not same then report(target, "another result") end
      end
    end
  end
end
if os.getenv "SEEDS" then
  print(count.right, "right", count.refused, "right, refused", count.wrong, "wrong, refused", count.late, "wrong, when it ran")
end
print(wrong, "wrong")
