-- Precedence and meaning of every operator.
local function v(x) return x end
local T, F, N = true, false, nil
for _, a in ipairs {1, 0, -3, 2.5} do
  for _, b in ipairs {2, -1, 4.5} do
    print(a, b, a + b, a - b, a * b, a / b, a % b, a // b, a ^ 2)
    print(a < b, a <= b, a > b, a >= b, a == b, a ~= b)
    print(a < b and "lt" or a > b and "gt" or "eq", not (a < b), not a == b)
  end
end
for _, a in ipairs {0, 1, 6, -1, 0xff} do
  for _, b in ipairs {0, 3, 62, 64, -2} do
    print(a & b, a | b, a ~ b, a << b, a >> b, ~a)
    print(a & b == 0, a | b ~= a, a << 1 + 1, a .. b, a & 3 | 4 ~ 1)
  end
end
print(1 + 2 * 3 // 4 % 5 - 6 << 1 & 0xff ~ 3 | 8 < 9 == true and 1 or 2, 2 ^ 3 ^ 2 // 1 % 5)
print(1 < 2 == true, "a" < "b", "a" <= "a", "b" > "a", "B" >= "a", 1 == 1.0, "1" == 1)
print(T and F, T and N, F and T, N and T, T or F, F or T, N or F, F or N, N and F or T)
print(T and 1, F and 1, N and 1, T or 1, F or 1, N or 1, 1 and nil, 1 and 2 or 3, nil and 2 or 3)
print(v(1) and v(2) and v(3), v(1) and v(nil) and v(3), v(false) or v(nil) or v(3), v(false) or v(nil))
print(v(1) or error "never", v(nil) and error "never", v(false) and error "never" or "ok")
print(not v(1), not v(nil), not not v(1), not (v(1) and v(2)), not v(1) and v(2), not v(1) or v(2))
print((v(1) and v(2) or v(3)) == 2, (v(nil) or v(4)) + 1, v(1) == 1 and v(2) ~= 1 and not (v(3) < 2))
print(1 and 2 or 3 and 4 or 5, 1 or 2 and 3, (1 or 2) and 3, nil or false and 1 or nil)
local t = setmetatable({}, {
  __add = function(a, b) return "add" end, __lt = function() return 1 end, __le = function() return nil end,
  __eq = function() return "yes" end, __unm = function() return "unm" end, __len = function() return 77 end,
  __concat = function() return "cat" end, __call = function(_, x) return x end, __idiv = function() return "idiv" end,
  __band = function() return "band" end, __shl = function() return "shl" end, __bnot = function() return "bnot" end,
  __index = function(_, k) return k end,
})
local u = setmetatable({}, getmetatable(t))
print(t + 1, 1 + t, t < u, t <= u, t > u, t >= u, t == u, t ~= u, -t, #t, t .. "x", 2 .. t, t(5))
print(t // 1, t & 1, t << 1, ~t, t.x, t[1], t < 1, 1 <= t, t == 1, t ~= nil, nil == t)
print(pcall(function() return 1 < "2" end))
print(pcall(function() return {} < {} end))
print(pcall(function() return nil > 1 end))
print(pcall(function() return "a" <= 1 end))
print(pcall(function() return {} >= 1 end))
print(pcall(function() local x = v(nil) < 1 return x end))
print(select("#", (v(1))), select("#", v(1) and v(2)), (select("#", nil, nil)))
local function two() return 1, 2 end
print(two(), (two()), #{two(), two()}, two() == 1, two() < 2, not two(), two() and two())
local long = v(1) == 1 and v(2) == 2 and v(3) == 3 and v(4) == 4 and v(5) == 5 and v(6) == 6 and v(7) == 7 and v(8) == 8 and v(9) == 9 and
  v(10) == 10 and v(11) == 11 and v(12) == 12 and v(13) == 13 and v(14) == 14 and v(15) == 15 and v(16) == 16 and v(17) == 17 and
  v(18) == 18 and v(19) == 19 and v(20) == 20 and v(21) == 21 and v(22) == 22 and v(23) == 23 and v(24) == 24 and v(25) == 25 and
  v(26) == 26 and v(27) == 27 and v(28) == 28 and v(29) == 29 and v(30) == 30 and v(31) == 31 and v(32) == 32 and v(33) == 33 and
  v(34) == 34 and v(35) == 35 and v(36) == 36 and v(37) == 37 and v(38) == 38 and v(39) == 39 and v(40) == 40 and v(41) == 41 and
  v(42) == 42 and v(43) == 43 and v(44) == 44 and v(45) == 45 and v("the last")
print(long)
local calls = 0
local function c(x) calls = calls + 1 return x end
print(c(nil) or c(false) or c(nil) or c(false) or c(1) or c(2) or c(3), calls)
print(c(1) and c(2) and c(false) and c(3) and c(4), calls)
local function va(...)
  return (...) and select("#", ...) or "none", ... == nil and "nil" or ..., select(2, ...) and {...} and #{...} > 1 and select(-1, ...)
end
print(va(1, 2, 3))
print(va())
print(va(nil, false))
for i = 1, 4 do print(i & 1 == 0 and "even" or "odd", i > 2 and i or -i, i == 2 or i == 3, not (i ~= 4)) end
