# Locals of one input are there in the next; and the limits of that.
"$MOONTILE" -i 2>&1 <<'X'
local a, b = 1, 2
a + b
local function twice(x) return 2 * x end
twice(a)
a = 10
a, rawget(_G, "a")
g = 5
rawget(_G, "g")
local g = 6
g, _G.g
g = 7
g, _G.g
do local inner = 1 end
inner
local function f() local hidden = 1 return hidden end
f(), hidden
for i = 1, 3 do local loop = i end
i, loop
local k <const> = 10
k
local n <const>, m = 10, 11
m
local before = 1; error "later locals are lost"; local after = 2
before, after
local c = 1; function get() return c end
c = 2
get(), c
local closed <close> = setmetatable({}, {__close = function() print "closed" end})
type(closed)
local x = nil
x
local co = coroutine.wrap(function() local inside = 1 coroutine.yield(inside) end)
co()
inside
local r = 3 return r
r
a = nil
a
_
40 + 2
_, _35
X
