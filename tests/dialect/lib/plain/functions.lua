-- Functions, closures, varargs, methods, recursion, attributes.
local function fact(n) if n <= 1 then return 1 else return n * fact(n - 1) end end
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
print(fact(10), fib(15))
function global_fn(a, b) return a, b end
print(global_fn(1), global_fn(1, 2, 3))
local t = {n = 0, sub = {deep = {}}}
function t.f(x) return x and x + 1 or 0 end
function t:m(x) self.n = self.n + (x or 1) return self end
function t.sub.deep.g(...) return select("#", ...), ... end
function t.sub.deep:h(x) return self == t.sub.deep, x end
print(t.f(1), t.f(), t:m():m(5):m().n, t.sub.deep.g(1, nil, 3))
print(t.sub.deep:h(4))
t.sub["key with space"] = function(a) return a end
print(t.sub["key with space"] "str")
local function va(...)
  local a, b = ...
  local n = select("#", ...)
  local packed = {...}
  local first = (...)
  return n, a, b, #packed, first, ...
end
print(va()) print(va(nil)) print(va(1, 2, 3)) print((va(1, 2)))
local function pass(...) return va(...) end
print(pass(7, 8))
local function inner(...)
  local args = {...}
  return function(...) return #args, select("#", ...), ... end
end
print(inner(1, 2, 3)(4, 5))
print((function(...) return ... end)(1, 2), (function() end)())
local function counter()
  local n = 0
  return {inc = function() n = n + 1 return n end, dec = function() n = n - 1 return n end, get = function() return n end}
end
local c, d = counter(), counter()
c.inc() c.inc() d.dec()
print(c.get(), d.get())
local fs = {}
for i = 1, 5 do fs[i] = function() i = i + 10 return i end end
print(fs[1](), fs[1](), fs[5]())
local acc = 0
local function add(x) acc = acc + x return acc end
for i = 1, 10 do add(i) end
print(acc)
local function tail(n) if n == 0 then return "end" end return tail(n - 1) end
print(tail(100000))
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
print(even(10), odd(7), even(7))
print(pcall(error, "msg", 0)) print(pcall(error, {code = 1}) and 1 or 2)
print(select(2, pcall(function() local x = nil; return x.y end)))
print(select(2, pcall(function() undefined_function() end)))
print(xpcall(function() error("deep", 0) end, function(m) return "handled " .. m end))
do
  local log = {}
  local function res(name) return setmetatable({}, {__close = function(_, e) log[#log + 1] = name .. tostring(e) end}) end
  do
    local a <close> = res "a"
    local b <const>, c <close> = 5, res "c"
    log[#log + 1] = "body" .. b
  end
  local function f() local x <close> = res "x" return "value", #log end
  log[#log + 1] = f()
  pcall(function() local y <close> = res "y" error("e", 0) end)
  for i = 1, 2 do local z <close> = res("z" .. i) if i == 2 then break end end
  print(table.concat(log, " "))
end
local x <const> = 10
local y <const>, z = "s", x + 1
print(x, y, z, (function() return x end)())
local a, b, c2 = (function() return 1, 2, 3 end)()
local e, f, g = (function() return 1, 2, 3 end)(), 10
local h, k = 1
print(a, b, c2, e, f, g, h, k)
a, b = b, a
a, b, c2 = c2, a
print(a, b, c2)
local i, tt = 1, {}
i, tt[i] = i + 1, 20
print(i, tt[1], tt[2])
local q = {1, 2, 3}
q[1], q[2], q[3] = q[3], q[1], q[2]
print(q[1], q[2], q[3])
t.a, t.b, t.c = 1, 2
print(t.a, t.b, t.c)
gx, gy = 1, 2
gx, gy = gy, gx
print(gx, gy)
local function shadow(x) local x = x or 5 do local x = x * 2 print(x) end return x end
print(shadow(), shadow(1))
do local _ENV = {print = print} ; x1 = 5 print(x1) end
print(x1)
local function sandbox(_ENV) y1 = 7 return y1 end
print(sandbox {}, y1)
local function env() local _ENV <const> = setmetatable({}, {__index = _G}) n1 = 1 n1 = n1 + 1 if n1 == 2 then n1 = n1 * 5 end return n1 end
print(env(), n1)
local co = coroutine.wrap(function(a)
  local b = coroutine.yield(a + 1)
  while b do if b > 5 then b = coroutine.yield(b * 2) else b = coroutine.yield(b and b or 0) end end
  return "done"
end)
print(co(1), co(10), co(3), co(nil))
local mt = {__index = function(t, k) return k .. "!" end, __newindex = function(t, k, v) rawset(t, k, v * 2) end}
local obj = setmetatable({}, mt)
obj.v = 4 obj.w = obj.v
print(obj.v, obj.w, obj.missing)
local Account = {} Account.__index = Account
function Account.new(b) return setmetatable({balance = b or 0}, Account) end
function Account:deposit(v) if v < 0 then error("negative", 0) end self.balance = self.balance + v return self end
function Account:__tostring() return "Account(" .. self.balance .. ")" end
local Special = setmetatable({}, {__index = Account}) Special.__index = Special
function Special:withdraw(v) if v > self.balance then return nil, "insufficient" end self.balance = self.balance - v return true end
local s = setmetatable({balance = 10}, Special)
print(tostring(Account.new(5):deposit(7)), s:deposit(1):withdraw(100), s.balance, pcall(s.deposit, s, -1))
