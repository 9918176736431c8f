-- What reads beyond a tensor give under T.annotate_safe_value, on every way that reads take.
local f32 = "float32"

local function row(t)
  local s = {}
  for i = 0, t.shape[1] - 1 do
    s[#s + 1] = ("%g"):format(t[i])
  end
  return table.concat(s, " ")
end

-- A way: what a kernel of one block does with X, of 5 elements, and O, of 8.
local ways = {}
local function way(name, value, body)
  ways[#ways + 1] = {name = name, f = T.prim_func(function(X, O)
    X: T.Tensor({5}, f32)
    O: T.Tensor({8}, f32)
    for bx in T.Kernel(1, {threads = 32}) do
      body(X, O, value)
    end
  end)}
end
local of_base = T.macro(function(X, O, v)
  local V = T.reshape(X, {5, 1})
  T.annotate_safe_value {[X] = v}
  for i in T.Parallel(8) do O[i] = V[i, 0] end
end)
local of_bases_copy = T.macro(function(X, O, v)
  local V = T.reshape(X, {1, 5})
  local s = T.alloc_shared({1, 8}, f32)
  T.annotate_safe_value {[X] = v}
  T.copy(V[0, 0], s)
  for i in T.Parallel(8) do O[i] = s[0, i] end
end)
local of_both = T.macro(function(X, O, v)
  local V = T.reshape(X, {5, 1})
  T.annotate_safe_value {[X] = v, [V] = 100}
  for i in T.Parallel(8) do O[i] = X[i] + V[i, 0] end
end)
local other_type = T.macro(function(X, O, v)
  local V = T.view(X, {5}, "int32")
  T.annotate_safe_value {[X] = v}
  for i in T.Parallel(8) do O[i] = T.reinterpret(V[i], f32) end
end)
local atomic = T.macro(function(X, O, v)
  T.annotate_safe_value {[X] = v}
  for i in T.Parallel(8) do O[i] = T.atomic_load(X[i]) end
end)
local previous = T.macro(function(X, O, v)
  T.annotate_safe_value {[X] = v}
  for i in T.Parallel(8) do O[i] = T.atomic_add(X[i], 1, {return_prev = true}) end
end)
local behind = T.macro(function(X, O, v)
  for i in T.Parallel(8) do O[i] = X[i - 2] end
  T.annotate_safe_value {[X] = v}
end)
local sign = T.macro(function(X, O, v)
  local s = T.alloc_shared({8}, f32)
  T.annotate_safe_value {[X] = v}
  T.copy(X[0], s)
  for i in T.Parallel(8) do O[i] = 1 / s[i] end
end)
way("a view of an annotated tensor", -7, of_base)
way("... copied", -7, of_bases_copy)
way("... with a value of its own", -7, of_both)
way("... of another type", -7, other_type)
way("an atomic read", -7, atomic)
way("what an atomic was to change", -7, previous)
way("annotated behind the read", -7, behind)
way("the negative zero", -0.0, sign)

for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"} do
  print("== " .. target)
  tl.set_target(target)
  for _, w in ipairs(ways) do
    local x, o = tl.zeros({5}, f32), tl.zeros({8}, f32)
    for i = 0, 4 do x[i] = i + 1 end
    tl.compile(w.f)(x, o)
    print(w.name, row(o))
  end
end
