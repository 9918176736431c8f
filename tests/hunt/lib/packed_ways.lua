-- packed_ways.lua: the ways in which a kernel goes over the elements of a tile of r x c.
--
-- A way is {heads = lines that open blocks, places = {{row text, col text}, ..}, each = function(f)}; f(row, col, k) is
-- called for the elements in an order, with the number of their place.  What a way may have beside:
--   split   a thread stores a half of a byte and another one, or another time, the other half
--   even    it asks for an even c; four: for n % 4 == 0
--   thread  single threads go, which hold no fragments; own: the element that is number v of a thread's own is
--           tx * per + v ("block") or v * threads + tx ("strided"); v: its text; guarded: not all threads have per
local M = {}

local function way(heads, row, col, each, more)
  local w = {heads = heads, places = {{row, col}}, each = each}
  for k, v in pairs(more or {}) do w[k] = v end
  return w
end

local function loops(r, c, f)
  for i = 0, r - 1 do
    for j = 0, c - 1 do f(i, j, 1) end
  end
end
M.loops = loops

local function all(r, c)
  return function(f) loops(r, c, f) end
end

local function head(kind, names, ...)
  return ("for %s in T.%s(%s) do"):format(names, kind, table.concat({...}, ", "))
end

local function parallel(names, ...) return head("Parallel", names, ...) end

local ways = {}

-- Of tiles ------------------------------------------------------------------------------------

function ways.plain(r, c) return way({parallel("i, j", r, c)}, "i", "j", all(r, c), {split = c % 2 == 1}) end

function ways.across(r, c) return way({parallel("j, i", c, r)}, "i", "j", all(r, c), {split = c % 2 == 1}) end

function ways.pairs(r, c)
  return way({parallel("i, j, q", r, c // 2, 2)}, "i", "j * 2 + q", all(r, c), {even = true})
end

function ways.split(r, c)
  return way({parallel("i, q, j", r, 2, c // 2)}, "i", "j * 2 + q", all(r, c), {even = true})
end

function ways.halves(r, c)
  return way({parallel("i, q, j", r, 2, c // 2)}, "i", ("q * %d + j"):format(c // 2), all(r, c),
    {even = true, split = c % 4 ~= 0})
end

function ways.flat(r, c)
  return way({parallel("x", r * c)}, ("x // %d"):format(c), ("x %% %d"):format(c), all(r, c), {split = r * c % 2 == 1})
end

function ways.flat_pairs(r, c)
  return way({parallel("x, q", r * c // 2, 2)}, ("x // %d"):format(c // 2), ("x %% %d * 2 + q"):format(c // 2), all(r, c),
    {even = true})
end

function ways.both(r, c)
  local w = way({parallel("i, j", r, c // 2)}, "i", "2 * j",
    function(f) loops(r, c, function(i, j) f(i, j, j % 2 + 1) end) end, {even = true})
  w.places[2] = {"i", "2 * j + 1"}
  return w
end

function ways.turns(r, c, rand)
  return way({head(rand:of {"serial", "serial", "unroll"}, "q", 2), parallel("i, j", r, c // 2)}, "i", "j * 2 + q",
    function(f)
      for q = 0, 1 do loops(r, c // 2, function(i, j) f(i, j * 2 + q, 1) end) end
    end, {even = true})
end

function ways.within(r, c, rand)
  return way({parallel("i, j", r, c // 2), head(rand:of {"serial", "vectorized", "unroll"}, "q", 2)}, "i", "j * 2 + q",
    all(r, c), {even = true})
end

function ways.rows(r, c)
  return way({head("serial", "i", r), parallel("j", c)}, "i", "j", all(r, c), {split = c % 2 == 1})
end

function ways.columns(r, c)
  return way({head("serial", "j", c), parallel("i", r)}, "i", "j", function(f)
    for j = 0, c - 1 do
      for i = 0, r - 1 do f(i, j, 1) end
    end
  end, {split = c % 2 == 1})
end

function ways.back(r, c)
  return way({parallel("i, j", r, c)}, "i", ("%d - j"):format(c - 1), all(r, c), {split = c % 2 == 1})
end

function ways.even(r, c)
  return way({parallel("i, j", r, c // 2)}, "i", "2 * j",
    function(f) loops(r, c // 2, function(i, j) f(i, 2 * j, 1) end) end, {even = true})
end

function ways.odd(r, c)
  return way({parallel("i, j", r, c // 2)}, "i", "2 * j + 1",
    function(f) loops(r, c // 2, function(i, j) f(i, 2 * j + 1, 1) end) end, {even = true})
end

function ways.left(r, c)
  return way({parallel("i, j", r, c // 2)}, "i", "j", function(f) loops(r, c // 2, f) end,
    {even = true, split = c % 4 ~= 0})
end

function ways.later(r, c)
  return way({parallel("i, j", r, c - 1)}, "i", "j + 1",
    function(f) loops(r, c - 1, function(i, j) f(i, j + 1, 1) end) end, {split = true})
end

function ways.round(r, c)
  return way({parallel("i, j", r, c)}, "i", ("(j + 1) %% %d"):format(c), all(r, c), {split = true})
end

function ways.some(r, c, rand)
  local n, k = rand:int(2, 4), rand:int(0, 1)
  return way({parallel("i, j", r, c), ("if (i + j) %% %d == %d then"):format(n, k)}, "i", "j", function(f)
    loops(r, c, function(i, j)
      if (i + j) % n == k then f(i, j, 1) end
    end)
  end, {split = c % 2 == 1})
end

function ways.fours(r, c)
  return way({parallel("x", r * c // 4), head("vectorized", "v", 4)}, ("(x * 4 + v) // %d"):format(c),
    ("(x * 4 + v) %% %d"):format(c), all(r, c), {four = true})
end

-- Of threads ----------------------------------------------------------------------------------

-- Element `at` of the tile in a loop of `most` turns; `before` are heads around it.
local function of_threads(r, c, rand, before, at, most, more)
  local kinds = {"serial", "serial", most <= 16 and "unroll" or "serial"}
  if #before == 0 and most <= 16 and not more.guarded then kinds[#kinds + 1] = "vectorized" end
  local heads = table.move(before, 1, #before, 1, {})
  heads[#heads + 1] = head(rand:of(kinds), "v", most)
  if more.guarded then heads[#heads + 1] = ("if %s < %d then"):format(at, r * c) end
  more.thread, more.v = true, "v"
  return way(heads, ("(%s) // %d"):format(at, c), ("(%s) %% %d"):format(at, c), all(r, c), more)
end

function ways.threads(r, c, rand, threads)
  local per = (r * c + threads - 1) // threads
  return of_threads(r, c, rand, {}, ("tx * %d + v"):format(per), per,
    {own = "block", per = per, guarded = per * threads ~= r * c, split = per % 2 == 1})
end

function ways.strided(r, c, rand, threads)
  local per = (r * c + threads - 1) // threads
  return of_threads(r, c, rand, {}, ("v * %d + tx"):format(threads), per,
    {own = "strided", per = per, guarded = per * threads ~= r * c, split = true})
end

function ways.one(r, c, rand)
  return of_threads(r, c, rand, {"if tx == 0 then"}, "v", r * c, {})
end

function ways.two(r, c, rand)
  return of_threads(r, c, rand, {"if tx < 2 then"}, "v * 2 + tx", (r * c + 1) // 2, {guarded = r * c % 2 == 1, split = true})
end

local names = {}
for name in pairs(ways) do names[#names + 1] = name end
table.sort(names)

-- A way that fits a tile and, where it is calm, gives each byte to one thread.  own: the one in which threads have
-- elements of their own.
function M.pick(rand, r, c, threads, calm, own)
  local n = r * c
  while true do
    local name = own and (own == "block" and "threads" or "strided") or rand:of(names)
    local w = ways[name](r, c, rand, threads)
    local fits = not (w.even and c % 2 == 1 or w.four and n % 4 > 0 or name == "columns" and r == 1 and c > 64)
    if fits and not (calm and w.split) then return w end
    if own then return nil end
  end
end

-- Does f's way come to each element of r x c?
function M.covers(w, r, c)
  local seen, n = {}, 0
  w.each(function(i, j)
    if not seen[i * c + j] then n = n + 1 end
    seen[i * c + j] = true
  end)
  return n == r * c
end

return M
