-- Uncaught exceptions as diagnostics: their rows, in this language; the text after each is what str(e) gives.
local P = require "moontile.python"
local B = P.builtins
local function show(f)
  local ok, e = xpcall(f, require("moontile.diag").handler)
  print(tostring(not ok and e or "no error"))
end
local C = P.class("C", P.list {}, nil, function(ns) ns.width = 1 end)
local f = P.func({name = "f", "x", "y", default = {[2] = 1}}, function(__sig)
  return function(x, y, ...)
    if x == nil or y == nil or (...) ~= nil then x, y = P.args(__sig, x, y, ...) end
    return x
  end
end)
show(function() return (P.add(1, "a")) end)
show(function() return (P.div(1, 0)) end)
show(function() P.unbound("lenght", false, {"length", "x"}) end)
show(function() P.unbound("zz", nil, {}) end)
show(function() P.unbound("n", "own") end)
show(function() return (P.attr(P.call(C), "widht")) end)
show(function() return (P.attr(P.call(C), "q")) end)
show(function() return (P.attr(P.None, "shape")) end)
show(function() return (P.index(P.list {1}, 3)) end)
show(function() return (P.index(P.dict {}, "k")) end)
show(function() return (P.unpack(P.tuple {1, 2}, 3)) end)
show(function() return (P.call(f)) end)
show(function() return (P.callk(f, {"z"}, 1)) end)
show(function() return (P.call(3)) end)
show(function() for _ in P.iter(5) do end end)
show(function() return (P.dict {P.list {}, 1}) end)
show(function() P.assertion("shapes differ") end)
show(function() return (P.lshift(1, 63)) end)
show(function() P.raise(P.call(B.ValueError, "M must be a multiple of 64")) end)
show(function() return (P.call(B.int, "x1")) end)
show(function() return (P.call(B.next, P.call(B.iter, P.list {}))) end)
show(function() P.import("numpyy") end)
show(function() P.import_from("math", "sqroot") end)
show(function() return (P.call(B.open, "/nonexistent/file")) end)
show(function() P.call(B.len) end)
local function deep(n) return 1 + deep(n + 1) end
show(function() P.main(function() deep(0) end) end)
