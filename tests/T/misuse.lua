-- Values of ours used as what they are not: each message names the value, the place and what to
-- do, and none is a bug's.
tl.set_target "sim"
local f = function(A)
  A: T.Tensor({64}, T.int32)
  local B = T.empty({64}, T.int32)
  for bx in T.Kernel(1) do
    for i in T.Parallel(64) do
      B[i] = A[i] + 3
    end
  end
  return B
end
local p = T.prim_func(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1) do
    T.fill(A, 3)
  end
end)
local x, j = tl.zeros({64}, "int32"), tl.jit(f)
local k = j:compile()

local function try(name, f)
  local ok, e = xpcall(f, require("moontile.diag").handler)
  print("== " .. name)
  print(ok and "no error" or tostring(e):match "error%[.*")
end

try("a kernel's method", function() k:lower() end)
try("a function's method", function() j:profiler() end)
try("indexed", function() return T.Kernel.foo() end)
try("as a type", function() return T.Tensor[{3}] end)
try("added", function() return T.copy + 1 end)
try("joined", function() return T.copy .. "x" end)
try("called", function() return T.GemmWarpPolicy() end)
try("of others", function() local t = {} t.copy() end)

-- Targets and options of the host.
print("target", tl.jit(f, {target = {kind = "sim"}})(x)[0])
tl.set_target {kind = "sim"}
print("set", tl.jit(f)(x)[0])
try("target nil", function() tl.set_target() end)
try("target {}", function() tl.jit(f, {target = {}})(x) end)
try("options", function() tl.jit(f, 3) end)
try("pass_configs", function() tl.jit(f, {pass_configs = 3}) end)
print("par_compile", #tl.par_compile({p, p}, {ignore_error = true, num_workers = 2}),
  tl.par_compile({p}, {ignore_error = true})[1] ~= false)
try("par_compile", function() tl.par_compile(3) end)
try("par_compile's options", function() tl.par_compile({p}, 3) end)
try("par_compile of jit", function() j:par_compile {3} end)
try("from_ir", function() tl.from_ir() end)
try("from_ir's options", function() tl.from_ir("x", 3) end)
try("allclose", function() tl.allclose(1, 2, "x") end)
