-- Functions: defaults, names of arguments, several results, closures.
-- A docstring of the module,
-- in two lines.


local function scale(x, factor, offset) if factor == nil then factor = 2 end
  -- x times a factor.
  if offset == nil then
    return x * factor end
  return x * factor + offset
end

local function both(x)
  return x + 1, x - 1
end

local function total(...) local values = {...}
  local s = 0
  for _, v in ipairs(values) do
    s += v end
  return s
end

local function counter()
  local count = 0

  local function step()

    count += 1
    return count
  end
  return step
end

local function is_even(n)
  return n == 0 and true or is_odd(n - 1)
end

function is_odd(n)
  return n ~= 0 and is_even(n - 1)
end

local function many(first, second, third)

  if second == nil then second = 5 end  -- a comment of its own
  if third == nil then third = "x" end

  print(first, second, third)
  return first
end

print(scale(3), scale(3, 4), scale(3, nil, 1), scale(1, 3))
local up, down = both(5)
local pair = {both(7)}
print(up, down, pair[1], pair[2], ({both(1)})[1])
print(total(1, 2, 3), total(table.unpack({4, 5})))
local step = counter()
step()
print(step())
print(is_even(4), is_odd(4))
many(1)
many(1, nil, "y")
local add = function(a, b) return a + b end
print(add(1, 2))


local function main()
  local result = scale(limit)
  print(result)
end

limit = 9


main()
