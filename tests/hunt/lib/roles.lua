-- roles.lua: programs whose roles share tiles, ordered by mbarriers and named barriers; most are right, some
-- have one to three mistakes.  A statement is a table: what it is, and
--
--     write tile slot a b     every thread t of the role: tile[slot, (t * a + b) % 128] = ..
--     read tile slot a b      every thread: acc = .. tile[slot, (t * a + b) % 128]
--     arrive bar at           every thread, at mbarrier bar[at]
--     wait bar at parity
--     sync id count           barrier of a number; `tell`: arrives and goes on
--     loop n body             with the variable k; `branch` cond body
--
-- Slots, conditions and parities are texts over k that Lua and the kernel read alike.
local M = {threads = 128, mod = 1009}
local N = M.threads

local kinds = {}

-- A producer, a ring of `depth` slots, and consumers.
local function ring(r, p, consumers)
  local d, n = r:of {1, 2, 2, 3, 4}, p.rounds
  local at, turn = "k % " .. d, "k // " .. d
  p.tiles = {{"s", d}}
  p.bars = {{"full", d, N}, {"empty", d, N * consumers}}
  p.roles[1] = {{"loop", n, {{"wait", "empty", at, "(" .. turn .. " + 1) % 2"}, {"write", "s", at, 1, 0}, {"arrive", "full", at}}}}
  for c = 1, consumers do
    p.roles[c + 1] = {{"loop", n, {{"wait", "full", at, turn .. " % 2"}, {"read", "s", at, r:of {1, 5}, r:of {0, 7}},
      {"arrive", "empty", at}}}}
  end
end

function kinds.ring(r, p) ring(r, p, 1) end
function kinds.fan(r, p) ring(r, p, r:int(2, 3)) end

-- Two that answer each other.
function kinds.ping(_, p)
  p.tiles = {{"s", 1}, {"u", 1}}
  p.bars = {{"a", 1, N}, {"b", 1, N}}
  p.roles = {
    {{"loop", p.rounds, {{"write", "s", "0", 1, 3}, {"arrive", "a", "0"}, {"wait", "b", "0", "k % 2"}, {"read", "u", "0", 3, 0}}}},
    {{"loop", p.rounds, {{"wait", "a", "0", "k % 2"}, {"read", "s", "0", 5, 1}, {"write", "u", "0", 1, 0}, {"arrive", "b", "0"}}}},
  }
end

-- Each hands on what it got.
function kinds.chain(r, p)
  local d, last = r:int(1, 3), r:int(3, 4)
  local at, turn = "k % " .. d, "k // " .. d
  p.tiles, p.bars = {}, {}
  for c = 1, last do
    local body = {}
    if c > 1 then
      body = {{"wait", "f" .. c - 1, at, turn .. " % 2"}, {"read", "s" .. c - 1, at, 1, r:of {0, 9}}, {"arrive", "e" .. c - 1, at}}
    end
    if c < last then
      p.tiles[c] = {"s" .. c, d}
      table.move({{"f" .. c, d, N}, {"e" .. c, d, N}}, 1, 2, #p.bars + 1, p.bars)
      table.move({{"wait", "e" .. c, at, "(" .. turn .. " + 1) % 2"}, {"write", "s" .. c, at, 1, 0}, {"arrive", "f" .. c, at}},
        1, 3, #body + 1, body)
    end
    p.roles[c] = {{"loop", p.rounds, body}}
  end
end

-- Both meet at two numbered barriers; or one only tells the other.
function kinds.named(r, p)
  local n, two = p.rounds, 2 * N
  p.tiles, p.bars = {{"s", 1}, {"u", 1}}, {}
  if r:chance(0.5) then
    p.roles = {
      {{"loop", n, {{"write", "s", "0", 1, 0}, {"sync", 1, two}, {"read", "u", "0", 3, 0}, {"sync", 2, two}}}},
      {{"loop", n, {{"write", "u", "0", 1, 5}, {"sync", 1, two}, {"read", "s", "0", 5, 2}, {"sync", 2, two}}}},
    }
  else
    p.roles = {
      {{"loop", n, {{"sync", 2, two}, {"write", "s", "0", 1, 0}, {"tell", 1, two}}}},
      {{"tell", 2, two}, {"loop", n, {{"sync", 1, two}, {"read", "s", "0", 5, 2}, {"branch", "k < " .. n - 1, {{"tell", 2, two}}}}}},
    }
  end
end

-- Two fill halves, a third reads both.
function kinds.halves(_, p)
  local function half(slot)
    return {{"loop", p.rounds, {{"write", "s", slot, 1, 0}, {"arrive", "d", "0"}, {"wait", "e", "0", "k % 2"}}}}
  end
  p.tiles, p.bars = {{"s", 2}}, {{"d", 1, 2 * N}, {"e", 1, N}}
  p.roles = {half "0", half "1", {{"loop", p.rounds, {{"wait", "d", "0", "k % 2"}, {"read", "s", "0", 1, 0},
    {"read", "s", "1", 3, 0}, {"arrive", "e", "0"}}}}}
end

-- Anything.
function kinds.soup(r, p)
  local roles = r:int(2, 3)
  p.tiles, p.bars = {{"s", 2}, {"u", 1}}, {{"a", 2, N}}
  local function one()
    local x, tile = r:int(1, 10), r:of {"s", "u"}
    local slot = tile == "s" and r:of {"0", "1", "k % 2"} or "0"
    if x < 4 then return {"write", tile, slot, 1, r:of {0, 4}} end
    if x < 7 then return {"read", tile, slot, r:of {1, 3}, 0} end
    if x < 9 then return {"sync", r:int(1, 3), N * roles} end
    return x < 10 and {"arrive", "a", "k % 2"} or {"wait", "a", "k % 2", "k // 2 % 2"}
  end
  for c = 1, roles do
    local body = {}
    for i = 1, r:int(1, 3) do body[i] = one() end
    p.roles[c] = {{"loop", p.rounds, body}}
  end
end

local order = {"ring", "ring", "ping", "fan", "chain", "named", "halves", "soup"}

-- A list of statements, and the role that it is of; inner ones with `inner`.
local function some_list(r, p)
  local role = r:of(p.roles)
  local list, inner = role, false
  while true do
    local deeper = {}
    for _, s in ipairs(list) do
      if s[1] == "loop" or s[1] == "branch" then deeper[#deeper + 1] = s[3] end
    end
    if #deeper == 0 or #r:of(deeper) == 0 or r:chance(0.2) then return list, inner, role end
    list, inner = r:of(deeper), true
  end
end

local mistakes = {}
function mistakes.drop(_, list, i) if list[i][1] ~= "loop" then table.remove(list, i) end end
function mistakes.swap(_, list, i) if list[i + 1] then list[i], list[i + 1] = list[i + 1], list[i] end end
function mistakes.parity(_, list, i)
  local s = list[i]
  if s[1] == "wait" then list[i] = {"wait", s[2], s[3], "(" .. s[4] .. " + 1) % 2"} end
end
function mistakes.trips(r, list, i)
  local s = list[i]
  if s[1] == "loop" then list[i] = {"loop", math.max(1, s[2] + r:of {-1, 1}), s[3]} end
end
function mistakes.slot(r, list, i, inner, p)
  local s = list[i]
  if (s[1] ~= "write" and s[1] ~= "read") or not inner then return end
  local depth = M.depth(p, s[2])
  list[i] = {s[1], s[2], r:of {"0", "(k + 1) % " .. depth, "k // 2 % " .. depth, "k * 3 % " .. depth}, s[4], s[5]}
end
function mistakes.sometimes(r, list, i, inner)
  if inner and list[i][1] ~= "loop" then
    list[i] = {"branch", r:of {"k % 2 == 0", "k > 0", "k < 2"}, {list[i]}}
  end
end
function mistakes.move(r, list, i, inner)
  if inner then table.insert(list, r:int(1, #list), table.remove(list, i)) end
end
function mistakes.extra(r, list, i, _, p)
  table.insert(list, i, {r:of {"write", "read"}, r:of(p.tiles)[1], "0", 1, r:of {0, 64}})
end
function mistakes.behind(r, _, _, _, p, role)
  role[#role + 1] = {r:of {"write", "read"}, r:of(p.tiles)[1], "0", 1, 0}
end
local slips = {"drop", "drop", "swap", "parity", "trips", "slot", "sometimes", "move", "extra", "behind"}

function M.depth(p, tile)
  for _, t in ipairs(p.tiles) do
    if t[1] == tile then return t[2] end
  end
end

function M.make(r)
  local p = {roles = {}, rounds = r:of {1, 2, 3, 4, 5, 7}, ranges = r:chance(0.5)}
  p.kind = r:of(order)
  kinds[p.kind](r, p)
  for _ = 1, r:of {0, 0, 1, 1, 1, 2, 3} do
    local list, inner, role = some_list(r, p)
    if #list > 0 then mistakes[r:of(slips)](r, list, r:int(1, #list), inner, p, role) end
  end
  return p
end

-- As text -----------------------------------------------------------------

local function element(s, t) return ("%s[%s, (%s * %d + %d) %% %d]"):format(s[2], s[3], t, s[4], s[5], N) end

local function print_list(out, list, t, who, k)
  for _, s in ipairs(list) do
    local what = s[1]
    if what == "loop" or what == "branch" then
      out[#out + 1] = what == "loop" and ("for k in T.serial(%d) do"):format(s[2]) or ("if %s then"):format(s[2])
      print_list(out, s[3], t, who, k or what == "loop")
      out[#out + 1] = "end"
    elseif what == "write" then
      out[#out + 1] = ("%s = (acc + %s * 7 + %s * 13 + %d) %% %d"):format(element(s, t), t, k and "k" or "9", who, M.mod)
    elseif what == "read" then
      out[#out + 1] = ("acc = (acc * 3 + %s) %% %d"):format(element(s, t), M.mod)
    elseif what == "arrive" then
      out[#out + 1] = ("T.mbarrier_arrive(%s[%s])"):format(s[2], s[3])
    elseif what == "wait" then
      out[#out + 1] = ("T.mbarrier_wait_parity(%s[%s], %s)"):format(s[2], s[3], s[4])
    else
      out[#out + 1] = ("%s(%d, %d)"):format(what == "sync" and "T.sync_threads" or "T.named_barrier_arrive", s[2], s[3])
    end
  end
end

function M.text(p)
  local n = #p.roles
  local out = {"return tl.jit(function()", ("local O = T.empty({%d, %d}, T.int32)"):format(n, N)}
  local results = {"O"}
  local function put(...) out[#out + 1] = (...):format(select(2, ...)) end
  for _, t in ipairs(p.tiles) do
    put("local O%s = T.empty({%d, %d}, T.int32)", t[1], t[2], N)
    results[#results + 1] = "O" .. t[1]
  end
  put("for _ in T.Kernel(1, {threads = %d}) do", n * N)
  for _, t in ipairs(p.tiles) do put("local %s = T.alloc_shared({%d, %d}, T.int32)", t[1], t[2], N) end
  for _, b in ipairs(p.bars) do put("local %s = T.alloc_barrier({%s})", b[1], (tostring(b[3]) .. ", "):rep(b[2]):sub(1, -3)) end
  for _, t in ipairs(p.tiles) do put("T.fill(%s, 0)", t[1]) end
  put "local tx = T.get_thread_binding()"
  for i, role in ipairs(p.roles) do
    local t = p.ranges and ("(tx - %d)"):format(N * (i - 1)) or "t"
    if not p.ranges then
      put("for t in T.ws(%d) do", i - 1)
    elseif i < n then
      put("%s tx < %d then", i == 1 and "if" or "elseif", N * i)
    else
      put "else"
    end
    put "local acc = T.alloc_var(T.int32, {init = 0})"
    print_list(out, role, t, i - 1, false)
    put("O[%d, %s] = acc", i - 1, t)
    if not p.ranges or i == n then put "end" end
  end
  for _, t in ipairs(p.tiles) do put("T.copy(%s, O%s)", t[1], t[1]) end
  put "end"
  put("return %s", table.concat(results, ", "))
  put "end)"
  return table.concat(out, "\n")
end

return M
