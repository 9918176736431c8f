-- Small whole programs.
-- n queens
local function queens(n)
  local count, cols, d1, d2 = 0, {}, {}, {}
  local function place(r)
    if r > n then count = count + 1 return end
    for c = 1, n do
      if not cols[c] and not d1[r + c] and not d2[r - c] then
        cols[c], d1[r + c], d2[r - c] = true, true, true
        place(r + 1)
        cols[c], d1[r + c], d2[r - c] = nil, nil, nil
      end
    end
  end
  place(1)
  return count
end
print(queens(6))

-- sieve
local function sieve(n)
  local is, list = {}, {}
  for i = 2, n do is[i] = true end
  for i = 2, n do
    if is[i] then
      list[#list + 1] = i
      for j = i * i, n, i do is[j] = false end
    end
  end
  return list
end
print(table.concat(sieve(60), " "))

-- JSON
local function json(s)
  local pos = 1
  local value
  local function space() pos = s:find("%S", pos) or #s + 1 end
  local function fail(what) error(("%s at %d"):format(what, pos), 0) end
  local function str()
    local out = {}
    pos = pos + 1
    while true do
      local c = s:sub(pos, pos)
      if c == "" then fail "unfinished string"
      elseif c == '"' then pos = pos + 1 return table.concat(out)
      elseif c == "\\" then
        local e = s:sub(pos + 1, pos + 1)
        out[#out + 1] = e == "n" and "\n" or e == "t" and "\t" or e
        pos = pos + 2
      else out[#out + 1] = c pos = pos + 1 end
    end
  end
  local function list(close, item)
    pos = pos + 1 space()
    if s:sub(pos, pos) == close then pos = pos + 1 return end
    repeat
      item() space()
      local c = s:sub(pos, pos)
      pos = pos + 1
      if c ~= close and c ~= "," then fail("expected , or " .. close) end
      space()
    until c == close
  end
  function value()
    space()
    local c = s:sub(pos, pos)
    if c == "{" then
      local t = {}
      list("}", function() space() local k = str() space() pos = pos + 1 t[k] = value() end)
      return t
    elseif c == "[" then
      local t = {}
      list("]", function() t[#t + 1] = value() end)
      return t
    elseif c == '"' then return str()
    elseif s:find("^true", pos) then pos = pos + 4 return true
    elseif s:find("^false", pos) then pos = pos + 5 return false
    elseif s:find("^null", pos) then pos = pos + 4 return nil
    end
    local num = s:match("^-?%d+%.?%d*[eE]?[+-]?%d*", pos)
    if not num then fail "bad value" end
    pos = pos + #num
    return tonumber(num)
  end
  return value()
end
local doc = json [[ {"a": [1, 2.5, -3e2, "x\ny"], "b": {"c": true, "d": false, "e": null}, "f": []} ]]
print(doc.a[1], doc.a[2], doc.a[3], doc.a[4], doc.b.c, doc.b.d, doc.b.e, #doc.f)
print(pcall(json, "[1 2]")) print(pcall(json, '{"a": ?}'))

-- sorting, in several ways
local function quick(a, lo, hi, less)
  less = less or function(x, y) return x < y end
  lo, hi = lo or 1, hi or #a
  while lo < hi do
    local p, i, j = a[(lo + hi) // 2], lo, hi
    repeat
      while less(a[i], p) do i = i + 1 end
      while less(p, a[j]) do j = j - 1 end
      if i <= j then a[i], a[j] = a[j], a[i] i, j = i + 1, j - 1 end
    until i > j
    if j - lo < hi - i then quick(a, lo, j, less) lo = i else quick(a, i, hi, less) hi = j end
  end
  return a
end
local seed = 42
local function rnd(n) seed = (seed * 1103515245 + 12345) & 0x7fffffff return seed % n end
local a = {} for i = 1, 30 do a[i] = rnd(100) end
print(table.concat(quick(a), " "))
print(table.concat(quick(a, nil, nil, function(x, y) return x > y end), " "))

-- a tokenizer and an evaluator of arithmetic
local function eval(src)
  local i, tok = 1, nil
  local function nextt()
    i = src:find("%S", i)
    if not i then tok = nil return end
    local n = src:match("^%d+", i)
    if n then tok = tonumber(n) i = i + #n else tok = src:sub(i, i) i = i + 1 end
  end
  local expr
  local function atom()
    local t = tok
    if t == "(" then nextt() local v = expr() if tok ~= ")" then error("expected )", 0) end nextt() return v
    elseif t == "-" then nextt() return -atom()
    elseif math.type(t) then nextt() return t end
    error("unexpected " .. tostring(t), 0)
  end
  local function term()
    local v = atom()
    while tok == "*" or tok == "/" or tok == "%" do
      local op = tok nextt()
      local w = atom()
      v = op == "*" and v * w or op == "/" and v // w or v % w
    end
    return v
  end
  function expr()
    local v = term()
    while tok == "+" or tok == "-" do local op = tok nextt() local w = term() if op == "+" then v = v + w else v = v - w end end
    return v
  end
  nextt()
  local v = expr()
  if tok ~= nil then return nil, "rest: " .. tok end
  return v
end
print(eval "1 + 2 * 3", eval "(1 + 2) * 3 - -4", eval "100 / 7 % 5", eval "2 2", pcall(eval, "(1"), pcall(eval, "*"))

-- life
local function life(grid, steps)
  local h, w = #grid, #grid[1]
  for _ = 1, steps do
    local new = {}
    for y = 1, h do
      new[y] = {}
      for x = 1, w do
        local n = 0
        for dy = -1, 1 do for dx = -1, 1 do
          if not (dx == 0 and dy == 0) then
            local row = grid[(y + dy - 1) % h + 1]
            n = n + (row[(x + dx - 1) % w + 1] and 1 or 0)
          end
        end end
        new[y][x] = n == 3 or n == 2 and grid[y][x] or false
      end
    end
    grid = new
  end
  for y = 1, h do local s = "" for x = 1, w do s = s .. (grid[y][x] and "#" or ".") end print(s) end
end
local g = {} for y = 1, 6 do g[y] = {} for x = 1, 8 do g[y][x] = false end end
g[1][2], g[2][3], g[3][1], g[3][2], g[3][3] = true, true, true, true, true
life(g, 4)

-- matrices, primes by trial, gcd, collatz, roman, permutations, hanoi
local function matmul(A, B)
  local C = {}
  for i = 1, #A do C[i] = {} for j = 1, #B[1] do local s = 0 for k = 1, #B do s = s + A[i][k] * B[k][j] end C[i][j] = s end end
  return C
end
local M = matmul({{1, 2}, {3, 4}}, {{5, 6}, {7, 8}})
print(M[1][1], M[1][2], M[2][1], M[2][2])
local function gcd(x, y) while y ~= 0 do x, y = y, x % y end return x end
print(gcd(48, 18), gcd(17, 5), gcd(0, 3))
local function collatz(n) local c = 0 while n ~= 1 do if n % 2 == 0 then n = n // 2 else n = 3 * n + 1 end c = c + 1 end return c end
print(collatz(27), collatz(1))
local function roman(n)
  local out = ""
  for _, p in ipairs {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} do
    while n >= p[1] do out, n = out .. p[2], n - p[1] end
  end
  return out
end
print(roman(1994), roman(2024), roman(4))
local function permgen(a, n)
  n = n or #a
  if n <= 1 then coroutine.yield(a) else
    for i = 1, n do a[n], a[i] = a[i], a[n] permgen(a, n - 1) a[n], a[i] = a[i], a[n] end
  end
end
for p in coroutine.wrap(function() permgen {"a", "b", "c"} end) do io = io print(table.concat(p)) end
local moves = 0
local function hanoi(n, x, y, z) if n > 0 then hanoi(n - 1, x, z, y) moves = moves + 1 hanoi(n - 1, z, y, x) end end
hanoi(8, "A", "B", "C") print(moves)
local words = {}
for w in ([[the quick brown fox jumps over the lazy dog the end]]):gmatch "%a+" do words[w] = (words[w] or 0) + 1 end
local keys = {} for k in pairs(words) do keys[#keys + 1] = k end
table.sort(keys, function(x, y) return words[x] > words[y] or words[x] == words[y] and x < y end)
for _, k in ipairs(keys) do print(k, words[k]) end
local memo = setmetatable({}, {__mode = "k"})
local function lcs(x, y)
  local L = {}
  for i = 0, #x do L[i] = {} for j = 0, #y do
    if i == 0 or j == 0 then L[i][j] = 0
    elseif x:sub(i, i) == y:sub(j, j) then L[i][j] = L[i - 1][j - 1] + 1
    else L[i][j] = L[i - 1][j] > L[i][j - 1] and L[i - 1][j] or L[i][j - 1] end
  end end
  return L[#x][#y]
end
print(lcs("AGGTAB", "GXTXAYB"), memo[1])
