-- Made by lib/to_lua.py from values.py: the same program as calls of moontile.python.
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
__stat = P.call(V("print"), 1, 2.5, P.neg(3), 1e+16, 1e-05, 123456789.0, 1000000000000000.0, P.add(0.1, 0.2), 5e-324, P.pow(2, P.neg(44)), P.div(1, 3), P.mul(1e+300, 10), P.call(V("float"), "inf"), P.neg(P.call(V("float"), "inf")), P.call(V("float"), "nan"))
__stat = P.call(V("print"), 100.0, 1e+22, 1.5e-07, 0.0001, 1e-05, 1.2345678901234568e+16, P.neg(0.0), P.pow(2.0, 53))
__stat = P.call(V("print"), P.floordiv(7, 2), P.floordiv(P.neg(7), 2), P.mod(7, 3), P.mod(P.neg(7), 3), P.mod(7, P.neg(3)), P.floordiv(7.5, 2), P.mod(P.neg(7.5), 2), P.pow(2, 10), P.pow(2, P.neg(1)), P.pow(2, 0.5), P.div(10, 4), P.div(4, 2))
__stat = P.call(V("print"), P.add(true, 1), P.neg(true), P.band(true, false), P.bor(true, false), P.bxor(true, true), P.invert(5), P.band(5, 3), P.bor(5, 3), P.bxor(5, 3), P.lshift(1, 10), P.rshift(P.neg(8), 1))
__stat = P.call(V("print"), P["eq"](1, 1.0), P["eq"](true, 1), P["lt"]("a", "b"), P["lt"](P.list{(1), (2)}, P.list{(1), (3)}), P["eq"](P.tuple{(1), (2)}, P.tuple{(1), (2)}), P["eq"](P.list{(1)}, P.tuple{(1)}), P["eq"](P.None, 0), (function() local __t1, __t2 return P.land((function() __t1 = 2 return P["lt"](1, __t1) end)(), function() return (function() __t2 = 3 return P["lt"](__t1, __t2) end)() end) end)(), (function() local __t3, __t4 return P.land((function() __t3 = 3 return P["lt"](1, __t3) end)(), function() return (function() __t4 = 2 return P["lt"](__t3, __t4) end)() end) end)())
__stat = P.call(V("print"), "it's", "say \034hi\034", P.call(V("repr"), "it's"), P.call(V("repr"), "say \034hi\034"), P.call(V("repr"), "both ' and \034"), P.call(V("repr"), "tab\009nl\010\092 \001 \195\169 \228\184\173"), P.call(V("ascii"), "\195\169\228\184\173"))
__stat = P.call(V("print"), P.list{(1), ("a"), (P.None), (true), (2.0)}, P.tuple{(1)}, P.tuple{}, P.list{}, P.dict{}, P.dict{"a", (1), 2, (P.list{(3)})}, P.set{(1)}, P.call(V("set")), P.call(V("frozenset"), P.list{(1)}), P.call(V("range"), 3), P.call(V("range"), 1, 10, 2))
do local __t5 = P.list{(1)}
G["a"] = __t5
end
__stat = P.method(V("a"), "append", V("a"))
__stat = P.call(V("print"), V("a"))
do local __t6 = P.dict{}
G["d"] = __t6
end
do local __t7 = V("d")
P.setindex(V("d"), __t7, "d")
end
__stat = P.call(V("print"), V("d"))
__stat = P.call(V("print"), P.call(V("len"), "h\195\169llo"), P.index("h\195\169llo", 1), P.index("h\195\169llo", P.neg(1)), P.index("h\195\169llo", P.slice(1, 3, nil)), P.index("hello", P.slice(nil, nil, P.neg(1))), P.index("hello", P.slice(nil, nil, 2)), P.mul("abc", 2), P["contains"]("a", "abc"), P["notcontains"]("x", "abc"))
do local __t8 = P.call(V("list"), P.call(V("range"), 10))
G["l"] = __t8
end
__stat = P.call(V("print"), P.index(V("l"), P.slice(2, 5, nil)), P.index(V("l"), P.slice(nil, 3, nil)), P.index(V("l"), P.slice(P.neg(3), nil, nil)), P.index(V("l"), P.slice(nil, nil, 3)), P.index(V("l"), P.slice(nil, nil, P.neg(2))), P.index(V("l"), P.slice(8, 2, P.neg(2))), P.index(V("l"), P.slice(100, nil, nil)), P.index(V("l"), P.slice(P.neg(100), 2, nil)))
do local __t9 = P.list{("x"), ("y"), ("z")}
P.setindex(V("l"), __t9, P.slice(2, 4, nil))
end
__stat = P.call(V("print"), V("l"))
do local __t10 = P.mul(P.list{(0)}, P.call(V("len"), P.index(V("l"), P.slice(nil, nil, 2))))
P.setindex(V("l"), __t10, P.slice(nil, nil, 2))
end
__stat = P.call(V("print"), V("l"))
P.delindex(V("l"), 0)
P.delindex(V("l"), P.neg(1))
P.delindex(V("l"), P.slice(1, 3, nil))
__stat = P.call(V("print"), V("l"))
G["l"] = P.iadd(V("l"), P.list{(1), (2)})
G["l"] = P.imul(V("l"), 2)
__stat = P.call(V("print"), V("l"))
do local __t11 = P.call(V("range"), 5)
local __t12, __t13, __t14 = P.unpackstar(__t11, 1, 1)
G["x"] = __t12
G["y"] = __t13
G["z"] = __t14
end
__stat = P.call(V("print"), V("x"), V("y"), V("z"))
do local __t15 = P.tuple{(P.tuple{(1), (2)}), (3)}
local __t16, __t17 = P.unpack(__t15, 2)
local __t18, __t19 = P.unpack(__t16, 2)
G["p"] = __t18
G["q"] = __t19
G["r"] = __t17
end
__stat = P.call(V("print"), V("p"), V("q"), V("r"))
__stat = P.call(V("print"), P.dict{1, ("a"), 1.0, ("b"), true, ("c")}, P.index(P.dict{P.tuple{(1), (2)}, (3)}, 1, 2), P["eq"](P.call(V("hash"), P.tuple{(1), (2)}), P.call(V("hash"), P.tuple{(1), (2)})), P.bor(P.set{(1), (2)}, P.set{(3)}), P.band(P.set{(1), (2)}, P.set{(2)}), P.sub(P.set{(1), (2)}, P.set{(2)}), P.bxor(P.set{(1)}, P.set{(2)}), P["lt"](P.set{(1)}, P.set{(1), (2)}))
__stat = P.call(V("print"), P.merge(P.dict{"a", (1)}, P.dict{"b", (2)}), P.join("list", P.list{(1), (2)}, P.tuple{3}), P.join("tuple", "ab", P.tuple{1}), P.bor(P.dict{"a", (1)}, P.dict{"b", (2)}))
__stat = P.call(V("print"), P.call(V("round"), 0.5), P.call(V("round"), 1.5), P.call(V("round"), 2.5), P.call(V("round"), 2.675, 2), P.call(V("round"), 1234, P.neg(2)), P.call(V("round"), 1250, P.neg(2)), P.call(V("round"), P.neg(2.5)), P.call(V("round"), 3.14159, 3), P.call(V("round"), 1000000000000000.0))
__stat = P.call(V("print"), P.call(V("int"), "42"), P.call(V("int"), "-0x1f", 16), P.call(V("int"), "0b101", 0), P.call(V("int"), 3.9), P.call(V("int"), P.neg(3.9)), P.call(V("int"), "1_000"), P.call(V("float"), "1e3"), P.call(V("float"), " 2.5 "), P.call(V("bool"), P.list{}), P.call(V("bool"), "a"), P.call(V("str"), 1.0), P.call(V("int"), true))
__stat = P.call(V("print"), P.call(V("min"), 3, 1, 2), P.call(V("max"), P.list{(1), (5), (2)}), P.call(V("min"), "abc"), P.callk(V("max"), {"key"}, P.list{(1), (P.neg(5))}, V("abs")), P.call(V("sum"), P.list{(1), (2.5)}), P.call(V("sum"), P.list{(P.list{(1)}), (P.list{(2)})}, P.list{}), P.callk(V("min"), {"default"}, P.list{}, 7))
__stat = P.call(V("print"), P.call(V("divmod"), 7, 2), P.call(V("divmod"), P.neg(7), 2), P.call(V("pow"), 2, 10), P.call(V("pow"), 3, 4, 5), P.call(V("abs"), P.neg(3)), P.call(V("abs"), P.neg(2.5)), P.call(V("hex"), 255), P.call(V("oct"), 8), P.call(V("bin"), 5), P.call(V("hex"), P.neg(1)), P.call(V("chr"), 97), P.call(V("ord"), "a"), P.call(V("chr"), 20013))
__stat = P.call(V("print"), P.call(V("sorted"), P.list{(3), (1), (2)}), P.callk(V("sorted"), {"reverse"}, "bca", true), P.callk(V("sorted"), {"key"}, P.list{(P.tuple{(1), ("b")}), (P.tuple{(0), ("a")})}, P.func({name = "<lambda>", qual = "<lambda>", npos = 1, "t", default = {}}, function(__sig) return function(t, ...) if t == nil or (...) ~= nil then t = P.args(__sig, t, ...) end
do return (P.index(L(t, "t"), 1)) end end end)), P.call(V("list"), P.call(V("reversed"), P.list{(1), (2), (3)})))
__stat = P.call(V("print"), P.call(V("list"), P.call(V("zip"), P.list{(1), (2)}, "ab")), P.call(V("list"), P.call(V("enumerate"), "ab", 1)), P.call(V("list"), P.call(V("map"), P.func({name = "<lambda>", qual = "<lambda>", npos = 2, "a", "b", default = {}}, function(__sig) return function(a, b, ...) if a == nil or b == nil or (...) ~= nil then a, b = P.args(__sig, a, b, ...) end
do return (P.add(L(a, "a"), L(b, "b"))) end end end), P.list{(1), (2)}, P.list{(3), (4)})), P.call(V("list"), P.call(V("filter"), P.None, P.list{(0), (1), (2)})), P.call(V("all"), P.list{(1), (2)}), P.call(V("any"), P.list{(0), (0)}), P.call(V("all"), P.list{}))
__stat = P.call(V("print"), P.call(V("isinstance"), 1, V("int")), P.call(V("isinstance"), true, V("int")), P.call(V("isinstance"), "a", P.tuple{(V("int")), (V("str"))}), P.call(V("type"), 1), P.call(V("type"), "a"), P.call(V("type"), P.None), P.call(V("type"), P.list{}), P.call(V("type"), V("print")), P.call(V("type"), P.func({name = "<lambda>", qual = "<lambda>", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
do return (0) end end end)), P.call(V("issubclass"), V("bool"), V("int")), P.attr(P.call(V("type"), 1.0), "__name__"))
__stat = P.call(V("print"), P.choose(P.list{}, function() return 1 end, function() return 2 end), P.lor(P.list{}, function() return 3 end), P.land(0, function() return 1 end), P.lor("", function() return "d" end), P.no(1), P["is"](P.None, P.None), P["isnot"](P.call(V("len"), "a"), P.None))
__stat = P.call(V("print"), P.mod("%d %5.2f %s %r %05d %-5s| %x %% %+d %e %g", P.tuple{(3), (2.5), ("s"), ("r"), (42), ("ab"), (255), (7), (12345.678), (0.0001)}))
__stat = P.call(V("print"), P.mod("%(a)s-%(b)03d", P.dict{"a", (1), "b", (2)}), P.mod("%s", P.tuple{(1)}), P.mod("%s", P.list{(1)}), P.mod("%c", 65), P.mod("%.3s", "abcdef"), P.mod("%10.4f|", 3.14159))
__stat = P.call(V("print"), P.choose(false, function() return P.method("{} {1}", "format", 1) end, function() return P.method("{0} {1} {0}", "format", "a", "b") end), P.method("{:>5}|{:<5}|{:^5}|", "format", 1, 2, 3), P.choose(false, function() return P.methodk("{x} {y[0]} {z.real}", "format", {"x", "y", "z"}, 1, P.list{(5)}, 3) end, function() return P.methodk("{x} {y[0]}", "format", {"x", "y"}, 1, P.list{(5)}) end))
__stat = P.call(V("print"), (P.format(3.14159, nil, (".2f")) .. " " .. P.format(42, nil, ("05d")) .. " " .. P.format(42, nil, (">6")) .. " " .. P.format("a", nil, ("<4")) .. "| " .. P.format(1234567, nil, (",")) .. " " .. P.format(1234567.891, nil, (",.2f")) .. " " .. P.format(255, nil, ("#x")) .. " " .. P.format(255, nil, ("b")) .. " " .. P.format(0.25, nil, (".0%")) .. " " .. P.format(10000000000.0, nil, ("g")) .. " " .. P.format(1.0, nil, nil) .. " " .. P.format("x", "r", nil) .. " " .. P.format(12, nil, ("_")) .. " " .. P.format(P.neg(5), nil, ("+d")) .. " " .. P.format(5, nil, ("+")) .. " " .. P.format(3, nil, ("e"))))
do local __t20 = 10
G["w"] = __t20
end
__stat = P.call(V("print"), (P.format("ab", nil, (">" .. P.format(V("w"), nil, nil))) .. "|" .. P.format(3.5, nil, (P.format(V("w"), nil, nil) .. ".2f")) .. "|" .. P.format("c", nil, ("*^" .. P.format(V("w"), nil, nil))) .. "|" .. P.format(1234, nil, (P.format(V("w"), nil, nil) .. ",")) .. "|" .. P.format(true, nil, ("d")) .. "|" .. P.format(true, nil, nil) .. "|" .. P.format(P.None, nil, nil) .. "|" .. P.format(P.list{(1), ("a")}, nil, nil)))
__stat = P.call(V("print"), (P.format(0.1, nil, (".3g")) .. " " .. P.format(1e-10, nil, (".3g")) .. " " .. P.format(123456789, nil, (".3g")) .. " " .. P.format(1.5, nil, (".3")) .. " " .. P.format(100000.0, nil, (".3")) .. " " .. P.format(1e+16, nil, nil) .. " " .. P.format(P.call(V("float"), "inf"), nil, (".2f")) .. " " .. P.format(P.call(V("float"), "nan"), nil, ("5")) .. " " .. P.format(1234.5, nil, ("012,.1f")) .. " " .. P.format(P.neg(1234), nil, ("08d")) .. " " .. P.format(65, nil, ("c")) .. " " .. P.format(1.0, nil, (".0f")) .. " " .. P.format(0.5, nil, (".0f")) .. " " .. P.format(1.5, nil, (".0f")) .. " " .. P.format(2.5, nil, (".0f"))))
__stat = P.call(V("print"), P.method("a,b,,c", "split", ","), P.method(" a  b ", "split"), P.method("a b c", "split", P.None, 1), P.method("a,b,c", "rsplit", ",", 1), P.method("a\010b\013\010c", "splitlines"), P.method("abc", "partition", "b"), P.method("abcb", "rpartition", "b"), P.method("x", "join", P.list{("a"), ("b")}))
__stat = P.call(V("print"), P.method("  a ", "strip"), P.method("xxaxx", "strip", "x"), P.method("abc", "lstrip", "ab"), P.method("abc", "rstrip", "c"), P.method("abc", "replace", "b", "d"), P.method("aaa", "replace", "a", "b", 2), P.method("abc", "startswith", P.tuple{("x"), ("a")}), P.method("abc", "endswith", "c"), P.method("7", "zfill", 3), P.method("-7", "zfill", 4), P.add(P.method("a", "ljust", 3), "|"), P.method("a", "rjust", 3, "."), P.method("ab", "center", 5, "*"))
__stat = P.call(V("print"), P.method("Hello", "upper"), P.method("Hello", "lower"), P.method("hello world", "title"), P.method("hello", "capitalize"), P.method("Ab", "swapcase"), P.method("abcabc", "find", "c"), P.method("abcabc", "rfind", "c"), P.method("abcabc", "index", "b"), P.method("abcabc", "count", "bc"), P.method("12", "isdigit"), P.method("1a", "isalnum"), P.method("ab", "isalpha"), P.method(" ", "isspace"), P.method("aB", "isupper"), P.method("a", "islower"), P.method("ab_1", "isidentifier"))
__stat = P.call(V("print"), P.method("abc", "encode"), P.call(B.bytes, "ab\000\255"), P.method(P.call(B.bytes, "abc"), "decode"), P.index(P.call(B.bytes, "abc"), 0), P.call(V("len"), P.call(B.bytes, "abc")), P.method("tEst", "casefold"), P.method("a\009b", "expandtabs", 4), P.method("prefix_x", "removeprefix", "prefix_"), P.method("abc", "translate", P.method(V("str"), "maketrans", "ab", "xy")))
__stat = P.call(V("print"), 1000000, 255, 3, 15, 1000.0, 0.5, P.pow(10, 18), P.neg(P.pow(2, 2)))
__stat = P.call(V("print"), P.attr(V("print"), "__name__"), P.attr(V("len"), "__name__"), P.attr(P.func({name = "<lambda>", qual = "<lambda>", npos = 1, "x", default = {}}, function(__sig) return function(x, ...) if x == nil or (...) ~= nil then x = P.args(__sig, x, ...) end
do return (L(x, "x")) end end end), "__name__"), P.attr(V("int"), "__name__"), P.attr(P.list{}, "__class__"), P.call(V("type"), P.call(V("range"), 3)))
__stat = P.calls(V("print"), P.join("list", P.list{(1), (2)}, P.tuple{(3)}), P.merge(P.dict{"sep", ("-")}, P.dict{"end", ("!\010")}))
__stat = P.call(V("print"), "ab", P.choose(1, function() return "x" end, function() return "y" end), (function(it) local r = P.list{} local i for __x21 in P.iter(it) do i = __x21 if P.truth(P.mod(i, 2)) then P.append(r, i) end end return r end)(P.call(V("range"), 5)), (function(it) local r = P.dict{} local i for __x22 in P.iter(it) do i = __x22 local k = i P.setindex(r, P.mul(i, i), k) end return r end)(P.call(V("range"), 3)), (function(it) local r = P.set{} local i for __x23 in P.iter(it) do i = __x23 P.method(r, "add", P.mod(i, 2)) end return r end)(P.call(V("range"), 5)), P.call(V("sum"), P.generator(function(it) local i for __x24 in P.iter(it) do i = __x24 P.yield(i) end end)(P.call(B.iter, P.call(V("range"), 4)))), (function(it) local r = P.list{} local i, j for __x25 in P.iter(it) do i = __x25 for __x26 in P.iter("ab") do j = __x26 P.append(r, P.tuple{(i), (j)}) end end return r end)(P.call(V("range"), 2)))
__stat = P.call(V("print"), P.call(V("slice"), 1, 2), P.call(V("slice"), P.None, 3, 2), P.add(P.tuple{(1), (2)}, P.tuple{(3)}), P.mul(P.tuple{(1), (2)}, 2), P.method(P.tuple{(1), (2), (3)}, "index", 2), P.method(P.list{(1), (2), (2)}, "count", 2), P["eq"]("ab", "ab"), P["contains"](3, P.call(V("range"), 5)), P["contains"](7, P.call(V("range"), 0, 10, 2)), P.call(V("list"), P.call(V("range"), 5, 0, P.neg(2))), P.index(P.call(V("range"), 10), P.slice(2, 5, nil)), P.call(V("len"), P.call(V("range"), 0, 10, 3)))
end)
