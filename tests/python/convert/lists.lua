-- Lists and tuples are tables from 1; a dict's keys stay what they are.
local xs = {10, 20, 30, 40}
local pair = {1, 2}
print(xs[1], xs[#xs], xs[#xs - 1], xs[1 + 2], #xs, pair[2])
for i = 0, #xs - 1 do
  print(i, xs[i + 1], i > 0 and xs[i] or 0)
end
xs[#xs + 1] = 50
local tail = {table.unpack(xs, 3)}
local middle = {table.unpack(xs, 2, #xs - 1)}
local head = {table.unpack(xs, 1, 2)}
print(#tail, tail[1], #middle, middle[#middle], head[2])

xs[1] = 11
xs[2] += 5
local first, second = table.unpack(pair)
local p, q = second, first
print(xs[1], xs[2], first, second, p, q)

local squares = {} for _, x in ipairs(xs) do if x > 20 then squares[#squares + 1] = x * x end end
print(squares[1], #squares)
local grid = {} for i = 0, 1 do grid[#grid + 1] = (function() local t = {} for j = 0, 2 do t[#t + 1] = i * j end return t end)() end
print(grid[2][3])
local both = {1, 2, table.unpack(xs)}
local more = table.move({60, 70}, 1, 2, #xs + 1, {table.unpack(xs)})
local zeros = {0, 0, 0}
local many = (function() local t = {} for i = 1, #xs do t[i] = 1 end return t end)()
print(#both, both[3], #more, more[#more], #zeros, #many)

local d = {name = "gemm", size = 3, [4] = "four"}
d["more"] = d["size"] + 1
local e = {a = 1, b = 2}
print(d["name"], d["more"], d[4], e["b"])

for _, x in ipairs(xs) do
  if x == 30 then
    goto continue end
  print(x) ::continue::
end
for i = 0, #xs - 1 do local x = xs[i + 1]
  print(i, x)
end
for _, item in ipairs({{1, 2}, {3, 4}}) do local m, n = table.unpack(item)
  print(m * n)
end
