#!/usr/bin/env moontile
-- Lines stay side by side: an `end` takes a blank line behind its block, or stands on the last one.
-- dropped


local function f(x)  -- behind the header
  -- first in the body
  for i = 0, x - 1 do
    if i > 1 then
      print(i) end end
  return math.sqrt(
    x  -- inside
  )
end

local function g(a, b)  -- between


  if b == nil then b = 1 end

  -- One line.
  while a ~= 0 do
    a = a - 1

    -- behind a blank line
    if b ~= 0 then
      b = 0 end
  end
  -- back in g
  return {
    a = a,
    b = {
      1,
      2
    }
  } end
if f(4) > 1 then print("one line"); print("two")
else
end
-- no blank behind the sign
-- [not a long comment]
print(f(2),
      g(2)["a"])
