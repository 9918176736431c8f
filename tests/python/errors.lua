-- Made by lib/to_lua.py from errors.py: the same program as calls of moontile.python.
local P = require "moontile.python"
local B, G, __stat = P.builtins, {__name__ = "__main__"}
local function V(name)
  local v = G[name]
  if v == nil then v = B[name] end
  if v == nil then P.unbound(name, false) end
  return v
end
local function L(v, name)
  if v == nil then P.unbound(name, true) end
  return v
end
P.main(function()
G["logging"] = P.import("logging")
G["sys"] = P.import("sys")
G["warnings"] = P.import("warnings")
G["traceback"] = P.import("traceback")
do local __t1 = P.attr(V("sys"), "stdout")
P.setattr(V("sys"), "stderr", __t1)
end
__stat = P.methodk(V("logging"), "basicConfig", {"level", "format", "stream"}, P.attr(V("logging"), "INFO"), "%(levelname)s %(name)s: %(message)s", P.attr(V("sys"), "stdout"))
do local __t2 = P.method(V("logging"), "getLogger", "m")
G["log"] = __t2
end
__stat = P.method(V("log"), "debug", "no")
__stat = P.method(V("log"), "info", "n = %d", 5)
__stat = P.method(V("logging"), "warning", "root %s", "w")
G["f"] = P.func({name = "f", qual = "f", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do local __c, __v = P.try(function() do return 1, "try" end end, {}, nil, function() __stat = P.call(V("print"), "fin") end)
if __c == 1 then return __v end
end
do return P.None end end end)
G["g"] = P.func({name = "g", qual = "g", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local i
do

for __x3 in P.iter(P.call(V("range"), 3)) do
do
i = __x3
do local __c, __v = P.try(function() if P.truth(P["eq"](L(i, "i"), 1)) then
do return 1, L(i, "i") end
end end, {}, nil, function() if P.truth(P["eq"](L(i, "i"), 1)) then
__stat = P.call(V("print"), "leaving")
end end)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c4 end
end
end ::__c4:: end
end
do return P.None end end end)
G["h"] = P.func({name = "h", qual = "h", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local e
do local __c, __v = P.try(function() P.raise(P.call(V("ValueError"), "a")) end, {{[1] = function() return V("ValueError") end, [2] = function(__e) do local __c, __v = P.try(function() P.raise(P.call(V("KeyError"), "b")) end, {{[1] = function() return V("KeyError") end, [2] = function(__e) e = __e
__stat = P.call(V("print"), P.call(V("repr"), P.attr(L(e, "e"), "__context__"))) end}}, nil, nil)
if __c then return __c, __v end end
do local __c, __v = P.try(function() P.raise() end, {{[1] = function() return V("ValueError") end, [2] = function(__e) e = __e
do return 1, P.call(V("str"), L(e, "e")) end end}}, nil, nil)
if __c then return __c, __v end end end}}, nil, function() __stat = P.call(V("print"), "h done") end)
if __c == 1 then return __v end
end
do return P.None end end end)
__stat = P.call(V("print"), P.call(V("f")), P.call(V("g")), P.call(V("h")))
G["nest"] = P.func({name = "nest", qual = "nest", npos = 1, "n", default = {}}, function(__sig) return function(n, ...) if n == nil or (...) ~= nil then n = P.args(__sig, n, ...) end
local i
do

while P.truth(true) do
do
do

for __x8 in P.iter(P.call(V("range"), 5)) do
do
i = __x8
do local __c, __v = P.try(function() do local __c, __v = P.try(function() if P.truth(P["eq"](L(i, "i"), 2)) then
do return 2 end
end
if P.truth(P["eq"](L(i, "i"), 0)) then
do return 3 end
end
__stat = P.call(V("print"), "body", L(i, "i")) end, {}, nil, function() __stat = P.call(V("print"), "f1", L(i, "i")) end)
if __c then return __c, __v end end end, {{[1] = function() return V("Exception") end, [2] = function(__e) __stat = P.call(V("print"), "never") end}}, function() __stat = P.call(V("print"), "else", L(i, "i")) end, nil)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c9 end
end
end ::__c9:: end
end
do return (L(n, "n")) end
end ::__c6:: end
end
do return P.None end end end)
__stat = P.call(V("print"), P.call(V("nest"), 7))
local __cls11
__cls11 = P.class("Bad", P.list{}, nil, function(ns) ns.__enter__ = P.func({name = "__enter__", qual = "Bad.__enter__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
P.raise(P.call(V("RuntimeError"), "enter"))
do return P.None end end end)
ns.__exit__ = P.func({name = "__exit__", qual = "Bad.__exit__", npos = 1, "self", default = {}, vararg = "a"}, function(__sig) return function(self, ...) local a
self, a = P.args(__sig, self, ...)
__stat = P.call(V("print"), "not reached")
do return P.None end end end) end)
G["Bad"] = __cls11
do local __c, __v = P.try(function() do local __c, __v = P.with(P.call(V("Bad")), function(__x)  end)
if __c then return __c, __v end end end, {{[1] = function() return V("RuntimeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
local __cls12
__cls12 = P.class("Stack", P.list{}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "Stack.__init__", npos = 2, "self", "n", default = {}}, function(__sig) return function(self, n, ...) if self == nil or n == nil or (...) ~= nil then self, n = P.args(__sig, self, n, ...) end
do local __t13 = L(n, "n")
P.setattr(L(self, "self"), "n", __t13)
end
do return P.None end end end)
ns.__enter__ = P.func({name = "__enter__", qual = "Stack.__enter__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
__stat = P.call(V("print"), "in", P.attr(L(self, "self"), "n"))
do return (P.attr(L(self, "self"), "n")) end end end)
ns.__exit__ = P.func({name = "__exit__", qual = "Stack.__exit__", npos = 4, "self", "t", "v", "tb", default = {}}, function(__sig) return function(self, t, v, tb, ...) if self == nil or t == nil or v == nil or tb == nil or (...) ~= nil then self, t, v, tb = P.args(__sig, self, t, v, tb, ...) end
__stat = P.call(V("print"), "out", P.attr(L(self, "self"), "n"), P["isnot"](L(t, "t"), P.None))
do return (P["eq"](P.attr(L(self, "self"), "n"), 1)) end end end) end)
G["Stack"] = __cls12
do local __c, __v = P.with(P.call(V("Stack"), 1), function(__x) G["a"] = __x
do local __c, __v = P.with(P.call(V("Stack"), 2), function(__x) G["b"] = __x
P.raise(P.call(V("KeyError"), P.add(V("a"), V("b")))) end)
if __c then return __c, __v end end end)
end
do
for __x14 in P.iter(P.tuple{(P.call(V("ValueError"))), (P.call(V("ValueError"), "x")), (P.call(V("ValueError"), "x", 1)), (P.call(V("KeyError"), "k")), (P.call(V("OSError"), 2, "No such file")), (P.call(V("StopIteration"), 3)), (P.call(V("AssertionError"), "m")), (P.call(V("Exception"), P.None)), (P.call(V("IndexError"), 1.5))}) do
do
G["e"] = __x14
__stat = P.call(V("print"), P.call(V("repr"), V("e")), "|", P.call(V("str"), V("e")), "|", P.attr(V("e"), "args"))
end ::__c15:: end
end
do local __c, __v = P.try(function() P.raise(V("ValueError")) end, {{[1] = function() return P.tuple{(V("KeyError")), (V("ValueError"))} end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.call(V("type"), V("e")), P.attr(V("e"), "args")) end}}, nil, nil)
end
G["rec"] = P.func({name = "rec", qual = "rec", npos = 1, "n", default = {}}, function(__sig) return function(n, ...) if n == nil or (...) ~= nil then n = P.args(__sig, n, ...) end
do return (P.call(V("rec"), P.add(L(n, "n"), 1))) end end end)
do local __c, __v = P.try(function() __stat = P.call(V("rec"), 0) end, {{[1] = function() return V("RecursionError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.attr(P.call(V("type"), V("e")), "__name__")) end}}, nil, nil)
end
do local __c, __v = P.try(function() do local __c, __v = P.try(function() do local _ = P.div(1, 0) end end, {{[1] = function() return V("ZeroDivisionError") end, [2] = function(__e) G["e"] = __e
P.raise(P.call(V("ValueError"), "wrapped"), P.None) end}}, nil, nil)
if __c then return __c, __v end end end, {{[1] = function() return V("ValueError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e"), P.attr(V("e"), "__cause__")) end}}, nil, nil)
end
G["gen"] = P.func({name = "gen", qual = "gen", npos = 0, default = {}}, function(__sig) return P.generator(function(...) if (...) ~= nil then P.args(__sig, ...) end
local e, x
do local __c, __v = P.try(function() do local __t17 = P.yield(1)
x = __t17
end
__stat = P.call(V("print"), "x", L(x, "x")) end, {{[1] = function() return V("ValueError") end, [2] = function(__e) e = __e
__stat = P.call(V("print"), "in gen", L(e, "e"))
do local _ = P.yield("caught") end end}}, nil, nil)
if __c == 1 then return __v end
end
do return P.None end end) end)
do local __t18 = P.call(V("gen"))
G["g"] = __t18
end
__stat = P.call(V("print"), P.call(V("next"), V("g")), P.method(V("g"), "throw", P.call(V("ValueError"), "t")))
G["bad_gen"] = P.func({name = "bad_gen", qual = "bad_gen", npos = 0, default = {}}, function(__sig) return P.generator(function(...) if (...) ~= nil then P.args(__sig, ...) end
do local _ = P.yield(1) end
P.raise(P.call(V("KeyError"), "gen"))
do return P.None end end) end)
do local __c, __v = P.try(function() __stat = P.call(V("list"), P.call(V("bad_gen"))) end, {{[1] = function() return V("KeyError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "from gen", V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() P.raise(P.call(V("TypeError"), "t"), P.call(V("ValueError"), "v")) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.call(V("repr"), P.attr(V("e"), "__cause__"))) end}}, nil, nil)
end
local __cls19
__cls19 = P.class("MyErr", P.list{(V("Exception"))}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "MyErr.__init__", npos = 3, "self", "a", "b", default = {}}, function(__sig) return function(self, a, b, ...) if self == nil or a == nil or b == nil or (...) ~= nil then self, a, b = P.args(__sig, self, a, b, ...) end
do local __t20 = L(a, "a")
P.setattr(L(self, "self"), "a", __t20)
end
do return P.None end end end)
ns.__str__ = P.func({name = "__str__", qual = "MyErr.__str__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (("my " .. P.format(P.attr(L(self, "self"), "a"), nil, nil))) end end end) end)
G["MyErr"] = __cls19
do local __c, __v = P.try(function() P.raise(P.callk(V("MyErr"), {"b"}, 1, 2)) end, {{[1] = function() return V("MyErr") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e"), P.attr(V("e"), "args"), P.attr(V("e"), "a"), P.call(V("repr"), V("e"))) end}}, nil, nil)
end
do local __c, __v = P.try(function() P.raise(5) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() do

for __x21 in P.iter((function() G["d"] = P.dict{"a", (1)} return V("d") end)()) do
do
G["k"] = __x21
do local __t24 = 2
P.setindex(V("d"), __t24, "b")
end
end ::__c22:: end
end end, {{[1] = function() return V("RuntimeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
G["outer"] = P.func({name = "outer", qual = "outer", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local inc, n
do local __t25 = 0
n = __t25
end
inc = P.func({name = "inc", qual = "outer.<locals>.inc", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
n = P.iadd(L(n, "n"), 1)
do return (L(n, "n")) end end end)
__stat = P.call(L(inc, "inc"))
do return (P.call(L(inc, "inc"))) end end end)
__stat = P.call(V("print"), P.call(V("outer")))
do local __t26 = (function(it) local r = P.list{} local i for __x27 in P.iter(it) do i = __x27 P.append(r, P.func({name = "<lambda>", qual = "<lambda>", npos = 1, "i", default = {[1] = i}}, function(__sig) return function(i, ...) if i == nil or (...) ~= nil then i = P.args(__sig, i, ...) end
do return (L(i, "i")) end end end)) end return r end)(P.call(V("range"), 3))
G["fs"] = __t26
end
__stat = P.call(V("print"), (function(it) local r = P.list{} local f for __x28 in P.iter(it) do f = __x28 P.append(r, P.call(f)) end return r end)(V("fs")), (function(it) local r = P.list{} local f for __x30 in P.iter(it) do f = __x30 P.append(r, P.call(f)) end return r end)((function(it) local r = P.list{} local i for __x29 in P.iter(it) do i = __x29 P.append(r, P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (i) end end end)) end return r end)(P.call(V("range"), 3))))
do local __t31 = P.list{(1), (2), (3)}
G["x"] = __t31
end
do
for __x32 in P.iter(V("x")) do
do
G["v"] = __x32
if P.truth(P["eq"](V("v"), 2)) then
__stat = P.method(V("x"), "append", 9)
end
if P.truth(P["gt"](P.call(V("len"), V("x")), 5)) then
do  break end
end
end ::__c33:: end
end
__stat = P.call(V("print"), V("x"), V("v"))
do local __t35 = 0
G["i"] = __t35
end
do
local __done37 = true
while P.truth(P["lt"](V("i"), 3)) do
do
G["i"] = P.iadd(V("i"), 1)
if P.truth(P["eq"](V("i"), 2)) then
goto __c36
end
end ::__c36:: end
if __done37 then
__stat = P.call(V("print"), "while else", V("i"))
end
end
do local __t38 = P.list{}
G["a"] = __t38
G["b"] = __t38
end
__stat = P.method(V("a"), "append", 1)
__stat = P.call(V("print"), V("a"), V("b"), P["is"](V("a"), V("b")))
do local __t39 = P.tuple{(1), (2)}
local __t40, __t41 = P.unpack(__t39, 2)
G["a"] = __t40
G["b"] = __t41
end
do local __t42 = P.tuple{(V("b")), (V("a"))}
local __t43, __t44 = P.unpack(__t42, 2)
G["a"] = __t43
G["b"] = __t44
end
__stat = P.call(V("print"), V("a"), V("b"))
do local __t45 = P.dict{}
G["d"] = __t45
end
__stat = P.method(P.method(V("d"), "setdefault", "k", P.list{}), "append", 1)
do local __t46 = P.add(P.method(V("d"), "get", "x", 0), 1)
P.setindex(V("d"), __t46, "x")
end
do
for __x47 in P.iter(P.method(V("d"), "items")) do
do
local __t50, __t51 = P.unpack(__x47, 2)
G["k"] = __t50
G["v"] = __t51
__stat = P.callk(V("print"), {"end"}, V("k"), V("v"), ";")
end ::__c48:: end
end
__stat = P.call(V("print"), P.call(V("list"), V("d")), P.call(V("list"), P.method(V("d"), "values")), P.band(P.method(V("d"), "keys"), P.set{("k")}), P["contains"]("k", P.method(V("d"), "keys")), P.call(V("len"), P.method(V("d"), "items")), P.method(V("d"), "pop", "x"), V("d"), P.method(V("d"), "keys"), P.method(V("d"), "values"), P.method(V("d"), "items"))
P.delindex(V("d"), "k")
__stat = P.call(V("print"), V("d"), P.call(V("dict"), P.call(V("zip"), "ab", P.list{(1), (2)})), P.call(V("dict"), P.list{(P.tuple{(1), (2)})}), P.callk(V("dict"), {"a"}, 1), (function(it) local r = P.dict{} local k, v for __x52 in P.iter(it) do local __t53, __t54 = P.unpack(__x52, 2) k = __t53 v = __t54 local k = k P.setindex(r, v, k) end return r end)(P.call(V("zip"), "ab", "cd")), P.call(V("sorted"), P.dict{"b", (1), "a", (2)}), P.callk(V("max"), {"key"}, P.dict{"a", (3), "b", (1)}, P.attr(P.dict{"a", (3), "b", (1)}, "get")))
do local __t55 = P.set{(3), (1)}
G["s"] = __t55
end
__stat = P.method(V("s"), "add", 2)
G["s"] = P.ibor(V("s"), P.set{(7)})
__stat = P.method(V("s"), "discard", 9)
__stat = P.call(V("print"), P.call(V("len"), V("s")), P["contains"](7, V("s")), P["ge"](V("s"), P.set{(1)}), P.call(V("sorted"), V("s")), P.method(P.set{(1), (2)}, "isdisjoint", P.set{(3)}), P.bor(P.call(V("frozenset"), P.list{(1)}), P.set{(2)}), P["eq"](P.call(V("set"), "aab"), P.set{("a"), ("b")}))
__stat = P.call(V("print"), P.choose((function() G["e_"] = 3 return V("e_") end)(), function() return P.call(V("type"), V("e_")) end, function() return 0 end), V("e_"))
__stat = P.call(V("print"), V("__name__"), P.call(V("callable"), V("len")), P.call(V("callable"), 3), P["eq"](P.call(V("id"), V("a")), P.call(V("id"), V("a"))), P.add(P.list{(1), (2)}, P.list{(3)}), P.no(P.list{}), P["is"](V("print"), V("print")), P.callk(P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}, vararg = "a", kwarg = "k"}, function(__sig) return function(...) local a, k
a, k = P.args(__sig, ...)
do return (P.tuple{(L(a, "a")), (L(k, "k"))}) end end end), {"b"}, 1, 2))
__stat = P.calls(V("print"), P.join("list", P.tuple{P.call(V("any"), P.generator(function(it) local x for __x56 in P.iter(it) do x = __x56 P.yield(P["gt"](x, 2)) end end)(P.call(B.iter, P.list{(1), (2), (3)})))}, P.tuple{P.method(" ", "join", P.generator(function(it) local i for __x57 in P.iter(it) do i = __x57 P.yield(P.call(V("str"), i)) end end)(P.call(B.iter, P.call(V("range"), 3))))}, P.tuple{P.call(V("sum"), P.generator(function(it) local w for __x58 in P.iter(it) do w = __x58 P.yield(P.call(V("len"), w)) end end)(P.call(B.iter, P.list{("a"), ("bb")})))}, P.tuple{P.merge(P.callk(V("dict"), {"a"}, 1))}, P.tuple{P.join("list", P.call(V("range"), 3))}, P.list{(1)}), nil)
__stat = P.call(V("print"), 16, 1000.0, P.mul(P.floordiv(10, 3), 3.0), P.floordiv(P.neg(7), 2), P.pow(2, P.pow(3, 2)), P.neg(P.pow(2, 2)), P.no(P["eq"](1, 2)), P.choose(0, function() return 1 end, function() return P.choose(0, function() return 2 end, function() return 3 end) end), P.mod(5, P.neg(3)), (function() local __t59, __t60 return P.land((function() __t59 = "b" return P["lt"]("a", __t59) end)(), function() return (function() __t60 = "c" return P["lt"](__t59, __t60) end)() end) end)(), P.bor(P.band(3, 1), 4))
end)
