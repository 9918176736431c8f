-- What staged code asks of the backend, construct by construct.
local K = dofile "lib/mock.lua"
local trace = K.trace

trace("if, elseif, else", K.jit(function()
  local i, n = K.i, K.n
  if i < n then
    K.emit "A"
  elseif i == n then
    K.emit "B"
  elseif i ~= 3 then
    K.emit "C"
  else
    K.emit "D"
  end
  if i > n then K.emit "E" end
end))

trace("ordinary conditions choose while tracing", K.jit(function()
  local n = 3
  if n < 2 then
    K.emit "wrong"
  elseif n == 3 then
    K.emit "right"
  else
    K.emit "wrong"
  end
  if n <= 2 then K.emit "wrong" else K.emit "right" end
end))

trace("ordinary and symbolic arms mixed", K.jit(function()
  local i, n = K.i, 3
  if n < 2 then
    K.emit "wrong"
  elseif i < 5 then
    K.emit "A"
  elseif n == 4 then
    K.emit "wrong"
  elseif i < 6 then
    K.emit "B"
  elseif n == 3 then
    K.emit "C"
  elseif i < 7 then
    K.emit "wrong"
  else
    K.emit "wrong"
  end
end))

trace("nested", K.jit(function()
  for i = 1, 2 do
    if K.i < i then
      if K.j < i then K.emit("both %d", i) else K.emit("one %d", i) end
    end
  end
end))

trace("and, or, not", K.jit(function()
  local i, n = K.i, K.n
  if i < n and not (n > 4) or i == 1 then K.emit "A" end
  if i < 1 and i < 2 and i < 3 and 4 < 5 then K.emit "B" end
  local yes, no = true, false
  if yes and i < n then K.emit "C" end
  if no and i < n then K.emit "wrong" end
  if no or i < n then K.emit "D" end
  if i < n or yes then K.emit "E" end
  if i < n and no then K.emit "wrong" end
  if not K.p() then K.emit "F" end
end))

trace("select", K.jit(function()
  local i, n = K.i, K.n
  local x = i < n and i or n
  local y = i < 1 and 10 or i < 2 and 20 or i < 3 and n or 40
  local z = (i < n and 1) or 2
  local w = i < n and n > 2 and 3 or 4
  local b = K.p "c" and i < n or n < i
  local o = n > 0 and true and 7 or 8
  return x, y, z, w, b, o
end))

trace("defaults", K.jit(function(a, scale)
  scale = scale or 2
  a = a or 5
  return scale, a
end), nil, K.s)

trace("while", K.jit(function()
  local v = K.var(0)
  while v < 10 do
    v += 1
    if v == 5 then break end
  end
  local t = 0
  while t < 3 do t = t + 1 end
  return t
end))

trace("while with a plain break at its end", K.jit(function()
  local v = K.var(0)
  while v < 10 do
    K.emit "once"
    break
  end
  K.emit "after"
end))

trace("numeric for", K.jit(function()
  local s = 0
  for i = 1, 3 do s += i end
  for i = 0, K.n do K.emit("body %s", K.show(i)) end
  for i = K.n, 0, -2 do K.emit("down %s", K.show(i)) end
  for i = 1, 0 do K.emit "wrong" end
  for i = 1, s do if i > 2 then break end end
  return s
end))

trace("break and continue", K.jit(function()
  local yes = true
  for i in K.serial(8) do
    if i == 3 then break end
    if i == 4 then goto continue end
    K.emit "rest"
    ::continue::
  end
  for i in K.serial(8) do
    local skip = true
    if skip then goto continue end
    K.emit "wrong"
    ::continue::
  end
  for i in K.serial(8) do
    K.emit "first"
    if yes then break end
    K.emit "wrong"
  end
  for _, k in ipairs { 1, 2, 3 } do
    if k == 2 then goto continue end
    K.emit("k %d", k)
    if k == 3 then break end
    ::continue::
  end
end))

trace("variables", K.jit(function()
  local acc = K.var(0)
  local A = K.buf "A"
  for i in K.serial(4) do
    acc += A[i]
    acc = acc * 2
    local old = acc
    acc = 7
    A[i] = old
  end
  local x = acc
  return x
end))

trace("one value a name", K.jit(function()
  local A = K.buf "A"
  local x = A[0]
  A[0] = 5
  local y, z = A[1], A[2]
  A[1], A[2] = z, y
  x = A[3]
  A[3] = x + y
end))

trace("swap", K.jit(function()
  local a, b = K.var(1), K.var(2)
  local A = K.buf "A"
  a, b = b, a
  A[0], A[1] = A[1], A[0]
end))

trace("indices and slices", K.jit(function()
  local A, i, j = K.buf "A", K.i, K.j
  A[i, j] = A[j, i] + 1
  A[i, j] += 2
  A[i:j, :, 3] = A[:j, i:]
  A[i + 1:j] = 0
  A[i] *= A[i]
end))

trace("kernel, annotations, names", K.jit(function(A, s)
  A: K.Tensor
  s: K.float32
  for bx, by in K.kernel(4) do
    local c = 0
    c = 1
    for i, j in K.serial(2) do
      local k = A
      K.emit("%s %s", K.show(i), K.show(j))
    end
  end
  return A
end), K.buf "A", K.s)

local add = K.macro(function(x, y)
  x = x + 1
  if x < y then K.emit "smaller" end
  return x
end)

trace("a macro takes values", K.jit(function()
  local v = K.var(3)
  for i in K.serial(2) do
    local r = add(v, i)
    v = r
  end
end))

trace("named functions are staged by their later use", function()
  local function f() if K.p() then K.emit "f" end end
  local g = function() if K.p() then K.emit "g" end end
  K.jit(f)()
  K.macro(g)()
  K.jit { out = 1 }(function() if K.p() then K.emit "h" end end)
end)

trace("closures inside", K.jit(function(...)
  local n = 0
  local function count() n = n + 1 return n end
  for _ = 1, 3 do count() end
  local t = { ... }
  local first = K.i < 1 and select(2, ...) or 5
  return n, #t, first
end), 1, 2)

-- errors ------------------------------------------------------------------------

trace("assigning to an outer local in a loop", K.jit(function()
  local acc = 0
  for i in K.serial(4) do
    acc = acc + i
  end
end))

trace("in a branch", K.jit(function()
  local acc
  if K.i < 3 then acc = 1 end
end))

trace("in a numeric for", K.jit(function()
  local acc = 0
  for i = 0, K.n do acc += i end
end))

trace("in a called closure", K.jit(function()
  local acc = 0
  local function f() acc += 1 end
  f()
  for i in K.serial(3) do f() end
end))

total = 0
trace("a global", K.jit(function()
  total = 1
  for i in K.serial(3) do total = 2 end
end))

trace("in a plain loop it is allowed", K.jit(function()
  local acc = 0
  for i in K.serial(3) do
    local inner = 0
    for k = 1, 4 do inner += k end
    K.emit("%d", inner)
  end
  for _, k in ipairs { 1, 2 } do acc += k end
  return acc
end))

trace("number as a condition", K.jit(function() if K.i then K.emit "x" end end))
trace("not number", K.jit(function() return not K.i end))
trace("and without or", K.jit(function() local x = K.p() and 3 return x end))
trace("or of condition and number", K.jit(function() local x = K.p() or 3 return x end))
trace("select of strings", K.jit(function() local x = K.p() and "a" or "b" return x end))
trace("repeat", K.jit(function() repeat K.emit "x" until K.p() end))
trace("return in a loop", K.jit(function() for i in K.serial(2) do return i end end))
trace("return in a branch", K.jit(function() if K.p() then return 1 end return 2 end))
trace("return in a launch", K.jit(function() for i in K.kernel(2) do return i end end))
trace("break of a Lua loop", K.jit(function() for k = 1, 3 do if K.p() then break end end end))
trace("continue of a Lua loop", K.jit(function()
  for k = 1, 3 do
    if K.p() then goto continue end
    K.emit "x"
    ::continue::
  end
end))
trace("goto out of a branch", K.jit(function()
  if K.p() then goto out end
  K.emit "x"
  ::out::
  K.emit "y"
end))
trace("step", K.jit(function() for i = 0, 4, K.n do K.emit "x" end end))
trace("compare with a string", K.jit(function() return K.i < "a" end))
trace("compare with booleans", K.jit(function()
  return K.p() == true, K.p() ~= true, false == K.p(), K.i == true
end))
trace("compare with nil", K.jit(function() return K.i == nil, K.i ~= "x", nil == K.i end))
trace("Lua's own error", K.jit(function()
  local t
  return 1 < t
end))
trace("Lua's own error, for", K.jit(function(t) for i = 1, t do K.emit "x" end end), {})

-- assert ------------------------------------------------------------------------

trace("assert of a symbolic condition", K.jit(function()
  assert(K.i < K.n, "too far")
  assert(K.p())
  local x, y = assert(K.i ~= 3, "three")
  return x, y
end))
trace("assert of an ordinary one", K.jit(function(n)
  local a, b, c = assert(n > 3, "text", 7)
  return a, b, c
end), 5)
trace("that fails", K.jit(function(n) assert(n > 3, "n is small") end), 1)
trace("without a text", K.jit(function(n) assert(n > 3) end), 1)
trace("with a table", K.jit(function() assert(nil, setmetatable({}, { __tostring = function() return "a table" end })) end))
trace("with nothing", K.jit(function() assert() end))
trace("a number is no condition", K.jit(function() assert(K.i) end))
trace("a local of that name", K.jit(function()
  local assert = function(c) K.emit("mine %s", K.show(c)) end
  assert(K.i < 2)
end))
trace("a field of that name", K.jit(function()
  local t = { assert = function(c) K.emit("field %s", K.show(c)) end }
  t.assert(K.i < 2)
end))
trace("iterating over an expression", K.jit(function() for i in K.n do K.emit "x" end end))
