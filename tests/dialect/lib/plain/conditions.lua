-- What deciding by a value must leave as it is, exactly.
local function values(...) return ... end
local log = {}
local function say(v, ...) log[#log + 1] = tostring(v) return v, ... end
local function flush() print(table.concat(log, " ")) log = {} end

-- one value of calls and varargs; and, or give operands
print(values(1, 2, 3) == 1, 1 == values(1, 2), (values()) == nil, not values(nil, 1), not values(1, nil))
print(values(1, 2) and values(3, 4), values(nil, 2) or values(3, 4), values(1, 2) or 5, values() and 5)
local function first(...)
  if ... then
    return ... and "some" or "none", ... == nil, not ..., select("#", ... or 1), (... or 2)
  end
  return "nothing", ... == nil, not ..., ... or "default", ... and 1
end
print(first(1, 2, 3))
print(first())
print(first(nil, 2))
print(first(false))
for _, a in ipairs {0, "", false, 1.5, "x"} do
  for _, b in ipairs {0, "", false, "x", 0.0} do
    io.write()
    log[#log + 1] = table.concat({tostring(a and b), tostring(a or b), tostring(a == b), tostring(a ~= b),
      tostring(not a), tostring(a and b or a), tostring((a or b) and (b or a))}, ",")
  end
end
flush()

-- once and in order
local r = say(1) == say(2) or say(nil) and say(3) or say(false) or not say(nil) and say(4) ~= say(5)
print(r)
flush()
if say(false) then say "no" elseif say(nil) then say "no" elseif say(1) == say(1) then say "yes" else say "no" end
local n = 0
while say(n) ~= say(3) and say(true) do n = n + 1 end
repeat local last = say(n) n = n - 1 until last == 1 or not say(last)
flush()

-- metamethods, their order, and what they are not asked for
local mt = {}
mt.__eq = function(a, b) say("eq" .. a.n .. b.n) return a.n == b.n and 7 end
mt.__lt = function(a, b) say("lt" .. a.n .. b.n) return a.n < b.n and "yes" end
mt.__call = function(self, x) say("call" .. self.n) return x, 2 end
mt.__index = function(_, k) say("index" .. k) return nil end
mt.__len = function() return "length" end
mt.__unm = function(a) return a end
mt.__name = "thing"
local function new(i) return setmetatable({n = i}, mt) end
local p, q = new(1), new(2)
print(p == q, p == new(1), p ~= q, p == 1, 1 ~= p, p == p, p < q, not p, p and q == q, #p == "length", -p == p)
print(p(4) == 4, p(nil) or "else", p.none == nil, p.none or q.none or 3, p.n == 1)
flush()
print(0 == -0, 1 == 1.0, 0/0 == 0/0, 0/0 ~= 0/0, "1" == 1, math.maxinteger + 0.0 == math.maxinteger, 2^53 == 2^53 + 1)
local nan = 0/0
print(nan == nan, nan ~= nan, nan and 1, not nan)

-- locals that vary, in every way that they can
do
  local a, b, c, d = 0, 0, nil, {}
  local function change(v) a = v end
  print(a == 0, b or 1, c == d, not d)
  change "text"
  print(a == "text", a == 0, a and 1)
  change(nil)
  print(a == nil, a or "nil", not a)
  b, c = values(5, d)
  print(b == 5, c == d, c and 1)
  for i = 1, 3 do
    if i == 2 then i = false end
    log[#log + 1] = tostring(i or "set")
  end
  a = 1
  a = a + (b == 5 and 1 or 2)
  print(a == 2)
  ::again::
  if c then
    c = not c
    goto again
  end
  print(c, c == false)
  flush()
end

-- tail calls, and what is none
local function count(n) if n == 0 then return "done" end return count(n - 1) end
print(count(300000))
local function other(n, x) if not (n ~= 0 and x) then return "other" else return other(n - 1, x) end end
print(other(300000, {}))
print(select(2, pcall(function() local function deep(i) return i == 1e6 and 0 or (deep(i + 1)) end return deep(0) end))
  :match "stack overflow" or "none")

-- messages, and their lines
local function fails(f, ...) print(select(2, pcall(f, ...))) end
fails(function(x) if x.y.z == 1 then return end end, {})
fails(function(x) return x.y or x.y.z end, {})
fails(function(x) return not x.a.b end, {})
fails(function(x) return nothing.here == x end)
fails(function(x) return nothing() and x end)
fails(function(x) return x:method() == 1 end, {})
fails(function(x) return x + 1 == 2 end, {})
fails(function(x) return x .. "a" or 1 end, {})
fails(function(x) return #x == 0 end)
fails(function(x) return x < 1 and x end, {})
fails(function(x) while x > nil do return end end, 1)
fails(function(x)
  return x == 1
    or x
      .y.z == 2
end, {})
fails(function(...)
  if not
      select(1, ...)
      (
        3
      ) then
    return 1
  end
end, 5)
fails(function(x) if error("own", 1) == x then return 1 end end)
fails(function(x) if error("caller's", 2) == x then return 1 end end)
fails(function(x) if assert(x, "said") == 1 then return 1 end end)

-- who is called, as debug sees it
local function level() local i = debug.getinfo(2, "Sl") return i.currentline end
print(level() == 1, level() or 1, not level(),
  level()
  == level())
local function name() return debug.getinfo(1, "n").name or "?" end
print(name() == "name", name() or 1, (name() ~= nil) and name())
print((debug.traceback("t"):gsub("\n.*", "")) == "t")
local function shown(a, b)
  if a == b then
    local i, all = 1, {}
    while debug.getlocal(1, i) do
      all[i] = debug.getlocal(1, i)
      i = i + 1
    end
    return table.concat(all, " ")
  end
end
print(shown(1, 1))

-- coroutines: yields in operands
local co = coroutine.wrap(function(...)
  local got = {}
  while coroutine.yield(...) == coroutine.yield() do
    if coroutine.yield "c" then got[#got + 1] = coroutine.yield() or "none" end
    if not coroutine.yield() then break end
  end
  return table.unpack(got)
end)
print(co(1, 2)) co(5) print(co(5)) co(true) co(nil) co(true) co(8) print(co(9))
local iterate = function(t, i) i = (i or 0) + 1 if t[i] ~= nil then return i, t[i] end end
for i, v in iterate, {3, false, 5} do if v or i == 2 then say(v) end end
flush()

-- an environment of its own
do
  local print = print
  local _ENV = {v = 1}
  if v == 1 and not w then x = v or w end
  print(x == 1, x, w == v)
end
local function within(_ENV) if a then return a == b, not b, b or a end return "empty" end
print(within {a = 1, b = 1})
print(within {})
print(load("if a == 1 then return b or a, not c end", "=own", "t", {a = 1})())
print(pcall(load("return a and a.b == 1", "=strict", "t", setmetatable({}, {__index = function(_, k) error("no " .. k, 0) end}))))
local set = load "if v == 3 then return v or 1 end return 'else', not v"
print(set())
debug.setupvalue(set, 1, {v = 3})
print(set())

-- long and deep
local chain = {}
for i = 1, 5000 do chain[i] = "v == " .. i end
local v = read("local v = ... return " .. table.concat(chain, " or "))
print(v(5000), v(5001))
for i = 1, 3000 do chain[i] = "v" end
print(read("local v = ... return " .. table.concat(chain, " and ", 1, 3000))(3))
local function try(depth, text, ...)
  local f = read("local f, a, b = ... " .. text)
  print(depth, f and f(...), f ~= nil)
end
for _, depth in ipairs {50, 90, 95, 100, 150, 180, 190, 199} do
  try(depth, "return " .. ("("):rep(depth) .. "a" .. (" == b)"):rep(depth), nil, 1, 1)
  try(depth, "return " .. ("("):rep(depth) .. "a" .. (" or b)"):rep(depth), nil, 1, 1)
  try(depth, "return " .. ("(a and b or "):rep(depth) .. "b" .. (")"):rep(depth), nil, false, 4)
  try(depth, "return " .. ("f("):rep(depth) .. "not a" .. (")"):rep(depth) .. " == b", values, 1, false)
  try(depth, "return " .. ("f(a == "):rep(depth) .. "a" .. (")"):rep(depth) .. " == b", values, 1, false)
  try(depth, "return " .. ("not "):rep(depth) .. "a", nil, 1)
  try(depth, ("if a == b then "):rep(depth) .. "f = a or b" .. (" end"):rep(depth) .. " return f", nil, 1, 1)
  try(depth, "return " .. ("a and "):rep(depth) .. "(" .. ("a or ("):rep(depth // 3) .. "b" .. (")"):rep(depth // 3) .. ")",
    nil, false, 1)
end
local dumped = load(string.dump(function(x) if x then return x == 1, tostring(x or 2) end return "no" end))
print(dumped(1)) print(dumped())
dumped = load(string.dump(function(x) return x and _ENV == _G, x or 0 end, true))
print(dumped(1))
