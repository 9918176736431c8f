-- Branches and loops.  Where Lua's truth is another, the condition says it.
local n = 5
local name = ""
local items = {1}
if n > 3 then
  print("large")
elseif n == 3 then
  print("three")
else
  print("small")
end
if n ~= 0 then
  print("n is not zero") end
if name == "" then
  print("no name") end
if #items > 0 and n - 5 == 0 then
  print("items, and n is five")
end
-- Lua's `for` includes its bound
for i = 0, 2 do
  print(i) end
for i = 2, n - 1 do
  print(i) end
for i = 10, 1, -3 do
  print(i) end
for i = 0, n, 2 do
  print(i)
end
while n > 0 do
  n -= 1
  if n == 3 then
    goto continue end
  -- a comment in a block
  if n == 1 then
    break end
  print("n", n) ::continue::
end
if n == 1 then
  kind = "one"
else
  kind = "other" end
print(kind)
for repeat_ = 0, 1 do
  local until_ = repeat_ * 2
  print(until_)
end
