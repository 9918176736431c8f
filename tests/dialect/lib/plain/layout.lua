-- Odd layout: everything glued, everything spread, every statement separator.
local a=1;local b=(2)if a==(1)then b=3;elseif(b)then b="4"else b=5;end print(a,b)
for i=1,(3)do if(i==(2))then goto c end print(i)::c::end while(a<(3))do a=a+(1)end repeat a=a-(1)until(a<1)print(a)
local function f(...)return...end print(f(1,2),f"x",#f{1,2},(f(3,4)))
local
x
,
y
=
1
,
2
print
(x
,
y) -- the same as print(x, y)
if
x
==
1
and
y
~=
3
then
x
=
y
elseif
x
then
x = 3
else
x = 4
end
print(x)
while
x
<
5
do
x
=
x
+
1
end
for
i
=
x
,
x + 1
do
print
(
i
)
end
for
k
,
v
in
ipairs
{
7
}
do
print(k, v)
end
repeat
x
=
x - 1
until
x
<
1
local t = {
  a = 1, -- one
  --[[ two ]] b = 2,
  ["c"] --[[key]] = --[[value]] 3;
  function() return 4 end,
  { 5, { 6 } },
}
print(t.a, t.b, t.c, t[1](), t[2][1], t[2][2][1])
local r = x < 1 -- a comment
  and y > 1 -- another
  or x > 1 --[[ and ]]
  and 3
print(r)
local s = not -- what
  r
print(s)
local function long(
  p, -- first
  q, -- second
  ... -- the rest
) -- done
  return p, -- p
    q, -- q
    ... -- all
end
print(long(1, 2, 3))
;(function() print "immediately" end)()
local z = 3;(print)("called", z)
x = 5
;(print)(x)
do end do ; end do ;;; end
do local a <const>, b <close> = 1, nil print(a, b) end
print((("nested")))
print(#"len", -x, - - x, not not x, ~x, - -2 ^ 2)
a, b = f(1, 2) print(a, b)
a, b = (f(1, 2)) print(a, b)
t.x, t["y"], t[1] = f(1, 2, 3) print(t.x, t.y, t[1])
f { f [[x]] } f { f = f, [f] = f } f(f)(f)(f)
