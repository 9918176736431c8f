-- Made by lib/to_lua.py from regex.py: the same program as calls of moontile.python.
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
G["re"] = P.import("re")
__stat = P.call(V("print"), P.method(P.method(V("re"), "match", "(\092w+) (\092w+)", "hello world foo"), "groups"), P.method(P.method(V("re"), "search", "\092d+", "ab 123 c"), "group"), P.method(V("re"), "findall", "\092d+", "1 22 333"), P.method(V("re"), "findall", "(\092w)=(\092d)", "a=1 b=2"))
__stat = P.call(V("print"), P.method(V("re"), "sub", "\092s+", " ", "a  b \009 c"), P.method(V("re"), "sub", "(\092w)(\092d)", "\0922\0921", "a1 b2"), P.methodk(V("re"), "sub", {"count"}, "x", P.func({name = "<lambda>", qual = "<lambda>", npos = 1, "m", default = {}}, function(__sig) return function(m, ...) if m == nil or (...) ~= nil then m = P.args(__sig, m, ...) end
do return (P.method(P.method(L(m, "m"), "group"), "upper")) end end end), "axbx", 1), P.method(V("re"), "split", "[,;]\092s*", "a, b;c"), P.method(V("re"), "split", "(,)", "a,b"))
do local __t1 = P.method(V("re"), "search", "(?P<key>\092w+)\092s*:\092s*(?P<val>[\092d.]+)", "foo : 3.5 bar")
G["m"] = __t1
end
__stat = P.call(V("print"), V("m"), P.method(V("m"), "group", "key"), P.index(V("m"), "val"), P.method(V("m"), "groupdict"), P.method(V("m"), "span"), P.method(V("m"), "start", 2), P.method(V("m"), "end", "val"), P.method(V("m"), "group", 1, 2))
__stat = P.call(V("print"), P.method(V("re"), "match", "a", "ba"), P.method(V("re"), "fullmatch", "\092d{2,3}", "1234"), P.method(V("re"), "fullmatch", "\092d{2,4}", "1234"), P.method(P.method(V("re"), "match", "a.*?b", "axbxb"), "group"), P.method(P.method(V("re"), "match", "a.*b", "axbxb"), "group"))
__stat = P.call(V("print"), P.method(V("re"), "findall", "^\092w", "ab\010cd", P.attr(V("re"), "M")), P.method(V("re"), "findall", "A", "aA", P.attr(V("re"), "I")), P.method(V("re"), "findall", "a(?=b)", "ab ac"), P.method(V("re"), "findall", "(?<!x)y", "xy zy"), P.method(V("re"), "findall", "\092bfoo\092b", "foo food foo"), P.method(P.method(V("re"), "match", "(a)|(b)", "b"), "groups"))
do local __t2 = P.method(V("re"), "compile", "tl\092.(\092w+)")
G["p"] = __t2
end
__stat = P.call(V("print"), V("p"), P.attr(V("p"), "pattern"), P.method(V("p"), "findall", "tl.a tl.b"), P.method(V("p"), "sub", "T.\0921", "tl.copy"), (function(it) local r = P.list{} local x for __x3 in P.iter(it) do x = __x3 P.append(r, P.method(x, "start")) end return r end)(P.method(V("p"), "finditer", "tl.a tl.b")), P.method(V("re"), "escape", "a.b*c"), P.method(V("re"), "subn", "a", "b", "aaa"))
__stat = P.call(V("print"), P.method(V("re"), "findall", "(a+)(b*)", "aabaa"), P.method(P.method(V("re"), "match", "(\092w)\0921", "aab"), "group"), P.method(V("re"), "split", "\092s+", " a b "), P.method(V("re"), "findall", "[^\092W\092d_]+", "ab1_cd"), P.method(P.method(V("re"), "match", "(?:ab)+", "ababx"), "end"), P.method(V("re"), "findall", "", "ab"), P.method(V("re"), "sub", "", "-", "ab"), P.method(V("re"), "findall", "x*", "axb"))
do
for __x4 in P.iter(P.list{("("), ("[a"), ("*a"), ("a)"), ("\0921"), ("(?z)")}) do
do
G["bad"] = __x4
do local __c, __v = P.try(function() __stat = P.method(V("re"), "compile", V("bad")) end, {{[1] = function() return P.attr(V("re"), "error") end, [2] = function(__e) G["e"] = __e
__stat = P.call(V("print"), V("e")) end}}, nil, nil)
if __c == 1 then return __v end
if __c == 2 then  break elseif __c == 3 then goto __c5 end
end
end ::__c5:: end
end
end)
