-- if, while, repeat, for, break, goto, return, in every nesting.
local function classify(n)
  if n < 0 then return "negative"
  elseif n == 0 then return "zero"
  elseif n < 10 then
    if n % 2 == 0 then return "small even" else return "small odd" end
  elseif n < 100 then return "medium" end
  do return "large" end
end
for _, n in ipairs {-5, 0, 4, 7, 50, 500} do print(n, classify(n)) end

local i = 0
while i < 10 do
  i = i + 1
  if i == 3 then goto continue end
  if i > 7 then break end
  io = io
  print("while", i)
  ::continue::
end
while true do i = i - 1 if i < 5 then break end end
print(i)
while false do print "never" end
while nil do print "never" end

repeat
  local done = i > 8
  i = i + 1
until done
print("repeat", i)
repeat local x = 1 until x == 1
repeat i = i - 1 if i == 7 then break end until i < 0
print(i)

for k = 1, 3 do print("up", k) end
for k = 3, 1, -1 do print("down", k) end
for k = 1, 0 do print("never", k) end
for k = 1.0, 2 do print("float", k) end
for k = 0, 1, 0.25 do print("quarter", k) end
local a, b, s = 1, 7, 2
for k = a, b, s do print("vars", k) a, b, s = 0, 0, 0 end
for k = b + 3, a + 1, -1 do print("expr", k) end
for k = math.maxinteger - 1, math.maxinteger do print(k) end
for k = math.mininteger, math.mininteger + 1 do print(k) end
for k = math.maxinteger + a, math.huge do print(k) if k then break end end
for k = 1 + a, 3.7 do print("clip", k) end
for k = 3 + a, 0.5, -1 do print("clip down", k) end
for k = 1 + a, -math.huge do print("never", k) end
for k = math.mininteger + a, math.maxinteger, math.maxinteger do print("stride", k) end
for k = 1, a + 3 do local k = k * 2 print("shadow", k) end
for k = 1 + a, 3 do k = k * 10 print("assigned", k) end
print(pcall(function() for k = 1, a, 0 do print(k) end end))
print(pcall(function() for k = 1 + a, {} do print(k) end end))
print(pcall(function() for k = {}, a do print(k) end end))
print(pcall(function() for k = a, 1, print do print(k) end end))

for k, v in pairs {x = 1} do print(k, v) end
for k, v in next, {10} do print(k, v) end
for k, v, w in (function(s, c) if c < s then return c + 1, c * c, nil end end), 3, 0 do print(k, v, w) end
for w in ("one two three"):gmatch "%a+" do if w == "two" then goto next end print(w) ::next:: end
for k in coroutine.wrap(function() for q = 1, 3 do coroutine.yield(q) end end) do print("co", k) end
print(pcall(function() for k in 5 do print(k) end end))
do
  local log = {}
  local closer = setmetatable({}, {__close = function() log[#log + 1] = "closed" end})
  for k in function(_, c) return (c or 0) + 1 end, nil, nil, closer do if k == 3 then break end log[#log + 1] = k end
  print(table.concat(log, ","))
end

for x = 1, 3 do
  for y = 1, 3 do
    if y == 2 then goto continue end
    if x == 2 then goto outer end
    if x == 3 and y == 3 then goto done end
    print(x, y)
    ::continue::
  end
  ::outer::
end
::done::

do
  local n = 0
  ::top::
  n = n + 1
  if n < 3 then goto top end
  print("goto loop", n)
  goto skip
  print "never"
  ::skip::
end
do goto e; local x; ::e:: ::f:: ; end
local function states()
  local out, k = {}, 0
  ::a:: k = k + 1 out[#out + 1] = "a" if k > 4 then goto c end goto b
  ::b:: out[#out + 1] = "b" if k % 2 == 0 then goto a else do goto a end end
  ::c:: return table.concat(out)
end
print(states())
local closures = {}
do
  local j = 0
  ::again::
  local captured = j
  closures[#closures + 1] = function() captured = captured + 1 return captured end
  j = j + 1
  if j < 3 then goto again end
end
print(closures[1](), closures[1](), closures[2](), closures[3]())
local function early(n)
  for q = 1, 10 do
    while true do
      repeat
        if q == n then return q, "found" end
      until true
      if q > 0 then break end
    end
  end
  return nil
end
print(early(3)) print(early(11))
local function nothing() return end print(nothing()) print((nothing()))
local function semi() return; end print(select("#", semi()))
if nil then elseif false then else print "else" end
if 0 then print "zero is true" end
if "" then print "empty is true" end
if not nil then print "not nil" end
local deep = 0
if deep == 0 then if deep < 1 then if deep > -1 then if deep ~= 1 then if not (deep == 2) then deep = "deep" end end end end end
print(deep)
return i
