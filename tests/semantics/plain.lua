-- Symbolic values in functions that are not staged: what Lua alone would decide by them is an
-- error at its place; everything else about them is as ever.
local function try(name, f, ...)
  local r = table.pack(pcall(f, ...))
  local e = r[2]
  if r[1] then
    print(name, "fine", table.unpack(r, 2, r.n))
  elseif type(e) == "userdata" then
    print(name, e.code, e.line .. ":" .. e.col, (e.label))
  else
    print(name, e)
  end
end

-- calls f with: an expression, a comparison, an element, a variable, a slice, a buffer
local function inside(f)
  local k = tl.jit(function(A, n)
    A: T.Tensor({8}, "float32")
    n: T.int32
    for _ in T.Kernel(1, {threads = 32}) do
      local s = T.alloc_shared({8}, "float32")
      local v = T.alloc_var("int32", 2)
      f(n + 1, n < 3, A[0], v, A[0:4], s)
      s[0] = v
      A[0] = s[0]
    end
  end)
  k:compile()
end

print "-- what decides"
inside(function(e, c, a, v, r, s)
  try("if", function()
    if c then return 1 end
  end)
  try("elseif", function()
    if s == nil then
      return 1
    elseif c then return 2 end
  end)
  try("while", function() while c do return 1 end end)
  try("until", function() repeat local d = c until d end)
  try("and", function() return c and 1 end)
  try("or", function() return c or 1 end)
  try("and or", function() return c and 1 or 2 end)
  try("chain", function() return s and 1 and c and 2 end)
  try("not", function() return not c end)
  try("not not", function() return not not c end)
  try("==", function() return e == 3 end)
  try("~=", function() return 3 ~= e end)
  try("== both", function() return e == e end)
  try("== true", function() return c == true end)
  try("element ==", function() return a == 0.5 end)
  try("variable ==", function() return v == 2 end)
  try("variable", function() if v then return 1 end end)
  try("number", function() if e then return 1 end end)
  try("number and", function() return e and 1 end)
  try("slice ==", function() return r == 2 end)
  try("slice", function() return not r end)
  try("<", function() return e < 3 end)
  try(">=", function() return e >= 3 end)
  try("call", function()
    local function give(...) return ... end
    return 1 ==
      give(e, 2, 3)
  end)
  try("vararg", function(...) return ... == 1 end, e, 2)
  try("field", function()
    local t = {x = {y = c}}
    return t.x.y and 1
  end)
  try("upvalue that varies", function()
    local n = 0
    local function set(x) n = x end
    set(e)
    return n == 0
  end)
  try("compound", function()
    local n = 0
    n += e
    return n ~= 0
  end)
  try("assert", function() assert(c, "said") end)
  try("print", function() print(v == e) end)
  try("in a coroutine", function()
    local co = coroutine.create(function(x) return coroutine.yield() == 1, x end)
    coroutine.resume(co)
    local ok, why = coroutine.resume(co, e)
    if ok then return "resumed" end
    error(why, 0)
  end)
  try("metamethod", function()
    local t = setmetatable({}, {__index = function(_, k) if k == e then return 1 end return 2 end})
    return t[1]
  end)
  try("read later", function()
    return load("local x = ... return 'no', x == 1", "=later")(e)
  end)
end)

print "-- what does not"
inside(function(e, c, a, v, r, s)
  try("nil", function() return e == nil, nil ~= c, a ~= nil end)
  try("text", function() return e == "auto", "auto" ~= a end)
  try("default", function(x) x = x or 1 return x + 1 end, e)
  try("element or", function() return a or 1 end)
  try("last", function() return s and e, false or a end)
  try("given", function(flag) return flag and e or 0 end, true)
  try("buffers", function(x) return s == x, s ~= 1, not s, s and 1 or 2 end, s)
  try("dtypes", function() return a.dtype == "float32", a.dtype == T.float32, T.float32 ~= T.int32 end)
  try("type", function() return type(e) == "userdata" and rawequal(e, e), rawequal(e, 3) end)
  try("key", function() return ({[e] = 1})[e] end)
  try("in a macro", T.macro(function(x) return (x == 3 and 1 or 2) + 1 end), e)
end)
local A, B = tl.zeros({4}, "float32"), tl.zeros({4}, "float32")
try("tensors", function() return A == A, A == B, A ~= B, not A, A and 1, A.shape[1] == 4, A.dtype == B.dtype end)
try("kernels", function(k) return k and 1, k == k, not k end, tl.jit(function() end))
try("layouts", function(l) return l == l, l and 1 end, tl.layout and 1)

print "-- at the top level"
local M = T.dynamic "m"
try("size", function() return M == 3 end)
try("size or", function(n) return tostring(n or 128) end, M)
try("size and", function(n) return n and 1 end, M)
try("size nil", function(n) return n == nil end, M)

print "-- sizes that are numbers"
local function block(n)
  if n == 128 then return 32 end
  return n == 64 and 16 or 8
end
local k = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  local Y = T.empty({N}, T.float32)
  local b = block(N)
  for bx in T.Kernel(T.ceildiv(N, b), {threads = 32}) do
    for i in T.Parallel(b) do Y[bx * b + i] = X[bx * b + i] + b end
  end
  return Y
end)
for _, n in ipairs {128, 64, 8} do print(n, k(tl.zeros({n}, "float32"))[0]) end
