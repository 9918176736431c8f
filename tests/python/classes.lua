-- Made by lib/to_lua.py from classes.py: the same program as calls of moontile.python.
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
local __cls1
__cls1 = P.class("A", P.list{}, nil, function(ns) ns.__doc__ = "doc of A"
do local _ = "doc of A" end
do local __t2 = "a"
ns.kind = __t2
end
do local __t3 = 0
ns.count = __t3
end
do local __t4 = false
ns.flag = __t4
end
ns.__init__ = P.func({name = "__init__", qual = "A.__init__", npos = 3, "self", "x", "y", default = {[3] = 2}}, function(__sig) return function(self, x, y, ...) if self == nil or x == nil or y == nil or (...) ~= nil then self, x, y = P.args(__sig, self, x, y, ...) end
do local __t5 = P.tuple{(L(x, "x")), (L(y, "y"))}
local __t6, __t7 = P.unpack(__t5, 2)
P.setattr(L(self, "self"), "x", __t6)
P.setattr(L(self, "self"), "y", __t7)
end
do local o = V("A") P.setattr(o, "count", P.iadd(P.attr(o, "count"), 1)) end
do return P.None end end end)
ns.__repr__ = P.func({name = "__repr__", qual = "A.__repr__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return ((P.format(P.attr(P.call(V("type"), L(self, "self")), "__name__"), nil, nil) .. "(" .. P.format(P.attr(L(self, "self"), "x"), nil, nil) .. ", " .. P.format(P.attr(L(self, "self"), "y"), nil, nil) .. ")")) end end end)
ns.__add__ = P.func({name = "__add__", qual = "A.__add__", npos = 2, "self", "other", default = {}}, function(__sig) return function(self, other, ...) if self == nil or other == nil or (...) ~= nil then self, other = P.args(__sig, self, other, ...) end
if P.truth(P.call(V("isinstance"), L(other, "other"), V("A"))) then
do return (P.call(V("A"), P.add(P.attr(L(self, "self"), "x"), P.attr(L(other, "other"), "x")))) end
end
if P.truth(P.call(V("isinstance"), L(other, "other"), V("int"))) then
do return (P.call(V("A"), P.add(P.attr(L(self, "self"), "x"), L(other, "other")))) end
end
do return (V("NotImplemented")) end end end)
ns.__radd__ = P.func({name = "__radd__", qual = "A.__radd__", npos = 2, "self", "other", default = {}}, function(__sig) return function(self, other, ...) if self == nil or other == nil or (...) ~= nil then self, other = P.args(__sig, self, other, ...) end
do return (P.call(V("A"), P.add(L(other, "other"), P.attr(L(self, "self"), "x")), "r")) end end end)
ns.__iadd__ = P.func({name = "__iadd__", qual = "A.__iadd__", npos = 2, "self", "other", default = {}}, function(__sig) return function(self, other, ...) if self == nil or other == nil or (...) ~= nil then self, other = P.args(__sig, self, other, ...) end
do local o = L(self, "self") P.setattr(o, "x", P.iadd(P.attr(o, "x"), L(other, "other"))) end
do return (L(self, "self")) end end end)
ns.__eq__ = P.func({name = "__eq__", qual = "A.__eq__", npos = 2, "self", "other", default = {}}, function(__sig) return function(self, other, ...) if self == nil or other == nil or (...) ~= nil then self, other = P.args(__sig, self, other, ...) end
do return (P.land(P.call(V("isinstance"), L(other, "other"), V("A")), function() return P["eq"](P.attr(L(self, "self"), "x"), P.attr(L(other, "other"), "x")) end)) end end end)
ns.__hash__ = P.func({name = "__hash__", qual = "A.__hash__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.call(V("hash"), P.attr(L(self, "self"), "x"))) end end end)
ns.__lt__ = P.func({name = "__lt__", qual = "A.__lt__", npos = 2, "self", "other", default = {}}, function(__sig) return function(self, other, ...) if self == nil or other == nil or (...) ~= nil then self, other = P.args(__sig, self, other, ...) end
do return (P["lt"](P.attr(L(self, "self"), "x"), P.attr(L(other, "other"), "x"))) end end end)
ns.__len__ = P.func({name = "__len__", qual = "A.__len__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.attr(L(self, "self"), "x")) end end end)
ns.__getitem__ = P.func({name = "__getitem__", qual = "A.__getitem__", npos = 2, "self", "k", default = {}}, function(__sig) return function(self, k, ...) if self == nil or k == nil or (...) ~= nil then self, k = P.args(__sig, self, k, ...) end
do return (P.tuple{("item"), (L(k, "k"))}) end end end)
ns.__contains__ = P.func({name = "__contains__", qual = "A.__contains__", npos = 2, "self", "k", default = {}}, function(__sig) return function(self, k, ...) if self == nil or k == nil or (...) ~= nil then self, k = P.args(__sig, self, k, ...) end
do return (P["eq"](L(k, "k"), P.attr(L(self, "self"), "x"))) end end end)
ns.__call__ = P.func({name = "__call__", qual = "A.__call__", npos = 1, "self", default = {}, vararg = "args", kwarg = "kw"}, function(__sig) return function(self, ...) local args, kw
self, args, kw = P.args(__sig, self, ...)
do return (P.tuple{(L(args, "args")), (L(kw, "kw"))}) end end end)
ns.__bool__ = P.func({name = "__bool__", qual = "A.__bool__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P["ne"](P.attr(L(self, "self"), "x"), 0)) end end end)
ns.double = P.call(V("property"), P.func({name = "double", qual = "A.double", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.mul(P.attr(L(self, "self"), "x"), 2)) end end end))
ns.double = P.call(P.attr((ns.double ~= nil and ns.double or V("double")), "setter"), P.func({name = "double", qual = "A.double", npos = 2, "self", "v", default = {}}, function(__sig) return function(self, v, ...) if self == nil or v == nil or (...) ~= nil then self, v = P.args(__sig, self, v, ...) end
do local __t8 = P.floordiv(L(v, "v"), 2)
P.setattr(L(self, "self"), "x", __t8)
end
do return P.None end end end))
ns.st = P.call(V("staticmethod"), P.func({name = "st", qual = "A.st", npos = 1, "v", default = {}}, function(__sig) return function(v, ...) if v == nil or (...) ~= nil then v = P.args(__sig, v, ...) end
do return (P.add(L(v, "v"), 1)) end end end))
ns.cm = P.call(V("classmethod"), P.func({name = "cm", qual = "A.cm", npos = 2, "cls", "v", default = {}}, function(__sig) return function(cls, v, ...) if cls == nil or v == nil or (...) ~= nil then cls, v = P.args(__sig, cls, v, ...) end
do return (P.call(L(cls, "cls"), L(v, "v"))) end end end))
ns.f = P.func({name = "f", qual = "A.f", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return ("A.f") end end end) end)
G["A"] = __cls1
local __cls9
__cls9 = P.class("B", P.list{(V("A"))}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "B.__init__", npos = 2, "self", "x", default = {}}, function(__sig) return function(self, x, ...) if self == nil or x == nil or (...) ~= nil then self, x = P.args(__sig, self, x, ...) end
__stat = P.methodk(P.super(__cls9, self), "__init__", {"y"}, L(x, "x"), 5)
do local __t10 = 0
P.setattr(L(self, "self"), "z", __t10)
end
do return P.None end end end)
ns.f = P.func({name = "f", qual = "B.f", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.add("B.f>", P.method(P.super(__cls9, self), "f"))) end end end) end)
G["B"] = __cls9
local __cls11
__cls11 = P.class("C", P.list{(V("A"))}, nil, function(ns) ns.f = P.func({name = "f", qual = "C.f", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.add("C.f>", P.method(P.super(__cls11, self), "f"))) end end end) end)
G["C"] = __cls11
local __cls12
__cls12 = P.class("D", P.list{(V("B")), (V("C"))}, nil, function(ns)  end)
G["D"] = __cls12
do local __t13 = P.tuple{(P.call(V("A"), 1)), (P.call(V("B"), 3))}
local __t14, __t15 = P.unpack(__t13, 2)
G["a"] = __t14
G["b"] = __t15
end
__stat = P.call(V("print"), V("a"), V("b"), P.add(V("a"), V("b")), P.add(V("a"), 1), P.add(5, V("a")), P["eq"](V("a"), P.call(V("A"), 1)), P["ne"](V("a"), V("b")), P["lt"](V("a"), V("b")), P["gt"](V("b"), V("a")), P.call(V("len"), V("b")), P.index(V("a"), 1, 2), P.index(V("a"), P.slice(1, 2, nil)), P["contains"](1, V("a")), P.call(V("bool"), P.call(V("A"), 0)))
__stat = P.call(V("print"), P.callk(V("a"), {"k"}, 1, 2), P.attr(V("a"), "double"), P.attr(V("A"), "kind"), P.attr(V("a"), "kind"), P.attr(V("a"), "flag"), P.attr(V("A"), "count"), P.method(V("A"), "st", 1), P.method(V("a"), "st", 2), P.method(V("B"), "cm", 4), P.method(P.call(V("D"), 1), "f"), (function(it) local r = P.list{} local c for __x16 in P.iter(it) do c = __x16 P.append(r, P.attr(c, "__name__")) end return r end)(P.attr(V("D"), "__mro__")))
do local __t17 = 10
P.setattr(V("a"), "double", __t17)
end
G["a"] = P.iadd(V("a"), 3)
__stat = P.call(V("print"), V("a"), P.attr(V("a"), "x"), P.index(P.dict{P.call(V("A"), 1), ("one")}, P.call(V("A"), 1)), P.attr(V("A"), "__doc__"), P.attr(V("A"), "__name__"), P.attr(V("a"), "__class__"), P.call(V("isinstance"), V("b"), V("A")), P.call(V("issubclass"), V("D"), V("C")), P.call(V("hasattr"), V("a"), "zz"), P.call(V("getattr"), V("a"), "zz", 7))
do local __c, __v = P.try(function() do local _ = P.add(V("a"), "s") end end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "TypeError:", V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() do local _ = P.attr(V("a"), "nope") end end, {{[1] = function() return V("AttributeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "AttributeError:", V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() __stat = P.call(V("A")) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() __stat = P.call(V("A"), 1, 2, 3) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() __stat = P.callk(V("A"), {"q"}, 1, 2) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
__stat = P.call(V("print"), P.call(V("vars"), P.call(V("A"), 1)), P.call(V("sorted"), P.generator(function(it) local n for __x18 in P.iter(it) do n = __x18 if P.truth(P.no(P.method(n, "startswith", "_"))) then P.yield(n) end end end)(P.call(B.iter, P.call(V("dir"), V("a"))))))
do local __t19 = P.attr(V("a"), "f")
G["m"] = __t19
end
__stat = P.call(V("print"), P.call(V("m")), P.attr(V("m"), "__name__"), P.method(V("A"), "f", V("a")), P["is"](P.attr(P.attr(V("a"), "f"), "__self__"), V("a")))
do local __t20 = 5
P.setattr(V("a"), "new", __t20)
end
P.delattr(V("a"), "new")
__stat = P.call(V("print"), P.call(V("hasattr"), V("a"), "new"))
local __cls21
__cls21 = P.class("Meta", P.list{}, nil, function(ns) ns.__getattr__ = P.func({name = "__getattr__", qual = "Meta.__getattr__", npos = 2, "self", "name", default = {}}, function(__sig) return function(self, name, ...) if self == nil or name == nil or (...) ~= nil then self, name = P.args(__sig, self, name, ...) end
if P.truth(P.method(L(name, "name"), "startswith", "x")) then
do return (P.method(L(name, "name"), "upper")) end
end
P.raise(P.call(V("AttributeError"), L(name, "name")))
do return P.None end end end)
ns.__setattr__ = P.func({name = "__setattr__", qual = "Meta.__setattr__", npos = 3, "self", "name", "v", default = {}}, function(__sig) return function(self, name, v, ...) if self == nil or name == nil or v == nil or (...) ~= nil then self, name, v = P.args(__sig, self, name, v, ...) end
__stat = P.method(V("object"), "__setattr__", L(self, "self"), P.add("_", L(name, "name")), L(v, "v"))
do return P.None end end end) end)
G["Meta"] = __cls21
do local __t22 = P.call(V("Meta"))
G["mt"] = __t22
end
do local __t23 = 3
P.setattr(V("mt"), "q", __t23)
end
__stat = P.call(V("print"), P.attr(V("mt"), "xyz"), P.attr(V("mt"), "_q"), P.call(V("hasattr"), V("mt"), "bad"))
local __cls24
__cls24 = P.class("E", P.list{(V("Exception"))}, nil, function(ns)  end)
G["E"] = __cls24
local __cls25
__cls25 = P.class("F", P.list{(V("E"))}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "F.__init__", npos = 2, "self", "code", default = {}}, function(__sig) return function(self, code, ...) if self == nil or code == nil or (...) ~= nil then self, code = P.args(__sig, self, code, ...) end
__stat = P.method(P.super(__cls25, self), "__init__", ("code " .. P.format(L(code, "code"), nil, nil)))
do local __t26 = L(code, "code")
P.setattr(L(self, "self"), "code", __t26)
end
do return P.None end end end) end)
G["F"] = __cls25
G["risky"] = P.func({name = "risky", qual = "risky", npos = 1, "n", default = {}}, function(__sig) return function(n, ...) if n == nil or (...) ~= nil then n = P.args(__sig, n, ...) end
local e
do local __c, __v = P.try(function() if P.truth(P["eq"](L(n, "n"), 0)) then
do return 1, "ret" end
end
if P.truth(P["eq"](L(n, "n"), 1)) then
P.raise(P.call(V("F"), 7))
end
if P.truth(P["eq"](L(n, "n"), 2)) then
P.raise(P.call(V("ValueError"), "bad", 2))
end
if P.truth(P["eq"](L(n, "n"), 3)) then
do local _ = P.index(P.dict{}, "k") end
end
if P.truth(P["eq"](L(n, "n"), 4)) then
do local _ = P.index(P.list{}, 1) end
end
if P.truth(P["eq"](L(n, "n"), 5)) then
do local _ = P.div(1, 0) end
end end, {{[1] = function() return V("E") end, [2] = function(__e) e = __e
do return 1, P.tuple{("E"), (P.call(V("str"), L(e, "e"))), (P.attr(L(e, "e"), "code")), (P.attr(L(e, "e"), "args"))} end end}, {[1] = function() return P.tuple{(V("ValueError")), (V("KeyError"))} end, [2] = function(__e) e = __e
do return 1, P.tuple{(P.attr(P.call(V("type"), L(e, "e")), "__name__")), (P.call(V("str"), L(e, "e"))), (P.attr(L(e, "e"), "args")), (P.call(V("repr"), L(e, "e")))} end end}, {[1] = function() return V("IndexError") end, [2] = function(__e) do return 1, "index" end end}}, function() do return 1, "else" end end, function() __stat = P.call(V("print"), "finally", L(n, "n")) end)
if __c == 1 then return __v end
end
do return ("end") end end end)
do
for __x27 in P.iter(P.call(V("range"), 4)) do
do
G["i"] = __x27
__stat = P.call(V("print"), P.call(V("risky"), V("i")))
end ::__c28:: end
end
__stat = P.call(V("print"), P.call(V("risky"), 4), P.call(V("risky"), 6))
do local __c, __v = P.try(function() __stat = P.call(V("risky"), 5) end, {{[1] = function() return V("ZeroDivisionError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "zero", V("e")) end}}, nil, nil)
end
G["loops"] = P.func({name = "loops", qual = "loops", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local i, out
do local __t30 = P.list{}
out = __t30
end
do
local __done33 = true
for __x31 in P.iter(P.call(V("range"), 6)) do
do
i = __x31
do local __c, __v = P.try(function() if P.truth(P["eq"](L(i, "i"), 1)) then
do return 3 end
end
if P.truth(P["eq"](L(i, "i"), 4)) then
do return 2 end
end
__stat = P.method(L(out, "out"), "append", L(i, "i")) end, {}, nil, function() __stat = P.method(L(out, "out"), "append", "f") end)
if __c == 1 then return __v end
if __c == 2 then __done33 = false break elseif __c == 3 then goto __c32 end
end
end ::__c32:: end
if __done33 then
__stat = P.method(L(out, "out"), "append", "else")
end
end
do
local __done36 = true
for __x34 in P.iter(P.call(V("range"), 2)) do
do
i = __x34
end ::__c35:: end
if __done36 then
__stat = P.method(L(out, "out"), "append", "done")
end
end
do

while P.truth(true) do
do
do local __c, __v = P.try(function() P.raise(P.call(V("E"), "x")) end, {{[1] = function() return V("E") end, [2] = function(__e) do return 2 end end}}, nil, nil)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c37 end
end
end ::__c37:: end
end
do return (L(out, "out")) end end end)
__stat = P.call(V("print"), P.call(V("loops")))
do local __c, __v = P.try(function() do local __c, __v = P.try(function() P.raise(P.call(V("ValueError"), "inner")) end, {{[1] = function() return V("ValueError") end, [2] = function(__e) G["e"] = __e
P.raise(P.call(V("RuntimeError"), "outer"), V("e")) end}}, nil, nil)
if __c then return __c, __v end end end, {{[1] = function() return V("RuntimeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e"), P.call(V("repr"), P.attr(V("e"), "__cause__"))) end}}, nil, nil)
end
do local __c, __v = P.try(function() do local __c, __v = P.try(function() P.raise(P.call(V("KeyError"), "again")) end, {{[1] = function() return V("KeyError") end, [2] = function(__e) P.raise() end}}, nil, nil)
if __c then return __c, __v end end end, {{[1] = function() return V("KeyError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.call(V("repr"), V("e")), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() if P.no(P["eq"](1, 2)) then P.assertion(function() return "no" end) end end, {{[1] = function() return V("AssertionError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "assert", V("e")) end}}, nil, nil)
end
local __cls39
__cls39 = P.class("Ctx", P.list{}, nil, function(ns) ns.__enter__ = P.func({name = "__enter__", qual = "Ctx.__enter__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
__stat = P.call(V("print"), "enter")
do return (L(self, "self")) end end end)
ns.__exit__ = P.func({name = "__exit__", qual = "Ctx.__exit__", npos = 4, "self", "t", "v", "tb", default = {}}, function(__sig) return function(self, t, v, tb, ...) if self == nil or t == nil or v == nil or tb == nil or (...) ~= nil then self, t, v, tb = P.args(__sig, self, t, v, tb, ...) end
__stat = P.call(V("print"), "exit", P.choose(L(t, "t"), function() return P.attr(L(t, "t"), "__name__") end, function() return P.None end), L(v, "v"))
do return (P["is"](L(t, "t"), V("ValueError"))) end end end) end)
G["Ctx"] = __cls39
do local __c, __v = P.with(P.call(V("Ctx")), function(__x) G["c"] = __x
do local __c, __v = P.with(P.call(V("Ctx")), function(__x) __stat = P.call(V("print"), "in", P.attr(P.call(V("type"), V("c")), "__name__")) end)
if __c then return __c, __v end end end)
end
do local __c, __v = P.with(P.call(V("Ctx")), function(__x) P.raise(P.call(V("ValueError"), "swallowed")) end)
end
G["w"] = P.func({name = "w", qual = "w", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do local __c, __v = P.with(P.call(V("Ctx")), function(__x) do return 1, 5 end end)
if __c == 1 then return __v end
end
do return P.None end end end)
__stat = P.call(V("print"), P.call(V("w")))
local __cls40
__cls40 = P.class("It", P.list{}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "It.__init__", npos = 2, "self", "n", default = {}}, function(__sig) return function(self, n, ...) if self == nil or n == nil or (...) ~= nil then self, n = P.args(__sig, self, n, ...) end
do local __t41 = P.tuple{(0), (L(n, "n"))}
local __t42, __t43 = P.unpack(__t41, 2)
P.setattr(L(self, "self"), "i", __t42)
P.setattr(L(self, "self"), "n", __t43)
end
do return P.None end end end)
ns.__iter__ = P.func({name = "__iter__", qual = "It.__iter__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (L(self, "self")) end end end)
ns.__next__ = P.func({name = "__next__", qual = "It.__next__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
if P.truth(P["ge"](P.attr(L(self, "self"), "i"), P.attr(L(self, "self"), "n"))) then
P.raise(V("StopIteration"))
end
do local o = L(self, "self") P.setattr(o, "i", P.iadd(P.attr(o, "i"), 1)) end
do return (P.attr(L(self, "self"), "i")) end end end) end)
G["It"] = __cls40
__stat = P.call(V("print"), P.call(V("list"), P.call(V("It"), 3)), P.call(V("sum"), P.call(V("It"), 4)), (function(it) local r = P.list{} local x for __x44 in P.iter(it) do x = __x44 P.append(r, x) end return r end)(P.call(V("It"), 2)), P.call(V("max"), P.call(V("It"), 3)), P["contains"](2, P.call(V("It"), 3)))
G["gen"] = P.func({name = "gen", qual = "gen", npos = 1, "n", default = {}}, function(__sig) return P.generator(function(n, ...) if n == nil or (...) ~= nil then n = P.args(__sig, n, ...) end
local got, i
do

for __x45 in P.iter(P.call(V("range"), L(n, "n"))) do
do
i = __x45
do local __t48 = P.yield(L(i, "i"))
got = __t48
end
if P.truth(L(got, "got")) then
__stat = P.call(V("print"), "got", L(got, "got"))
end
end ::__c46:: end
end
do return ("end") end end) end)
G["outer"] = P.func({name = "outer", qual = "outer", npos = 0, default = {}}, function(__sig) return P.generator(function(...) if (...) ~= nil then P.args(__sig, ...) end
local r
do local __t49 = P.yieldfrom(P.call(V("gen"), 2))
r = __t49
end
__stat = P.call(V("print"), "result", L(r, "r"))
do local _ = P.yield(99) end
do return P.None end end) end)
__stat = P.call(V("print"), P.call(V("list"), P.call(V("gen"), 3)), P.call(V("list"), P.call(V("outer"))))
do local __t50 = P.call(V("gen"), 3)
G["g"] = __t50
end
__stat = P.call(V("print"), P.call(V("next"), V("g")), P.method(V("g"), "send", "hi"), P.call(V("next"), V("g")), P.call(V("next"), V("g"), "default"))
do local __c, __v = P.try(function() __stat = P.call(V("next"), V("g")) end, {{[1] = function() return V("StopIteration") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "stop", P.attr(V("e"), "value")) end}}, nil, nil)
end
G["fin"] = P.func({name = "fin", qual = "fin", npos = 0, default = {}}, function(__sig) return P.generator(function(...) if (...) ~= nil then P.args(__sig, ...) end
do local __c, __v = P.try(function() do local _ = P.yield(1) end
do local _ = P.yield(2) end end, {}, nil, function() __stat = P.call(V("print"), "closed") end)
if __c == 1 then return __v end
end
do return P.None end end) end)
do local __t51 = P.call(V("fin"))
G["g"] = __t51
end
__stat = P.call(V("next"), V("g"))
__stat = P.method(V("g"), "close")
local __cls52
__cls52 = P.class("L", P.list{(V("list"))}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "L.__init__", npos = 1, "self", default = {}, vararg = "a"}, function(__sig) return function(self, ...) local a
self, a = P.args(__sig, self, ...)
__stat = P.methods(P.super(__cls52, self), "__init__", P.join("list", L(a, "a")), nil)
do local __t53 = "attr"
P.setattr(L(self, "self"), "n", __t53)
end
do return P.None end end end)
ns.total = P.func({name = "total", qual = "L.total", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.call(V("sum"), L(self, "self"))) end end end) end)
G["L"] = __cls52
do local __t54 = P.call(V("L"), P.list{(1), (2), (3)})
G["l"] = __t54
end
__stat = P.method(V("l"), "append", 4)
__stat = P.call(V("print"), V("l"), P.method(V("l"), "total"), P.call(V("len"), V("l")), P.index(V("l"), P.slice(1, nil, nil)), P.attr(V("l"), "n"), P.call(V("isinstance"), V("l"), V("list")), P.attr(P.call(V("type"), V("l")), "__name__"), P["eq"](V("l"), P.list{(1), (2), (3), (4)}))
local __cls55
__cls55 = P.class("Dd", P.list{(V("dict"))}, nil, function(ns) ns.__missing__ = P.func({name = "__missing__", qual = "Dd.__missing__", npos = 2, "self", "k", default = {}}, function(__sig) return function(self, k, ...) if self == nil or k == nil or (...) ~= nil then self, k = P.args(__sig, self, k, ...) end
do return (P.mul(L(k, "k"), 2)) end end end) end)
G["Dd"] = __cls55
do local __t56 = P.callk(V("Dd"), {"a"}, 1)
G["d"] = __t56
end
do local __t57 = 2
P.setindex(V("d"), __t57, "b")
end
__stat = P.call(V("print"), P.index(V("d"), "a"), P.index(V("d"), "zz"), V("d"), P.call(V("len"), V("d")), P.call(V("list"), P.method(V("d"), "items")), P.method(V("d"), "get", "q"))
local __cls58
__cls58 = P.class("S", P.list{(V("str"))}, nil, function(ns) ns.shout = P.func({name = "shout", qual = "S.shout", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.add(P.method(L(self, "self"), "upper"), "!")) end end end) end)
G["S"] = __cls58
do local __t59 = P.call(V("S"), "abc")
G["s"] = __t59
end
__stat = P.call(V("print"), V("s"), P.method(V("s"), "shout"), P.add(V("s"), "d"), P.call(V("len"), V("s")), P["eq"](V("s"), "abc"), P.index(P.dict{V("s"), (1)}, "abc"), P.list{(V("s"))})
local __cls60
__cls60 = P.class("T2", P.list{(V("tuple"))}, nil, function(ns)  end)
G["T2"] = __cls60
__stat = P.call(V("print"), P.call(V("T2"), P.list{(1), (2)}), P.index(P.call(V("T2"), P.tuple{(3)}), 0))
local __cls61
__cls61 = P.class("P", P.list{}, nil, function(ns) do local __t62 = P.list{}
ns.registry = __t62
end
ns.__init_subclass__ = P.func({name = "__init_subclass__", qual = "P.__init_subclass__", npos = 1, "cls", default = {}, kwarg = "kw"}, function(__sig) return function(cls, ...) local kw
cls, kw = P.args(__sig, cls, ...)
__stat = P.methods(P.super(__cls61, cls), "__init_subclass__", P.list{}, P.merge(L(kw, "kw")))
__stat = P.method(P.attr(V("P"), "registry"), "append", P.attr(L(cls, "cls"), "__name__"))
do return P.None end end end) end)
G["P"] = __cls61
local __cls63
__cls63 = P.class("Q", P.list{(V("P"))}, nil, function(ns)  end)
G["Q"] = __cls63
__stat = P.call(V("print"), P.attr(V("P"), "registry"))
local __cls64
__cls64 = P.class("Desc", P.list{}, nil, function(ns) ns.__set_name__ = P.func({name = "__set_name__", qual = "Desc.__set_name__", npos = 3, "self", "owner", "name", default = {}}, function(__sig) return function(self, owner, name, ...) if self == nil or owner == nil or name == nil or (...) ~= nil then self, owner, name = P.args(__sig, self, owner, name, ...) end
do local __t65 = L(name, "name")
P.setattr(L(self, "self"), "name", __t65)
end
do return P.None end end end)
ns.__get__ = P.func({name = "__get__", qual = "Desc.__get__", npos = 3, "self", "o", "cls", default = {[3] = P.None}}, function(__sig) return function(self, o, cls, ...) if self == nil or o == nil or cls == nil or (...) ~= nil then self, o, cls = P.args(__sig, self, o, cls, ...) end
do return (P.choose(P["is"](L(o, "o"), P.None), function() return L(self, "self") end, function() return P.method(P.attr(L(o, "o"), "__dict__"), "get", P.add("_", P.attr(L(self, "self"), "name")), "unset") end)) end end end)
ns.__set__ = P.func({name = "__set__", qual = "Desc.__set__", npos = 3, "self", "o", "v", default = {}}, function(__sig) return function(self, o, v, ...) if self == nil or o == nil or v == nil or (...) ~= nil then self, o, v = P.args(__sig, self, o, v, ...) end
__stat = P.call(V("setattr"), L(o, "o"), P.add("_", P.attr(L(self, "self"), "name")), L(v, "v"))
do return P.None end end end) end)
G["Desc"] = __cls64
local __cls66
__cls66 = P.class("H", P.list{}, nil, function(ns) do local __t67 = P.call(V("Desc"))
ns.d = __t67
end end)
G["H"] = __cls66
do local __t68 = P.call(V("H"))
G["h"] = __t68
end
__stat = P.call(V("print"), P.attr(V("h"), "d"))
do local __t69 = 4
P.setattr(V("h"), "d", __t69)
end
__stat = P.call(V("print"), P.attr(V("h"), "d"), P.attr(V("h"), "_d"))
local __cls70
__cls70 = P.class("New", P.list{}, nil, function(ns) ns.__new__ = P.func({name = "__new__", qual = "New.__new__", npos = 2, "cls", "v", default = {}}, function(__sig) return function(cls, v, ...) if cls == nil or v == nil or (...) ~= nil then cls, v = P.args(__sig, cls, v, ...) end
local o
do local __t71 = P.method(P.super(__cls70, cls), "__new__", L(cls, "cls"))
o = __t71
end
do local __t72 = L(v, "v")
P.setattr(L(o, "o"), "v", __t72)
end
do return (L(o, "o")) end end end) end)
G["New"] = __cls70
__stat = P.call(V("print"), P.attr(P.call(V("New"), 3), "v"))
G["kw"] = P.func({name = "kw", qual = "kw", npos = 2, "a", "b", "c", "d", default = {[2] = 2, [4] = 4}, vararg = "args", kwarg = "rest"}, function(__sig) return function(a, b, ...) local c, d, args, rest
a, b, c, d, args, rest = P.args(__sig, a, b, ...)
do return (P.tuple{(L(a, "a")), (L(b, "b")), (L(args, "args")), (L(c, "c")), (L(d, "d")), (L(rest, "rest"))}) end end end)
__stat = P.call(V("print"), P.callk(V("kw"), {"c"}, 1, 3), P.callk(V("kw"), {"c", "e"}, 1, 5, 6, 7, 8, 9), P.calls(V("kw"), P.join("list", P.list{(1), (2), (3)}), P.merge(P.dict{"c", (1), "z", (2)})))
do
for __x73 in P.iter(P.list{(P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("kw"), 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.callk(V("kw"), {"c"}, 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.callk(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 1, "a", default = {}, posonly = 1}, function(__sig) return function(a, ...) if a == nil or (...) ~= nil then a = P.args(__sig, a, ...) end
do return (L(a, "a")) end end end), {"a"}, 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 1, "a", default = {}}, function(__sig) return function(a, ...) if a == nil or (...) ~= nil then a = P.args(__sig, a, ...) end
do return (L(a, "a")) end end end), 1, 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (1) end end end), 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 2, "a", "b", default = {[2] = 1}}, function(__sig) return function(a, b, ...) if a == nil or b == nil or (...) ~= nil then a, b = P.args(__sig, a, b, ...) end
do return (L(a, "a")) end end end), 1, 2, 3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.callk(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 1, "a", default = {}}, function(__sig) return function(a, ...) if a == nil or (...) ~= nil then a = P.args(__sig, a, ...) end
do return (L(a, "a")) end end end), {"a"}, 1, 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 3, "a", "b", "c", default = {}}, function(__sig) return function(a, b, c, ...) if a == nil or b == nil or c == nil or (...) ~= nil then a, b, c = P.args(__sig, a, b, c, ...) end
do return (0) end end end), 1)) end end end))}) do
do
G["bad"] = __x73
do local __c, __v = P.try(function() __stat = P.call(V("bad")) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c74 end
end
end ::__c74:: end
end
do
for __x76 in P.iter(P.list{(P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.add(1, "a")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.add("a", 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.add(P.list{(1)}, P.tuple{(2)})) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P["lt"](1, "a")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.neg("a")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("len"), 3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.index(3, 0)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.index(P.list{(1)}, "a")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.index("abc", 5)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.index(P.list{(1), (2)}, 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.index(P.dict{}, 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.dict{P.list{}, (1)}) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("int"), "x")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("float"), "y")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("int"), P.None)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.add(P.call(P.func({name = "<lambda>", qual = "<lambda>.<locals>.<lambda>", npos = 0, default = {}}, function(__sig) return P.generator(function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.yield(P.None)) end end) end)), 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method(P.list{}, "pop")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.index(P.tuple{(1), (2)}, 3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("iter"), 3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("next"), P.list{})) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("sum"), P.list{("a")})) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("max"), P.list{})) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method(P.list{(1), (2)}, "index", 3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method("a", "index", "b")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method(P.list{}, "remove", 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.mod(1, 0)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.floordiv(1, 0)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.div(1.0, 0)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("range"), 1, 2, 0)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("chr"), P.neg(1))) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("ord"), "ab")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.attr(P.None, "x")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.attr(1, "foo")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.attr(P.list{}, "foo")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.attr(V("len"), "foo")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.attr(V("A"), "foo")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.callk(V("print"), {"a"}, 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method("{}", "format")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.mod("%d", "x")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.mod("%d", P.tuple{(1), (2)})) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return ((P.format(1, nil, ("s")))) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return ((P.format("a", nil, ("d")))) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method(",", "join", P.list{(1)})) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method(P.dict{1, (2)}, "pop", 3)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("setattr"), 1, "x", 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("len"))) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method(P.list{}, "append")) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.method("a", "split", 1)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("isinstance"), 1, 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.generator(function(it) local _ for __x77 in P.iter(it) do _ = __x77 P.yield(_) end end)(P.call(B.iter, 5))) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.join("list", 5)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (V("undefined_name")) end end end))}) do
do
G["bad"] = __x76
do local __c, __v = P.try(function() __stat = P.call(V("bad"))
__stat = P.call(V("print"), "no error") end, {{[1] = function() return V("Exception") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.add(P.attr(P.call(V("type"), V("e")), "__name__"), ":"), V("e")) end}}, nil, nil)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c78 end
end
end ::__c78:: end
end
do local __c, __v = P.try(function() do local __t80 = P.tuple{(1), (2), (3)}
local __t81, __t82 = P.unpack(__t80, 2)
G["x"] = __t81
G["y"] = __t82
end end, {{[1] = function() return V("ValueError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() do local __t83 = P.list{(1)}
local __t84, __t85 = P.unpack(__t83, 2)
G["x"] = __t84
G["y"] = __t85
end end, {{[1] = function() return V("ValueError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() do local __t86 = 5
local __t87, __t88 = P.unpack(__t86, 2)
G["x"] = __t87
G["y"] = __t88
end end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
G["local_unbound"] = P.func({name = "local_unbound", qual = "local_unbound", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local zz
__stat = P.call(V("print"), L(zz, "zz"))
do local __t89 = 1
zz = __t89
end
do return P.None end end end)
do local __c, __v = P.try(function() __stat = P.call(V("local_unbound")) end, {{[1] = function() return V("UnboundLocalError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.attr(P.call(V("type"), V("e")), "__name__"), V("e")) end}}, nil, nil)
end
end)
