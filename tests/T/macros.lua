-- However a macro comes to its call, scalars are taken by value: variables, elements and
-- expressions are read once, there; T.Ref asks for the variable or element itself.
local by_name = T.macro(function(v, C, x) v: T.Ref  v = 100  C[0] = x end)
local m = T.macro
local aliased = m(function(v, C, x) v: T.Ref  v = 100  C[0] = x end)
local function make(f) return T.macro(f) end
local made = make(function(v, C, x) v: T.Ref  v = 100  C[0] = x end)
local t = {f = function(v, C, x) v: T.Ref  v = 100  C[0] = x end}
local field = T.macro(t.f)
local set = {}
for i, f in ipairs {function(v, C, x) v: T.Ref  v = 100  C[0] = x end} do set[i] = m(f) end
local later
later = function(v, C, x) v: T.Ref  v = 100  C[0] = x end
later = T.macro(later)
local calls = T.macro(function(f, C, a) f(a, C, a[0]) end)

-- one that is not read as a kernel's text: nothing in it says so
local store = T.macro(function(v) v: T.Ref  v = 100 end)
local function plain(f, var) return m(function(C, x) f(var) C[0] = x end) end

local function run(name, f)
  local var = tl.jit(function(A)
    A: T.Tensor({1}, "int32")
    local C = T.empty({2}, "int32")
    for bx in T.Kernel(1, {threads = 1}) do
      local v = T.alloc_var("int32")
      v = A[0]
      f(v, C, v)
      C[1] = v
    end
    return C
  end)
  local element = tl.jit(function(A)
    A: T.Tensor({1}, "int32")
    local C = T.empty({2}, "int32")
    for bx in T.Kernel(1, {threads = 1}) do
      local s = T.alloc_local({1}, "int32")
      s[0] = A[0]
      f(s[0], C, s[0])
      C[1] = s[0]
    end
    return C
  end)
  local a = tl.full({1}, 5, "int32")
  print(name, var(a), element(a))
end

run("by name", by_name)
run("aliased", aliased)
run("made", made)
run("of a field", field)
run("of a list", set[1])
run("assigned", later)
run("through a table", function(...) return ({by_name})[1](...) end)
run("not staged", function(v, C, x) plain(store, v)(C, x) end)

-- handed to another macro, with what it changes in a buffer
local k = tl.jit(function(A)
  A: T.Tensor({1}, "int32")
  local C = T.empty({2}, "int32")
  for bx in T.Kernel(1, {threads = 1}) do
    local s = T.alloc_local({1}, "int32")
    s[0] = A[0]
    calls(T.macro(function(a, c, x) a[0] = 100  c[0] = x end), C, s)
    C[1] = s[0]
  end
  return C
end)
print("handed", k(tl.full({1}, 5, "int32")))
