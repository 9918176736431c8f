-- guards.lua: which conditions spare an access its guard, and what a guard tests, as text.
--
-- A condition on an index that is read from memory holds for the access only if nothing can write there in
-- between.  Where something can, the index is read once: what is tested is what is used.
local function body(source)
  local text = source:match "assume%(tid.-\n(.*)\n}"
  return (text:gsub("[^\n]*// line[^\n]*\n", ""):gsub("[^\n]*assume[^\n]*\n", ""))
end

local function show(name, f)
  local k = tl.jit(function(A, B, s)
    A: T.Tensor({16}, "int32")
    B: T.Tensor({16}, "int32")
    s: T.int32
    for bx in T.Kernel(1, {threads = 32}) do f(A, B, s, bx) end
  end, {target = "cuda -arch=sm_80"})
  print("-- " .. name)
  print(body(k:compile(tl.zeros({16}, "int32"), tl.zeros({16}, "int32"), 1):get_kernel_source()))
end

show("nobody writes it", T.macro(function(A, B)
  if A[0] >= 0 and A[0] < 16 then B[A[0]] = 3 end
end))

show("nobody writes it, in a T.Parallel", T.macro(function(A, B)
  for i in T.Parallel(16) do
    if A[i] >= 0 and A[i] < 16 then B[A[i]] = i end
  end
end))

show("the thread writes it in between", T.macro(function(A, B, s)
  if A[0] >= 0 and A[0] < 16 then
    A[0] = s
    B[A[0]] = 3
  end
end))

show("others may write it", T.macro(function(A, B)
  if A[0] >= 0 and A[0] < 16 then B[A[0]] = 3 end
  T.atomic_add(A[1], 1)
end))

show("it has a name", T.macro(function(A, B)
  local k = A[0]
  if k >= 0 and k < 16 then B[k] = 3 end
  T.atomic_add(A[1], 1)
end))

show("shared memory", T.macro(function(A, B)
  local t = T.alloc_shared({16}, "int32")
  T.copy(A, t)
  for i in T.Parallel(16) do B[i] = B[t[i]] + B[t[i] % 16] end
end))

show("an index of an index, under a condition", T.macro(function(A, B, s)
  for i in T.Parallel(16) do
    B[i] = T.if_then_else(A[i] > s, B[A[A[i]]], 0)
    A[i] = 0
  end
end))

show("a thread's own variable", T.macro(function(A, B, s)
  local v = T.alloc_var("int32", 0)
  for i in T.Parallel(16) do
    v = A[i]
    if v >= 0 and v < 16 then B[v] = i end
    v = s
  end
end))
