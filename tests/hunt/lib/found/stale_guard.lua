-- An index that a condition had tested was used unguarded behind a store to it: the condition's fact outlived the store.
local N = 16
-- What each does to index A[0], 3 at first, and to B with it; what B must be for the s that lies outside.
local cases = {}
local function case(name, f, want) cases[#cases + 1] = {name = name, f = f, want = want or {}} end

case("store", T.macro(function(A, B, _, s)
  if A[0] >= 0 and A[0] < N then A[0] = s; B[A[0]] = 3 end
end))
case("before and behind", T.macro(function(A, B, _, s)
  if A[0] >= 0 and A[0] < N then B[A[0]] = 1; A[0] = s; B[A[0]] = 3 end
end), {[3] = 1})
case("read", T.macro(function(A, B, X, s)
  if A[0] >= 0 and A[0] < N then
    A[0] = s
    B[1] = X[A[0]] + 5
  end
end), {[1] = 5})
case("sum", T.macro(function(A, B, _, s)
  if A[0] + A[1] >= 0 and A[0] + A[1] < N then A[1] = s; B[A[0] + A[1]] = 2 end
end))
case("macro", T.macro(function(A, B, _, s)
  local set = T.macro(function() A[0] = s end)
  if A[0] >= 0 and A[0] < N then set(); B[A[0]] = 2 end
end))
case("atomic", T.macro(function(A, B, _, s)
  if A[0] >= 0 and A[0] < N then T.atomic_add(A[0], s); B[A[0]] = 3 end
end))
case("loop", T.macro(function(A, B, _, s)
  if A[0] >= 0 and A[0] < N then
    for i in T.serial(3) do
      B[A[0]] = i + 1
      A[0] = s
    end
  end
end), {[3] = 1})
case("fill", T.macro(function(A, B, _, s)
  if A[0] >= 0 and A[0] < N then T.fill(A[0:4], s); B[A[0]] = 1 end
end))
case("otherwise", T.macro(function(A, B, _, s)
  if A[0] < 0 or A[0] >= N then B[0] = 1 else A[0] = s; B[A[0]] = 2 end
end))
case("branch", T.macro(function(A, B, _, s)
  if A[0] >= 0 and A[0] < N then
    if A[1] == 0 then A[0] = s end
    B[A[0]] = 2
  end
end))
case("while", T.macro(function(A, B, _, s)
  while A[0] >= 0 and A[0] < N do
    B[A[0]] = 1
    A[0] = A[0] + s
    B[A[0]] = 2
  end
end), {[3] = 1})
case("shared", T.macro(function(A, B, _, s)
  local t = T.alloc_shared({4}, "int32")
  T.copy(A[0:4], t)
  if t[1] >= 0 and t[1] < N then t[1] = s; B[t[1]] = 1 end
end))
case("view", T.macro(function(A, B, _, s)
  local t = T.alloc_shared({4, 4}, "int32")
  local w = T.reshape(t, {16})
  T.clear(t)
  if t[1, 0] >= 0 and t[1, 0] < N then T.fill(w, s); B[t[1, 0]] = 3 end
end))
case("variable", T.macro(function(_, B, _, s)
  local v = T.alloc_var("int32", 0)
  if v >= 0 and v < N then v = s; B[v] = 3 end
end))
case("iterations", T.macro(function(A, B, X, s)
  for i in T.Parallel(4) do
    if A[i] >= 0 and A[i] < N then
      A[i] = s
      B[i] = X[A[i]] + i
      T.atomic_add(B[A[i]], 1)
    end
  end
end), {1, 2, 3})
for _, kind in ipairs {"alloc_shared", "alloc_fragment"} do
  case(kind, T.macro(function(A, B, _, s)
    local t = T[kind]({4}, "int32")
    T.copy(A[0:4], t)
    for i in T.Parallel(4) do
      if t[i] >= 0 and t[i] < N then t[i] = s; B[t[i]] = 1 end
    end
  end))
end

local function kernel(f, target)
  return tl.jit(function(A, B, X, s)
    A: T.Tensor({N}, "int32")
    B: T.Tensor({N}, "int32")
    X: T.Tensor({N}, "int32")
    s: T.int32
    for bx in T.Kernel(1, {threads = 32}) do f(A, B, X, s) end
  end, {target = target})
end

for _, c in ipairs(cases) do
  local want = {}
  for i = 0, N - 1 do want[i + 1] = c.want[i] or 0 end
  for _, s in ipairs {16, -20, 12000, -2147483648} do
    local A, B, X = tl.zeros({N}, "int32"), tl.zeros({N}, "int32"), tl.full({N}, 7, "int32")
    A[0] = 3
    kernel(c.f)(A, B, X, s)
    for i = 0, N - 1 do
      if B[i] ~= want[i + 1] then error(("%s, s = %d: B[%d] is %s, wanted %d"):format(c.name, s, i, B[i], want[i + 1])) end
    end
  end
end
print "right"
