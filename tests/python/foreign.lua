-- T and tl as Python's code calls them: arguments, keywords, results, indices, attributes.
local P = require "moontile.python"
require "moontile.python.loader"
local T, tl = require "moontile.T", require "moontile.tl"
local B = P.builtins
local print_ = B.print
local mT, mtl = P.wrap("T", T), P.wrap("tl", tl)

-- tl: shapes as tuples and lists, names, methods, indices from 0
P.methodk(mtl, "manual_seed", {}, 1)
local x = P.methodk(mtl, "arange", {"dtype"}, 12, "float32")
local y = P.method(x, "reshape", P.tuple {3, 4})
print_(P.attr(y, "shape"), P.index(P.attr(y, "shape"), 0), P.attr(y, "dtype"), P.attr(y, "ndim"))
print_(P.eq(P.attr(y, "shape"), P.tuple {3, 4}), P.unpack(P.attr(y, "shape"), 2))
print_(P.index(y, 1, 2), P.index(P.index(y, 1), 2), P.call(B.len, y))
P.setindex(y, 50, 1, 2)
print_(P.index(y, 1, 2), P.method(y, "sum"))
print_(P.add(P.mul(y, 2), 1), P.sub(1, P.index(y, P.slice(0, 1))), P.neg(P.index(y, 2)))
print_(P.method(y, "sum", 1))
print_(P.callk(P.attr(mtl, "zeros"), {"dtype"}, P.list {2, 2}, "int32"))
local z = P.method(mtl, "zeros_like", y)
print_(P.attr(z, "shape"), P.method(mtl, "allclose", z, z), P.call(B.isinstance, z, B.list))
for row in P.iter(P.index(y, P.slice(0, 2))) do
  print_(P.index(row, 0))
end
print_(P.format(P.index(y, 0, 1), nil, ".2f"), P.call(B.float, P.index(y, 0, 3)), P.truth(P.index(y, 0, 1)))
print_(P.call(B.type, y), P.call(B.hasattr, y, "shape"), P.call(B.hasattr, mtl, "nosuchthing"))

-- a list of sizes for tl.empty, None for what is not given
print_(P.attr(P.call(P.attr(mtl, "empty"), P.tuple {8, 8}, P.None), "shape"))

-- T: a kernel by the stage's calls, its arguments through the run-time
local threads = 128
local k = tl.jit(function(A, C)
  A: T.Tensor({64, 64}, "float32")
  C: T.Tensor({64, 64}, "float32")
  local shape = P.tuple {64, 64}
  for _ in P.frame_with("bx", false, P.callk(P.attr(mT, "Kernel"), {"threads"}, 1, threads)) do
    local s = P.call(P.attr(mT, "alloc_shared"), shape, "float32")
    print_(P.attr(s, "shape"), P.attr(s, "dtype"), P.eq(P.index(P.attr(s, "shape"), 1), 64))
    P.method(mT, "copy", A, s)
    for i, j in P.loop({[0] = 0}, 1, "i,j", true, P.method(mT, "Parallel", 64, 64)) do
      C[{i, j}] = P.add(P.mul(P.index(s, i, j), 2), 1)
    end
  end
end)
local a, c = tl.randn({64, 64}, "float32"), tl.empty({64, 64}, "float32")
P.call(k, a, c)
print_(P.method(mtl, "allclose", c, P.add(P.mul(a, 2), 1)))

-- A Python function as an argument: lists and tuples change sides
local f = P.func({name = "f", "p", "q"}, function(__sig)
  return function(p, q, ...)
    if p == nil or q == nil or (...) ~= nil then
      p, q = P.args(__sig, p, q, ...)
    end
    return P.tuple {p, P.index(q, 0)}
  end
end)
local m = P.wrap("lib", {apply = function(g, ...) return g(...) end, named = function(t) return t end,
  none = function() end, two = function() return 1, "b" end, list = function() return {1, {2, 3}} end,
  raw = function(v) return math.type(v) or type(v), type(v) == "table" and #v end})
print_(P.method(m, "apply", f, 1, P.list {7}), P.method(m, "none"), P.method(m, "two"), P.method(m, "list"))
print_(P.methodk(m, "named", {"a", "b"}, 1, P.None), P.method(m, "raw", P.None), P.method(m, "raw", P.list {1, 2}))

-- errors of T and tl, caught by Python's classes
local function caught(g)
  P.try(g, {{function() return B.Exception end, function(e)
    print_(P.call(B.type, e), P.call(B.str, e))
  end}})
end
caught(function() P.attr(mT, "alloc_sharedd") end)
caught(function() P.method(mtl, "zeros", P.list {2}, "float99") end)
caught(function() P.method(y, "nosuch") end)
caught(function() P.index(5, 0) end)
caught(function() P.truth(y) end)
