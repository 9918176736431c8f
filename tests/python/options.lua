-- Made by lib/to_lua.py from options.py: the same program as calls of moontile.python.
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
G["argparse"] = P.import("argparse")
G["sys"] = P.import("sys")
do local __t1 = P.attr(V("sys"), "stdout")
P.setattr(V("sys"), "stderr", __t1)
end
G["run"] = P.func({name = "run", qual = "run", npos = 2, "argv", "f", default = {}}, function(__sig) return function(argv, f, ...) if argv == nil or f == nil or (...) ~= nil then argv, f = P.args(__sig, argv, f, ...) end
local e
do local __c, __v = P.try(function() __stat = P.call(V("print"), P.method(P.call(L(f, "f")), "parse_args", L(argv, "argv"))) end, {{[1] = function() return V("SystemExit") end, [2] = function(__e) e = __e
__stat = P.callk(V("print"), {"flush"}, "exit", P.attr(L(e, "e"), "code"), true) end}}, nil, nil)
if __c == 1 then return __v end
end
do return P.None end end end)
G["p1"] = P.func({name = "p1", qual = "p1", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local p
do local __t2 = P.methodk(V("argparse"), "ArgumentParser", {"prog", "description"}, "prog", "A description of the program.")
p = __t2
end
__stat = P.methodk(L(p, "p"), "add_argument", {"type", "default", "help"}, "--m", V("int"), 1024, "M dimension")
__stat = P.methodk(L(p, "p"), "add_argument", {"type", "default"}, "--n", V("int"), 512)
__stat = P.methodk(L(p, "p"), "add_argument", {"action", "help"}, "--tune", "store_true", "tune configs")
__stat = P.methodk(L(p, "p"), "add_argument", {"action", "dest"}, "--no-cache", "store_false", "cache")
__stat = P.methodk(L(p, "p"), "add_argument", {"type", "choices", "default", "help"}, "--dtype", V("str"), P.list{("float16"), ("bfloat16")}, "float16", "element type (default %(default)s)")
__stat = P.methodk(L(p, "p"), "add_argument", {"action", "default"}, "-v", "--verbose", "count", 0)
__stat = P.methodk(L(p, "p"), "add_argument", {"type", "nargs", "metavar"}, "--shape", V("int"), 3, P.tuple{("A"), ("B"), ("C")})
__stat = P.methodk(L(p, "p"), "add_argument", {"nargs", "type"}, "--list", "+", V("float"))
__stat = P.methodk(L(p, "p"), "add_argument", {"nargs", "const", "default"}, "--opt", "?", "c", "d")
__stat = P.methodk(L(p, "p"), "add_argument", {"action"}, "--app", "append")
__stat = P.methodk(L(p, "p"), "add_argument", {"default", "help"}, "--long-name-of-an-option", P.None, "a help that is so long that it does not fit into one line of the terminal and is wrapped")
do return (L(p, "p")) end end end)
G["p2"] = P.func({name = "p2", qual = "p2", npos = 0, default = {}}, function(__sig) return function(...) if (...) ~= nil then P.args(__sig, ...) end
local g, p
do local __t3 = P.methodk(V("argparse"), "ArgumentParser", {"prog"}, "prog")
p = __t3
end
__stat = P.method(L(p, "p"), "add_argument", "file")
__stat = P.methodk(L(p, "p"), "add_argument", {"nargs"}, "rest", "*")
__stat = P.methodk(L(p, "p"), "add_argument", {"required"}, "--req", true)
do local __t4 = P.method(L(p, "p"), "add_mutually_exclusive_group")
g = __t4
end
__stat = P.methodk(L(g, "g"), "add_argument", {"action"}, "--a", "store_true")
__stat = P.methodk(L(g, "g"), "add_argument", {"action"}, "--b", "store_true")
do return (L(p, "p")) end end end)
do
for __x5 in P.iter(P.list{(P.list{}), (P.list{("--m"), ("5"), ("--n=6"), ("--tune")}), (P.list{("--no-cache"), ("-vvv"), ("--shape"), ("1"), ("2"), ("3")}), (P.list{("--list"), ("1"), ("2.5"), ("--opt")}), (P.list{("--opt"), ("x"), ("--app"), ("1"), ("--app"), ("2")}), (P.list{("--m"), ("x")}), (P.list{("--dtype"), ("f")}), (P.list{("--bad")}), (P.list{("--m")}), (P.list{("extra")}), (P.list{("--ver")}), (P.list{("--shape"), ("1")}), (P.list{("-h")}), (P.list{("--m"), ("-5")}), (P.list{("--lo"), ("x")}), (P.list{("--list")})}) do
do
G["a"] = __x5
__stat = P.call(V("run"), V("a"), V("p1"))
end ::__c6:: end
end
do
for __x8 in P.iter(P.list{(P.list{("f"), ("--req"), ("1")}), (P.list{("f"), ("a"), ("b"), ("--req"), ("1")}), (P.list{}), (P.list{("f")}), (P.list{("f"), ("--req"), ("1"), ("--a"), ("--b")}), (P.list{("--help")}), (P.list{("--req=1"), ("--"), ("-f"), ("x")})}) do
do
G["a"] = __x8
__stat = P.call(V("run"), V("a"), V("p2"))
end ::__c9:: end
end
__stat = P.call(V("print"), P.method(P.call(V("p1")), "parse_known_args", P.list{("--m"), ("3"), ("--zz"), ("1"), ("q")}))
end)
