-- around.lua: programs whose loop stands around their roles, which mbarriers keep in step; most are right, some have one
-- to three mistakes.  A statement is a table: what it is, and
--
--     loop what body          what: how (serial, pipelined), stages, var (j, k, m), lo, hi: texts or numbers
--     branch cond body        `role` number body: of the block's statements only
--     mix tile slot c         the whole block: every element = (element + i + c) % 1009
--     write tile slot a b     every element i of the role: tile[slot, (i * a + b) % size] = ..; `half`: the first half
--     read tile slot a b      every element i: acc = .. tile[slot, (i * a + b) % size]; `look`: through a view
--     load tile slot g        T.copy from row g of the input; `bulk` tile slot g bar at: T.tma_copy
--     store tile slot g       T.copy to row g of the result; `send`: T.tma_copy
--     arrive bar at           every thread, at mbarrier bar[at]; `one` body: only the role's first thread
--     wait bar at parity      `flip`: the role's variable ph changes between 0 and 1
--     sync id count           barrier of a number; `tell`: arrives and goes on
--     matrix tile slot seq way bar  a matrix of float16 by T.copy, T.tma_copy or T.Parallel; `product` tile slot: T.gemm
--
-- Slots, conditions and parities are texts over j, k, m, ph, n that Lua and the kernel read alike.
local M = {mod = 1009, rows = 24}

-- Parities of the turn x, and of the one behind it.
local function even(r, x)
  return r:of {("(%s) %% 2"):format(x), ("(%s) & 1"):format(x), ("(%s) %% 2"):format(x)}
end
local function odd(r, x)
  return r:of {("(%s + 1) %% 2"):format(x), ("((%s) ~ 1) & 1"):format(x), ("1 - (%s) %% 2"):format(x),
    ("(%s) %% 2 ~ 1"):format(x), ("(%s + 1) & 1"):format(x)}
end

-- A place among d and a turn, of the step `seq`.
local function place(seq, d)
  if d == 1 then return "0", seq end
  return ("(%s) %% %d"):format(seq, d), ("(%s) // %d"):format(seq, d)
end

local function threads(p, ...)
  local n = 0
  for _, c in ipairs {...} do n = n + p.sizes[c] end
  return n
end

local function tile(r, p, name, slots)
  local t = {name, slots, flat = slots == 1 and r:chance(0.6), far = r:chance(0.12)}
  p.tiles[#p.tiles + 1] = t
  return t
end

local function bar(p, name, slots, count) p.bars[#p.bars + 1] = {name, slots, count} end

-- What fills a place of a tile, what takes from it.  seq names the row.
local function fill(r, p, t, at, seq, full)
  local x = r:int(1, 12)
  local g = ("(%s) %% %d"):format(seq, M.rows)
  if x <= 2 and not t.far then return {"load", t[1], at, g} end
  if x <= 4 and p.bulk and not t.far and full then return {"bulk", t[1], at, g, full, at} end
  if x == 5 then return {"half", t[1], at, 1, 0} end
  return {"write", t[1], at, r:of {1, 1, 3}, r:of {0, 0, 5}}
end
local function take(r, p, t, at, seq)
  local x = r:int(1, 12)
  local g = ("(%s) %% %d"):format(seq, M.rows)
  if x == 1 and not t.far then return {"store", t[1], at, g} end
  if x == 2 and p.bulk and not t.far then return {"send", t[1], at, g} end
  if x == 3 and not t.far then return {"look", t[1], at, 1, 0} end
  return {"read", t[1], at, r:of {1, 5}, r:of {0, 7}}
end

-- A kind declares what it needs and returns, for each role, what one step `seq` is; `first`: what comes before all.
local kinds = {}

local function ring(r, p, consumers, tiles)
  local d = r:of {1, 1, 1, 2, 3}
  local all, full = {}, {}
  for c = 1, consumers do all[c] = c + 1 end
  for i = 1, tiles do
    p.tiles[i] = nil
    tile(r, p, "s" .. i, d)
  end
  local apart = tiles > 1 and r:chance(0.4)
  for i = 1, apart and tiles or 1 do
    full[i] = "full" .. i
    bar(p, full[i], d, threads(p, 1))
  end
  bar(p, "empty", d, threads(p, table.unpack(all)))
  local early, vars = r:chance(0.15), d == 1 and r:chance(0.2)
  local steps = {}
  steps[1] = function(seq)
    local at, turn = place(seq, d)
    local s = {{"wait", "empty", at, vars and (early and "ph" or "ph ~ 1") or early and even(r, turn) or odd(r, turn)}}
    for i = 1, tiles do
      s[#s + 1] = fill(r, p, p.tiles[i], at, seq, full[apart and i or 1])
      if apart or i == tiles then s[#s + 1] = {"arrive", full[apart and i or 1], at} end
    end
    if vars then s[#s + 1] = {"flip"} end
    return s
  end
  for c = 2, consumers + 1 do
    steps[c] = function(seq)
      local at, turn = place(seq, d)
      local s = {}
      for i = 1, tiles do
        if apart or i == 1 then s[#s + 1] = {"wait", full[i], at, vars and "ph" or even(r, turn)} end
        s[#s + 1] = take(r, p, p.tiles[i], at, seq)
      end
      s[#s + 1] = {"arrive", "empty", at}
      if vars then s[#s + 1] = {"flip"} end
      return s
    end
  end
  p.first = function(c)
    local s = {}
    if early and c > 1 then
      for i = 0, d - 1 do s[#s + 1] = {"arrive", "empty", tostring(i)} end
    end
    return s
  end
  return steps
end
function kinds.ring(r, p) return ring(r, p, 1, 1) end
function kinds.pair(r, p) return ring(r, p, 1, 2) end
function kinds.fan(r, p) return ring(r, p, #p.sizes - 1, r:int(1, 2)) end

-- Two that answer each other; what one of them reads may be what it wrote.
function kinds.ping(r, p)
  local s, u = tile(r, p, "s", 1), tile(r, p, "u", 1)
  bar(p, "a", 1, threads(p, 1))
  bar(p, "b", 1, threads(p, 2))
  local again = r:chance(0.3)
  return {
    function(seq)
      return {fill(r, p, s, "0", seq, "a"), {"arrive", "a", "0"}, {"wait", "b", "0", even(r, seq)}, take(r, p, u, "0", seq)}
    end,
    function(seq)
      local list = {{"wait", "a", "0", even(r, seq)}, take(r, p, s, "0", seq), {"write", "u", "0", 1, 0}, {"arrive", "b", "0"}}
      if again then table.insert(list, 3, {"read", "u", "0", 1, 1}) end
      return list
    end,
  }
end

-- Each hands on what it got.
function kinds.chain(r, p)
  local last, d, names = #p.sizes, r:of {1, 1, 2}, {}
  for c = 1, last - 1 do
    names[c] = tile(r, p, "s" .. c, d)
    bar(p, "f" .. c, d, threads(p, c))
    bar(p, "e" .. c, d, threads(p, c + 1))
  end
  local steps = {}
  for c = 1, last do
    steps[c] = function(seq)
      local at, turn = place(seq, d)
      local s = {}
      if c > 1 then
        s = {{"wait", "f" .. c - 1, at, even(r, turn)}, take(r, p, names[c - 1], at, seq), {"arrive", "e" .. c - 1, at}}
      end
      if c < last then
        table.move({{"wait", "e" .. c, at, odd(r, turn)}, fill(r, p, names[c], at, seq, "f" .. c), {"arrive", "f" .. c, at}},
          1, 3, #s + 1, s)
      end
      return s
    end
  end
  return steps
end

-- Two fill halves, the others read both; the mbarriers count two roles.
function kinds.halves(r, p)
  local s = tile(r, p, "s", 2)
  bar(p, "d", 1, threads(p, 1, 2))
  bar(p, "e", 1, threads(p, 3))
  local steps = {}
  for c = 1, 2 do
    steps[c] = function(seq)
      return {{"wait", "e", "0", odd(r, seq)}, fill(r, p, s, tostring(c - 1), seq), {"arrive", "d", "0"}}
    end
  end
  steps[3] = function(seq)
    return {{"wait", "d", "0", even(r, seq)}, take(r, p, s, "0", seq), take(r, p, s, "1", seq), {"arrive", "e", "0"}}
  end
  return steps
end

-- One tile that two change in turns.
function kinds.turns(r, p)
  local s = tile(r, p, "s", 1)
  bar(p, "a", 1, threads(p, 1))
  bar(p, "b", 1, threads(p, 2))
  local function mine() return r:of {{"read", "s", "0", 1, 3}, {"write", "s", "0", 1, 0}, {"half", "s", "0", 1, 0}, {"read", "s", "0", 5, 0}} end
  return {
    function(seq) return {{"wait", "b", "0", odd(r, seq)}, mine(), mine(), {"arrive", "a", "0"}} end,
    function(seq) return {{"wait", "a", "0", even(r, seq)}, mine(), fill(r, p, s, "0", seq), {"arrive", "b", "0"}} end,
  }
end

-- mbarriers one way, a numbered barrier the other way.
function kinds.named(r, p)
  local s, two = tile(r, p, "s", 1), threads(p, 1, 2)
  bar(p, "a", 1, threads(p, 1))
  return {
    function(seq) return {fill(r, p, s, "0", seq, "a"), {"arrive", "a", "0"}, {"sync", 1, two}} end,
    function(seq) return {{"wait", "a", "0", even(r, seq)}, take(r, p, s, "0", seq), {r:of {"sync", "sync", "tell"}, 1, two}} end,
  }
end

-- A ring of matrices, and products with them.
function kinds.product(r, p)
  local d = r:of {1, 1, 2, 3}
  p.matrix = true
  p.tiles[1] = {"P", d, flat = d == 1, matrix = true}
  bar(p, "full", d, threads(p, 1))
  bar(p, "empty", d, threads(p, 2))
  local way = r:of {"copy", "store", "store", p.bulk and "bulk" or "copy"}
  return {
    function(seq)
      local at, turn = place(seq, d)
      return {{"wait", "empty", at, odd(r, turn)}, {"matrix", "P", at, seq, way, "full"}, {"arrive", "full", at}}
    end,
    function(seq)
      local at, turn = place(seq, d)
      return {{"wait", "full", at, even(r, turn)}, {"product", "P", at}, {"arrive", "empty", at}}
    end,
  }
end

-- Anything.
function kinds.soup(r, p)
  local s, u = tile(r, p, "s", r:of {1, 2}), tile(r, p, "u", 1)
  bar(p, "a", r:of {1, 2}, threads(p, 1))
  bar(p, "b", 1, threads(p, 2))
  local function one(seq)
    local x, t = r:int(1, 10), r:of {s, u}
    local at = t[2] == 2 and r:of {"0", "1", ("(%s) %% 2"):format(seq)} or "0"
    if x < 4 then return fill(r, p, t, at, seq) end
    if x < 7 then return take(r, p, t, at, seq) end
    local b = r:of(p.bars)
    local where, turn = place(seq, b[2])
    return x < 9 and {"arrive", b[1], where} or {"wait", b[1], where, even(r, turn)}
  end
  local steps = {}
  for c = 1, #p.sizes do
    steps[c] = function(seq)
      local list = {}
      for i = 1, r:int(1, 3) do list[i] = one(seq) end
      return list
    end
  end
  return steps
end

local order = {"ring", "ring", "ring", "pair", "fan", "ping", "chain", "halves", "turns", "named", "product", "soup"}
local crowd = {fan = {2, 4}, chain = {3, 4}, halves = {3, 3}, soup = {2, 3}}

-- The steps of all roles, in some order of the text; a role may come in two pieces.
local function body(r, p, steps, seq)
  local list = {}
  for c = 1, #p.sizes do
    if steps[c] then
      local step = steps[c](seq)
      if r:chance(0.1) and not p.pipelined then step = {{"loop", {var = "m", lo = 0, hi = 1, how = "serial"}, step}} end
      if r:chance(0.1) and #step > 1 then
        local cut = r:int(1, #step - 1)
        table.insert(list, r:int(1, #list + 1), {"role", c, table.move(step, 1, cut, 1, {})})
        list[#list + 1] = {"role", c, table.move(step, cut + 1, #step, 1, {})}
      else
        table.insert(list, r:int(1, #list + 1), {"role", c, step})
      end
    end
  end
  if r:chance(0.06) and not p.matrix then
    local t = r:of(p.tiles)
    table.insert(list, r:int(1, #list + 1), {"mix", t[1], "0", r:int(1, 9)})
  end
  return list
end

-- A loop with its step as a text; `done`: how many steps come before it.
local function head(r, p, trips, done)
  local lo = r:of {0, 0, 0, 0, 1, 2}
  local how = r:of {"serial", "pipelined", "pipelined"}
  local l = {var = "k", lo = lo, hi = lo + trips, how = how, stages = r:of {0, 1, 2, 2, 2, 3, 4}}
  if p.dynamic then l.hi = lo == 0 and "n" or ("n + %d"):format(lo) end
  local seq = lo == 0 and "k" or ("k - %d"):format(lo)
  if done ~= "0" then seq = seq .. " + " .. done end
  return l, seq
end

local function assemble(r, p, steps)
  local trips, list = p.trips, {}
  local n = p.dynamic and "n" or tostring(trips)
  local x = r:int(1, 10)
  if x <= 7 then
    local l, seq = head(r, p, trips, "0")
    list = {{"loop", l, body(r, p, steps, seq)}}
  elseif x == 8 then
    local l, seq = head(r, p, trips, "0")
    local l2, seq2 = head(r, p, trips, n)
    list = {{"loop", l, body(r, p, steps, seq)}, {"loop", l2, body(r, p, steps, seq2)}}
  else
    local l, seq = head(r, p, trips, "j * " .. n)
    list = {{"loop", {var = "j", lo = 0, hi = r:int(1, 3), how = "serial"}, {{"loop", l, body(r, p, steps, seq)}}}}
  end
  if p.first then
    for c = 1, #p.sizes do
      local first = p.first(c)
      if #first > 0 then table.insert(list, 1, {"role", c, first}) end
    end
  end
  return list
end

-- A list of statements of a role, and the role; inner ones of loops too.  Do they know k?
local function some_list(r, list, role, looped)
  local deeper = {}
  for _, s in ipairs(list) do
    if s[1] == "role" or s[1] == "loop" or s[1] == "branch" then deeper[#deeper + 1] = s end
  end
  if #deeper == 0 or role and r:chance(0.3) then return list, role, looped end
  local s = r:of(deeper)
  return some_list(r, s[3], s[1] == "role" and s[2] or role, looped or s[1] == "loop" and s[2].var == "k")
end

local mistakes = {}
function mistakes.drop(_, list, i) if list[i][1] ~= "loop" then table.remove(list, i) end end
function mistakes.swap(_, list, i) if list[i + 1] then list[i], list[i + 1] = list[i + 1], list[i] end end
function mistakes.parity(r, list, i)
  local s = list[i]
  if s[1] == "wait" then
    list[i] = {"wait", s[2], s[3], r:of {"(" .. s[4] .. " + 1) % 2", "k", "0", "1", "k % 2", "k & 1", "(k ~ 1) & 1", "k // 2 % 2", "ph"}}
  end
end
function mistakes.slot(r, list, i, p)
  local s = list[i]
  local depth = s[2] and M.depth(p, s[2])
  if depth then
    list[i] = table.move(s, 1, #s, 1, {})
    list[i][3] = r:of {"0", "(k + 1) % " .. depth, "k // 2 % " .. depth}
  end
end
function mistakes.sometimes(r, list, i)
  if list[i][1] ~= "loop" then list[i] = {"branch", r:of {"k % 2 == 0", "k > 0", "k < 2", "k < n"}, {list[i]}} end
end
function mistakes.move(r, list, i) table.insert(list, r:int(1, #list), table.remove(list, i)) end
function mistakes.extra(r, list, i, p)
  table.insert(list, i, {r:of {"write", "half", "read"}, r:of(p.tiles)[1], "0", 1, r:of {0, 64}})
end
function mistakes.twice(_, list, i) if list[i][1] == "arrive" then table.insert(list, i, list[i]) end end
function mistakes.one(_, list, i)
  if list[i][1] == "arrive" or list[i][1] == "wait" then list[i] = {"one", nil, {list[i]}} end
end
function mistakes.count(r, _, _, p)
  local b = r:of(p.bars)
  b[3] = r:of {b[3] * 2, b[3] // 2, p.sizes[1], 1}
end
function mistakes.behind(r, _, _, p, role)
  p.body[#p.body + 1] = {"role", role, {{r:of {"write", "read"}, r:of(p.tiles)[1], "0", 1, 0}}}
end
function mistakes.before(r, _, _, p, role)
  table.insert(p.body, 1, {"role", role, {{r:of {"write", "read"}, r:of(p.tiles)[1], "0", 1, 0}}})
end
function mistakes.drain(r, _, _, p, role)
  local b = r:of(p.bars)
  p.body[#p.body + 1] = {"role", role, {{r:of {"wait", "arrive"}, b[1], "0", r:of {"0", "1"}}}}
end
local slips = {"drop", "drop", "swap", "parity", "parity", "slot", "sometimes", "move", "extra", "twice", "one", "count", "behind",
  "before", "drain"}
local of_k, of_tile = {parity = true, slot = true, sometimes = true}, {extra = true, behind = true, before = true, slot = true}

function M.depth(p, name)
  for _, t in ipairs(p.tiles) do
    if t[1] == name then return t[2] end
  end
end

-- `bulk`: the machine has TMA.
function M.make(r, bulk)
  local p = {tiles = {}, bars = {}, sizes = {}, trips = r:of {1, 2, 3, 4, 5, 7}, bulk = bulk, dynamic = r:chance(0.3)}
  p.kind = r:of(order)
  local few = crowd[p.kind] or {2, 2}
  p.ranges = r:chance(0.5)
  for c = 1, r:int(few[1], few[2]) do p.sizes[c] = p.ranges and p.kind ~= "product" and r:of {128, 128, 64, 32, 256} or 128 end
  p.size, p.tiled, p.keep = r:of {128, 256}, {}, r:chance(0.25)
  for c, n in ipairs(p.sizes) do
    p.tiled[c] = r:chance(0.4)
    if n > p.size then p.sizes[c] = p.size end
  end
  p.body = assemble(r, p, kinds[p.kind](r, p))
  for _ = 1, r:of {0, 0, 0, 1, 1, 2, 3} do
    local list, role, looped = some_list(r, p.body)
    local slip = r:of(slips)
    if #list > 0 and role and (looped or not of_k[slip]) and not (p.matrix and of_tile[slip]) then
      mistakes[slip](r, list, r:int(1, #list), p, role)
    end
  end
  return p
end

return M
