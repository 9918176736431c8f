-- Values: numbers, strings, operators and their precedence.
local one, big, hex_, octal, binary = 1, 1000000, 0xFF, 15, 5
local pi = 3.1415
local tiny = 1e-5

print("double", 'single', "it's", 'say "hi"')
print("tab\there", "unicode é", "raw:", "a\\nb", "adjacent")
print("two\
lines")

local a, b, c = 7, 3, 2
print(a + b * c, (a + b) * c, a - (b - c), a - b - c, -a + b, -(a + b))
print(a // b, a % b, -a // b, -a % b, a / b)
print(a & b | c, a ~ b, ~a, a << 2 >> 1, a & (b | c))
print(1024, 1000, 2 ^ -1, a * a, 2.0 ^ c, -2 * -2)
print(a > b and b > c or a ~= b, not (a > b or b > c))
print(1 < b and b < 5, c <= b and b <= a and a ~= 4)
print(a == nil, a ~= nil, a == 1 or a == 7, a ~= 1 and a ~= 7)
print("x" .. tostring(a), ("ab"):rep(2), ("abc"):find("b", 1, true) ~= nil)
print(("%s and %.2f, %5d|%-5d|%05d, %.1f%%, 100%% {}"):format(a, pi, a, a, a, 0.25 * 100))
print(("%s of %.1f"):format(a, pi))
print(math.min(a, b), math.max(a, b, c), math.abs(-a), #("four"), a + 0.0, math.tointeger((math.modf(pi))), tostring(1.5))
print(a > b and big or tiny, math.huge > 1)
local end_ = octal == 0 and one or hex_
print(end_)
