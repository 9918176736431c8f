-- Made by lib/to_lua.py from library.py: the same program as calls of moontile.python.
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
G["math"] = P.import("math")
G["itertools"] = P.import("itertools")
G["functools"] = P.import("functools")
G["operator"] = P.import("operator")
G["collections"] = P.import("collections")
G["json"] = P.import("json")
G["random"] = P.import("random")
G["copy"] = P.import("copy")
G["string"] = P.import("string")
G["time"] = P.import("time")
G["os"] = P.import("os")
G["sys"] = P.import("sys")
G["os"] = P.import("os.path")
G["root"] = P.import_from("math", "sqrt")
G["OrderedDict"] = P.import_from("collections", "OrderedDict")
G["Counter"] = P.import_from("collections", "Counter")
G["defaultdict"] = P.import_from("collections", "defaultdict")
G["deque"] = P.import_from("collections", "deque")
G["namedtuple"] = P.import_from("collections", "namedtuple")
G["dataclass"] = P.import_from("dataclasses", "dataclass")
G["field"] = P.import_from("dataclasses", "field")
G["asdict"] = P.import_from("dataclasses", "asdict")
G["replace"] = P.import_from("dataclasses", "replace")
G["astuple"] = P.import_from("dataclasses", "astuple")
G["fields"] = P.import_from("dataclasses", "fields")
G["Enum"] = P.import_from("enum", "Enum")
G["IntEnum"] = P.import_from("enum", "IntEnum")
G["auto"] = P.import_from("enum", "auto")
G["Flag"] = P.import_from("enum", "Flag")
G["List"] = P.import_from("typing", "List")
G["Optional"] = P.import_from("typing", "Optional")
G["Union"] = P.import_from("typing", "Union")
G["NamedTuple"] = P.import_from("typing", "NamedTuple")
G["TYPE_CHECKING"] = P.import_from("typing", "TYPE_CHECKING")
G["Any"] = P.import_from("typing", "Any")
G["Callable"] = P.import_from("typing", "Callable")
G["Dict"] = P.import_from("typing", "Dict")
G["Tuple"] = P.import_from("typing", "Tuple")
G["Literal"] = P.import_from("typing", "Literal")
G["contextlib"] = P.import("contextlib")
G["contextmanager"] = P.import_from("contextlib", "contextmanager")
G["suppress"] = P.import_from("contextlib", "suppress")
G["nullcontext"] = P.import_from("contextlib", "nullcontext")
G["ABC"] = P.import_from("abc", "ABC")
G["abstractmethod"] = P.import_from("abc", "abstractmethod")
G["Path"] = P.import_from("pathlib", "Path")
G["inspect"] = P.import("inspect")
__stat = P.call(V("print"), P.method(V("math"), "sqrt", 2), P.method(V("math"), "floor", P.neg(1.5)), P.method(V("math"), "ceil", 1.2), P.method(V("math"), "log2", 8), P.method(V("math"), "log", 10), P.method(V("math"), "gcd", 12, 18), P.attr(V("math"), "pi"), P.attr(V("math"), "inf"), P.method(V("math"), "prod", P.list{(1), (2), (3)}), P.method(V("math"), "isqrt", 17), P.method(V("math"), "comb", 5, 2), P.method(V("math"), "factorial", 5), P.method(V("math"), "exp", 1), P.call(V("root"), 4), P.method(V("math"), "log", 8, 2), P.method(V("math"), "trunc", P.neg(2.7)), P.method(V("math"), "hypot", 3, 4), P.method(V("math"), "isclose", P.add(0.1, 0.2), 0.3), P.method(V("math"), "fabs", P.neg(1)), P.method(V("math"), "copysign", 1, P.neg(0.0)), P.method(V("math"), "lcm", 4, 6), P.method(V("math"), "tanh", 0.5), P.method(V("math"), "erf", 0.5), P.method(V("math"), "fsum", P.mul(P.list{(0.1)}, 10)), P.method(V("math"), "degrees", P.attr(V("math"), "pi")), P.method(V("math"), "atan2", 1, 2), P.method(V("math"), "isnan", P.attr(V("math"), "nan")), P.method(V("math"), "fmod", P.neg(7), 3), P.method(V("math"), "frexp", 8.0), P.method(V("math"), "modf", 2.5))
__stat = P.call(V("print"), P.call(V("list"), P.method(V("itertools"), "product", P.list{(1), (2)}, "ab")), P.call(V("list"), P.methodk(V("itertools"), "product", {"repeat"}, P.list{(0), (1)}, 2)), P.call(V("list"), P.method(V("itertools"), "permutations", P.list{(1), (2), (3)}, 2)), P.call(V("list"), P.method(V("itertools"), "combinations", "abc", 2)), P.call(V("list"), P.method(V("itertools"), "chain", P.list{(1)}, P.list{(2), (3)})), P.call(V("list"), P.method(P.attr(V("itertools"), "chain"), "from_iterable", P.list{(P.list{(1)}), (P.list{(2)})})))
__stat = P.call(V("print"), P.call(V("list"), P.method(V("itertools"), "accumulate", P.list{(1), (2), (3)})), P.call(V("list"), P.method(V("itertools"), "accumulate", P.list{(1), (2), (3)}, P.attr(V("operator"), "mul"))), P.call(V("list"), P.method(V("itertools"), "islice", P.method(V("itertools"), "count", 5), 3)), P.call(V("list"), P.method(V("itertools"), "islice", P.list{(0), (1), (2), (3), (4)}, 1, 4, 2)), P.call(V("list"), P.method(V("itertools"), "repeat", "x", 2)), P.call(V("list"), P.method(V("itertools"), "starmap", V("pow"), P.list{(P.tuple{(2), (3)}), (P.tuple{(3), (2)})})), P.call(V("list"), P.methodk(V("itertools"), "zip_longest", {"fillvalue"}, P.list{(1), (2)}, "a", "-")), (function(it) local r = P.list{} local g, k for __x1 in P.iter(it) do local __t2, __t3 = P.unpack(__x1, 2) k = __t2 g = __t3 P.append(r, P.tuple{(k), (P.call(V("list"), g))}) end return r end)(P.method(V("itertools"), "groupby", "aabbc")), P.call(V("list"), P.method(V("itertools"), "takewhile", P.func({name = "<lambda>", qual = "<lambda>", npos = 1, "x", default = {}}, function(__sig) return function(x, ...) if x == nil or (...) ~= nil then x = P.args(__sig, x, ...) end
do return (P["lt"](L(x, "x"), 3)) end end end), P.list{(1), (2), (3), (1)})), P.call(V("list"), P.method(V("itertools"), "dropwhile", P.func({name = "<lambda>", qual = "<lambda>", npos = 1, "x", default = {}}, function(__sig) return function(x, ...) if x == nil or (...) ~= nil then x = P.args(__sig, x, ...) end
do return (P["lt"](L(x, "x"), 3)) end end end), P.list{(1), (2), (3), (1)})), P.call(V("list"), P.method(V("itertools"), "pairwise", P.list{(1), (2), (3)})))
do local __t4 = P.method(V("itertools"), "cycle", "ab")
G["c"] = __t4
end
__stat = P.call(V("print"), P.call(V("next"), V("c")), P.call(V("next"), V("c")), P.call(V("next"), V("c")))
do local __t5 = P.methodk(V("functools"), "partial", {"c"}, P.func({name = "<lambda>", qual = "<lambda>", npos = 3, "a", "b", "c", default = {[3] = 0}}, function(__sig) return function(a, b, c, ...) if a == nil or b == nil or c == nil or (...) ~= nil then a, b, c = P.args(__sig, a, b, c, ...) end
do return (P.tuple{(L(a, "a")), (L(b, "b")), (L(c, "c"))}) end end end), 1, 3)
G["add3"] = __t5
end
__stat = P.call(V("print"), P.call(V("add3"), 2), P.method(V("functools"), "reduce", P.func({name = "<lambda>", qual = "<lambda>", npos = 2, "a", "b", default = {}}, function(__sig) return function(a, b, ...) if a == nil or b == nil or (...) ~= nil then a, b = P.args(__sig, a, b, ...) end
do return (P.mul(L(a, "a"), L(b, "b"))) end end end), P.list{(1), (2), (3), (4)}), P.method(V("functools"), "reduce", P.attr(V("operator"), "add"), P.list{}, 7))
G["fib"] = P.call(P.methodk(V("functools"), "lru_cache", {"maxsize"}, P.None), P.func({name = "fib", qual = "fib", npos = 1, "n", default = {}, doc = "fib doc"}, function(__sig) return function(n, ...) if n == nil or (...) ~= nil then n = P.args(__sig, n, ...) end
do local _ = "fib doc" end
do return (P.choose(P["lt"](L(n, "n"), 2), function() return L(n, "n") end, function() return P.add(P.call(V("fib"), P.sub(L(n, "n"), 1)), P.call(V("fib"), P.sub(L(n, "n"), 2))) end)) end end end))
G["sq"] = P.call(P.attr(V("functools"), "cache"), P.func({name = "sq", qual = "sq", npos = 1, "x", default = {}}, function(__sig) return function(x, ...) if x == nil or (...) ~= nil then x = P.args(__sig, x, ...) end
__stat = P.call(V("print"), "computing", L(x, "x"))
do return (P.mul(L(x, "x"), L(x, "x"))) end end end))
__stat = P.call(V("print"), P.call(V("fib"), 50), P.attr(V("fib"), "__name__"), P.attr(V("fib"), "__doc__"), P.attr(P.method(V("fib"), "cache_info"), "hits"), P.call(V("sq"), 3), P.call(V("sq"), 3))
G["deco"] = P.func({name = "deco", qual = "deco", npos = 1, "f", default = {}}, function(__sig) return function(f, ...) if f == nil or (...) ~= nil then f = P.args(__sig, f, ...) end
local inner
inner = P.call(P.method(V("functools"), "wraps", L(f, "f")), P.func({name = "inner", qual = "deco.<locals>.inner", npos = 0, default = {}, vararg = "a", kwarg = "k"}, function(__sig) return function(...) local a, k
a, k = P.args(__sig, ...)
do return (P.tuple{("deco"), (P.calls(L(f, "f"), P.join("list", L(a, "a")), P.merge(L(k, "k"))))}) end end end))
do return (L(inner, "inner")) end end end)
G["g"] = P.call(V("deco"), P.func({name = "g", qual = "g", npos = 2, "x", "y", default = {[2] = 1}, doc = "doc g"}, function(__sig) return function(x, y, ...) if x == nil or y == nil or (...) ~= nil then x, y = P.args(__sig, x, y, ...) end
do local _ = "doc g" end
do return (P.add(L(x, "x"), L(y, "y"))) end end end))
__stat = P.call(V("print"), P.call(V("g"), 1), P.callk(V("g"), {"y"}, 1, 5), P.attr(V("g"), "__name__"), P.attr(V("g"), "__doc__"))
__stat = P.call(V("print"), P.callk(V("sorted"), {"key"}, P.list{(3), (1), (2)}, P.method(V("functools"), "cmp_to_key", P.func({name = "<lambda>", qual = "<lambda>", npos = 2, "a", "b", default = {}}, function(__sig) return function(a, b, ...) if a == nil or b == nil or (...) ~= nil then a, b = P.args(__sig, a, b, ...) end
do return (P.sub(L(b, "b"), L(a, "a"))) end end end))), P.call(P.method(V("operator"), "itemgetter", 1), P.list{(5), (6)}), P.call(P.method(V("operator"), "itemgetter", 0, 2), "abc"), P.call(P.method(V("operator"), "attrgetter", "real"), 5))
local __cls6
__cls6 = P.class("V", P.list{}, nil, function(ns) ns.__init__ = P.func({name = "__init__", qual = "V.__init__", npos = 2, "self", "v", default = {}}, function(__sig) return function(self, v, ...) if self == nil or v == nil or (...) ~= nil then self, v = P.args(__sig, self, v, ...) end
do local __t7 = L(v, "v")
P.setattr(L(self, "self"), "v", __t7)
end
do return P.None end end end)
ns.__eq__ = P.func({name = "__eq__", qual = "V.__eq__", npos = 2, "self", "o", default = {}}, function(__sig) return function(self, o, ...) if self == nil or o == nil or (...) ~= nil then self, o = P.args(__sig, self, o, ...) end
do return (P["eq"](P.attr(L(self, "self"), "v"), P.attr(L(o, "o"), "v"))) end end end)
ns.__lt__ = P.func({name = "__lt__", qual = "V.__lt__", npos = 2, "self", "o", default = {}}, function(__sig) return function(self, o, ...) if self == nil or o == nil or (...) ~= nil then self, o = P.args(__sig, self, o, ...) end
do return (P["lt"](P.attr(L(self, "self"), "v"), P.attr(L(o, "o"), "v"))) end end end) end)
G["V"] = P.call(P.attr(V("functools"), "total_ordering"), __cls6)
__stat = P.call(V("print"), P["lt"](P.call(V("V"), 1), P.call(V("V"), 2)), P["ge"](P.call(V("V"), 1), P.call(V("V"), 2)), P["le"](P.call(V("V"), 1), P.call(V("V"), 1)), P["gt"](P.call(V("V"), 3), P.call(V("V"), 2)))
do local __t8 = P.callk(V("namedtuple"), {"defaults"}, "P", "x y", P.list{(5)})
G["P"] = __t8
end
do local __t9 = P.call(V("P"), 1)
G["p"] = __t9
end
__stat = P.call(V("print"), V("p"), P.attr(V("p"), "x"), P.index(V("p"), 1), P.methodk(V("p"), "_replace", {"x"}, 9), P.method(V("p"), "_asdict"), P.attr(V("P"), "_fields"), P["eq"](V("p"), P.tuple{(1), (5)}), P.call(V("isinstance"), V("p"), V("tuple")), P.callk(V("P"), {"y", "x"}, 1, 2))
do local __t10 = V("p")
local __t11, __t12 = P.unpack(__t10, 2)
G["x"] = __t11
G["y"] = __t12
end
__stat = P.call(V("print"), V("x"), V("y"), P.join("list", V("p")))
local __cls13
__cls13 = P.class("Emp", P.list{(V("NamedTuple"))}, nil, function(ns) P.annotate(ns, "name", function() return V("str") end)
P.annotate(ns, "id", function() return V("int") end)
ns.id = 3
ns.hello = P.func({name = "hello", qual = "Emp.hello", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.add("hi ", P.attr(L(self, "self"), "name"))) end end end) end)
G["Emp"] = __cls13
__stat = P.call(V("print"), P.call(V("Emp"), "a"), P.attr(P.callk(V("Emp"), {"id"}, "b", 4), "id"), P.method(P.call(V("Emp"), "z"), "hello"))
__stat = P.call(V("print"), P.call(V("Counter"), "abca"), P.method(P.call(V("Counter"), "abca"), "most_common", 1), P.index(P.callk(V("Counter"), {"a"}, 2), "zz"), P.add(P.call(V("Counter"), "ab"), P.call(V("Counter"), "b")), P.call(V("sum"), P.method(P.call(V("Counter"), "aab"), "values")))
do local __t14 = P.call(V("defaultdict"), V("list"))
G["dd"] = __t14
end
__stat = P.method(P.index(V("dd"), "a"), "append", 1)
do local _ = P.index(V("dd"), "b") end
__stat = P.call(V("print"), V("dd"), P.call(V("dict"), V("dd")), P.call(V("OrderedDict"), P.list{(P.tuple{("a"), (1)})}), P["eq"](P.callk(V("OrderedDict"), {"a"}, 1), P.dict{"a", (1)}))
do local __t15 = P.callk(V("deque"), {"maxlen"}, P.list{(1), (2), (3)}, 3)
G["dq"] = __t15
end
__stat = P.method(V("dq"), "append", 4)
__stat = P.method(V("dq"), "appendleft", 0)
__stat = P.call(V("print"), V("dq"), P.method(V("dq"), "pop"), P.method(V("dq"), "popleft"), P.call(V("list"), V("dq")), P.call(V("len"), V("dq")))
local __cls16
__cls16 = P.class("D", P.list{}, nil, function(ns) P.annotate(ns, "a", function() return V("int") end)
P.annotate(ns, "b", function() return V("str") end)
ns.b = "x"
P.annotate(ns, "c", function() return V("list") end)
ns.c = P.callk(V("field"), {"default_factory"}, V("list"))
P.annotate(ns, "d", function() return V("int") end)
ns.d = P.callk(V("field"), {"default", "repr"}, 4, false)
ns.total = P.func({name = "total", qual = "D.total", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.add(P.attr(L(self, "self"), "a"), P.attr(L(self, "self"), "d"))) end end end) end)
G["D"] = P.call(V("dataclass"), __cls16)
local __cls17
__cls17 = P.class("Fz", P.list{}, nil, function(ns) P.annotate(ns, "x", function() return V("int") end)
P.annotate(ns, "y", function() return V("int") end)
ns.y = 0 end)
G["Fz"] = P.call(P.callk(V("dataclass"), {"frozen", "order"}, true, true), __cls17)
local __cls18
__cls18 = P.class("Sub", P.list{(V("D"))}, nil, function(ns) P.annotate(ns, "e", function() return V("float") end)
ns.e = 1.5
ns.__post_init__ = P.func({name = "__post_init__", qual = "Sub.__post_init__", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do local __t19 = P.mul(P.attr(L(self, "self"), "e"), 2)
P.setattr(L(self, "self"), "f", __t19)
end
do return P.None end end end) end)
G["Sub"] = P.call(V("dataclass"), __cls18)
do local __t20 = P.call(V("D"), 1)
G["d"] = __t20
end
__stat = P.call(V("print"), V("d"), P.call(V("D"), 1, "y", P.list{(2)}), P["eq"](V("d"), P.call(V("D"), 1)), P["ne"](V("d"), P.call(V("D"), 2)), P.method(V("d"), "total"), P.call(V("asdict"), V("d")), P.callk(V("replace"), {"a"}, V("d"), 5), P.call(V("astuple"), P.call(V("Fz"), 1, 2)), (function(it) local r = P.list{} local f for __x21 in P.iter(it) do f = __x21 P.append(r, P.attr(f, "name")) end return r end)(P.call(V("fields"), V("D"))))
__stat = P.call(V("print"), P["lt"](P.call(V("Fz"), 1), P.call(V("Fz"), 2)), P["eq"](P.call(V("Fz"), 1), P.call(V("Fz"), 1, 0)), P["eq"](P.call(V("hash"), P.call(V("Fz"), 1)), P.call(V("hash"), P.call(V("Fz"), 1))), P.index(P.dict{P.call(V("Fz"), 1), ("k")}, P.call(V("Fz"), 1)), P.call(V("Sub"), 1), P.attr(P.callk(V("Sub"), {"e"}, 1, 3.0), "f"))
do
for __x22 in P.iter(P.list{(P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("D"))) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.call(V("setattr"), P.call(V("Fz"), 1), "x", 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.callk(V("D"), {"q"}, 1, 2)) end end end)), (P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (P.dict{P.call(V("D"), 1), (1)}) end end end))}) do
do
G["f"] = __x22
do local __c, __v = P.try(function() __stat = P.call(V("f")) end, {{[1] = function() return V("Exception") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.attr(P.call(V("type"), V("e")), "__name__"), V("e")) end}}, nil, nil)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c23 end
end
end ::__c23:: end
end
local __cls25
__cls25 = P.class("Color", P.list{(V("Enum"))}, nil, function(ns) do local __t26 = 1
ns.RED = __t26
end
do local __t27 = "g"
ns.GREEN = __t27
end
do local __t28 = 1
ns.ALIAS = __t28
end
ns.low = P.func({name = "low", qual = "Color.low", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (P.method(P.attr(L(self, "self"), "name"), "lower")) end end end) end)
G["Color"] = __cls25
local __cls29
__cls29 = P.class("Pri", P.list{(V("IntEnum"))}, nil, function(ns) do local __t30 = P.call(V("auto"))
ns.LOW = __t30
end
do local __t31 = P.call(V("auto"))
ns.HIGH = __t31
end end)
G["Pri"] = __cls29
local __cls32
__cls32 = P.class("Kind", P.list{(V("str")), (V("Enum"))}, nil, function(ns) do local __t33 = "a"
ns.A = __t33
end
do local __t34 = "b"
ns["B"] = __t34
end end)
G["Kind"] = __cls32
__stat = P.call(V("print"), P.attr(V("Color"), "RED"), P.call(V("repr"), P.attr(V("Color"), "RED")), P.attr(P.attr(V("Color"), "RED"), "name"), P.attr(P.attr(V("Color"), "GREEN"), "value"), P.call(V("Color"), "g"), P.index(V("Color"), "RED"), P.call(V("list"), V("Color")), P["is"](P.attr(V("Color"), "ALIAS"), P.attr(V("Color"), "RED")), P["eq"](P.attr(V("Color"), "RED"), 1), P.method(P.attr(V("Color"), "RED"), "low"), P.call(V("len"), V("Color")), P.call(V("isinstance"), P.attr(V("Color"), "RED"), V("Color")), P["contains"](P.attr(V("Color"), "RED"), V("Color")))
__stat = P.call(V("print"), P.attr(V("Pri"), "LOW"), P.call(V("repr"), P.attr(V("Pri"), "HIGH")), P.add(P.attr(V("Pri"), "HIGH"), 1), P["lt"](P.attr(V("Pri"), "LOW"), P.attr(V("Pri"), "HIGH")), P.call(V("Pri"), 2), (P.format(P.attr(V("Pri"), "HIGH"), nil, nil)), P["eq"](P.attr(V("Kind"), "A"), "a"), P.attr(P.attr(V("Kind"), "A"), "value"), P.call(V("Kind"), "b"), P.index(P.dict{P.attr(V("Color"), "RED"), (1)}, P.attr(V("Color"), "RED")))
do local __c, __v = P.try(function() __stat = P.call(V("Color"), 7) end, {{[1] = function() return V("ValueError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
__stat = P.call(V("print"), P.method(V("json"), "dumps", P.dict{"a", (P.list{(1), (2.5), (P.None), (true), ("\195\169\010")}), "b", (P.dict{})}), P.methodk(V("json"), "dumps", {"indent"}, P.list{(1), (P.dict{"x", (2)})}, 2), P.methodk(V("json"), "dumps", {"sort_keys", "separators"}, P.dict{"b", (1), "a", (2)}, true, P.tuple{(","), (":")}), P.method(V("json"), "loads", "{\034a\034: [1, 2.0, null, true], \034s\034: \034x\092u00e9\092n\034}"))
do local __c, __v = P.try(function() __stat = P.method(V("json"), "loads", "{bad}") end, {{[1] = function() return P.attr(V("json"), "JSONDecodeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
__stat = P.method(V("random"), "seed", 42)
__stat = P.call(V("print"), P.method(V("random"), "random"), P.method(V("random"), "randint", 1, 100), P.method(V("random"), "uniform", 0, 1), P.method(V("random"), "choice", P.list{(1), (2), (3)}), P.method(V("random"), "sample", P.call(V("range"), 100), 5), P.method(V("random"), "gauss", 0, 1), P.method(V("random"), "getrandbits", 40), P.methodk(V("random"), "choices", {"k"}, "ab", 3), P.method(V("random"), "randrange", 0, 100, 5))
do local __t35 = P.call(V("list"), P.call(V("range"), 10))
G["l"] = __t35
end
__stat = P.method(V("random"), "shuffle", V("l"))
__stat = P.call(V("print"), V("l"))
__stat = P.method(V("random"), "seed", "text")
__stat = P.call(V("print"), P.method(V("random"), "random"), P.method(P.method(V("random"), "Random", 7), "random"))
do local __t36 = P.list{(1), (P.list{(2), (3)}), (P.dict{"k", (P.list{(4)})})}
G["a"] = __t36
end
do local __t37 = P.tuple{(P.method(V("copy"), "copy", V("a"))), (P.method(V("copy"), "deepcopy", V("a")))}
local __t38, __t39 = P.unpack(__t37, 2)
G["b"] = __t38
G["c2"] = __t39
end
__stat = P.method(P.index(V("a"), 1), "append", 9)
__stat = P.call(V("print"), V("b"), V("c2"))
__stat = P.call(V("print"), P.attr(V("string"), "ascii_lowercase"), P.attr(V("string"), "digits"), P.method(P.attr(V("os"), "path"), "join", "a", "b"), P.method(P.attr(V("os"), "path"), "basename", "/x/y.py"), P.method(P.attr(V("os"), "path"), "splitext", "y.tar.gz"), P.method(P.attr(V("os"), "path"), "dirname", "/x/y"), P.method(P.attr(V("os"), "path"), "exists", "/nonexistent"), P.method(P.attr(V("os"), "environ"), "get", "NOPE_X", "d"), P.method(V("os"), "getenv", "NOPE_X"), P.attr(V("sys"), "maxsize"), P["ge"](P.attr(V("sys"), "version_info"), P.tuple{(3), (8)}), P.index(P.attr(V("sys"), "version_info"), 0), P["gt"](P.method(V("time"), "time"), 1000000000.0), P.call(V("isinstance"), P.method(V("time"), "perf_counter"), V("float")))
G["cm"] = P.call(V("contextmanager"), P.func({name = "cm", qual = "cm", npos = 1, "v", default = {}}, function(__sig) return P.generator(function(v, ...) if v == nil or (...) ~= nil then v = P.args(__sig, v, ...) end
local e
__stat = P.call(V("print"), "begin", L(v, "v"))
do local __c, __v = P.try(function() do local _ = P.yield(P.add(L(v, "v"), 1)) end end, {{[1] = function() return V("ValueError") end, [2] = function(__e) e = __e
__stat = P.call(V("print"), "caught", L(e, "e")) end}}, nil, function() __stat = P.call(V("print"), "end") end)
if __c == 1 then return __v end
end
do return P.None end end) end))
do local __c, __v = P.with(P.call(V("cm"), 1), function(__x) G["v"] = __x
__stat = P.call(V("print"), V("v")) end)
end
do local __c, __v = P.with(P.call(V("cm"), 2), function(__x) P.raise(P.call(V("ValueError"), "in body")) end)
end
do local __c, __v = P.with(P.call(V("suppress"), V("KeyError")), function(__x) do local _ = P.index(P.dict{}, "x") end end)
end
do local __c, __v = P.with(P.call(V("nullcontext"), 5), function(__x) G["n"] = __x
__stat = P.call(V("print"), V("n")) end)
end
local __cls40
__cls40 = P.class("Abs", P.list{(V("ABC"))}, nil, function(ns) ns.f = P.call(V("abstractmethod"), P.func({name = "f", qual = "Abs.f", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do local _ = P.Ellipsis end
do return P.None end end end))
ns.p = P.call(V("property"), P.call(V("abstractmethod"), P.func({name = "p", qual = "Abs.p", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do local _ = P.Ellipsis end
do return P.None end end end))) end)
G["Abs"] = __cls40
local __cls41
__cls41 = P.class("Con", P.list{(V("Abs"))}, nil, function(ns) ns.f = P.func({name = "f", qual = "Con.f", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (1) end end end)
ns.p = P.call(V("property"), P.func({name = "p", qual = "Con.p", npos = 1, "self", default = {}}, function(__sig) return function(self, ...) if self == nil or (...) ~= nil then self = P.args(__sig, self, ...) end
do return (2) end end end)) end)
G["Con"] = __cls41
__stat = P.call(V("print"), P.method(P.call(V("Con")), "f"), P.attr(P.call(V("Con")), "p"))
do local __c, __v = P.try(function() __stat = P.call(V("Abs")) end, {{[1] = function() return V("TypeError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
end
__stat = P.call(V("print"), P.index(V("List"), V("int")), P.index(V("Optional"), V("int")), P.index(V("Union"), V("int"), V("str")), P.index(V("Dict"), V("str"), V("int")), P.index(V("Tuple"), V("int"), P.Ellipsis), P.index(V("Callable"), P.list{(V("int"))}, V("str")), P.index(V("list"), V("int")), P.index(V("dict"), V("str"), V("int")), P.bor(V("int"), P.None), P.index(V("Literal"), "a"), V("Any"), V("TYPE_CHECKING"), P.call(V("isinstance"), 3, P.bor(V("int"), V("str"))))
__stat = P.call(V("print"), P.div(P.call(V("Path"), "a"), "b.txt"), P.attr(P.call(V("Path"), "a/b.txt"), "stem"), P.attr(P.call(V("Path"), "a/b.txt"), "suffix"), P.attr(P.call(V("Path"), "/x/y"), "parent"), P.call(V("repr"), P.call(V("Path"), "q")), P.method(P.call(V("Path"), "a.py"), "with_suffix", ".txt"), P.attr(P.call(V("Path"), "a/b"), "parts"))
G["fn"] = P.func({name = "fn", qual = "fn", npos = 2, "a", "b", "c", default = {[2] = 2, [3] = 3}, annotation = {[2] = function() return V("int") end}, returns = function() return V("str") end, vararg = "args", kwarg = "kw"}, function(__sig) return function(a, b, ...) local c, args, kw
a, b, c, args, kw = P.args(__sig, a, b, ...)
do return ("") end end end)
__stat = P.call(V("print"), P.method(V("inspect"), "signature", V("fn")), P.call(V("list"), P.attr(P.method(V("inspect"), "signature", V("fn")), "parameters")), P.attr(V("fn"), "__annotations__"), P.attr(V("fn"), "__defaults__"))
do local __t42 = "/tmp/moontile_py_test.txt"
G["path"] = __t42
end
do local __c, __v = P.with(P.call(V("open"), V("path"), "w"), function(__x) G["f"] = __x
__stat = P.method(V("f"), "write", "line1\010line2\010")
__stat = P.callk(V("print"), {"file"}, "line3", V("f")) end)
end
do local __c, __v = P.with(P.call(V("open"), V("path")), function(__x) G["f"] = __x
__stat = P.call(V("print"), (function(it) local r = P.list{} local s for __x43 in P.iter(it) do s = __x43 P.append(r, P.method(s, "rstrip")) end return r end)(V("f"))) end)
end
__stat = P.call(V("print"), P.method(P.method(P.call(V("open"), V("path")), "read"), "split"), P.index(P.method(P.call(V("Path"), V("path")), "read_text"), P.slice(nil, 5, nil)))
__stat = P.method(V("os"), "remove", V("path"))
do local __c, __v = P.try(function() __stat = P.call(V("open"), "/nonexistent/x") end, {{[1] = function() return V("FileNotFoundError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e"), P.attr(V("e"), "errno")) end}}, nil, nil)
end
do local __c, __v = P.try(function() G["nosuchmodule"] = P.import("nosuchmodule") end, {{[1] = function() return V("ImportError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.attr(P.call(V("type"), V("e")), "__name__"), V("e")) end}}, nil, nil)
end
do local __c, __v = P.try(function() G["nosuch"] = P.import_from("math", "nosuch") end, {{[1] = function() return V("ImportError") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), P.index(P.call(V("str"), V("e")), P.slice(nil, 40, nil))) end}}, nil, nil)
end
do local __c, __v = P.try(function() __stat = P.method(V("sys"), "exit", 3) end, {{[1] = function() return V("SystemExit") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), "exit", P.attr(V("e"), "code")) end}}, nil, nil)
end
end)
