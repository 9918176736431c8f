-- Messages of T and tl.jit that tests/wrong has not: code, title, label, help.
local lang = require "moontile.diag".setlang

local function try(what, f, ...)
  print(("-- %s"):format(what))
  lang "zh"
  local _, zh = pcall(f, ...)
  if type(zh) == "userdata" then
    zh = ("   %s | %s | %s"):format(zh.message, zh.label, zh.help)
  end
  lang "en"
  local ok, e = pcall(f, ...)
  if ok then
    print("no error")
  elseif type(e) == "string" then
    print("a plain string: " .. e)
  else
    print(("%s %s: %s"):format(e.code, e.id, e.message))
    print(("   %s | %s"):format(e.label, e.help))
    print(zh)
  end
end

-- Runs a body inside of a kernel with a few buffers.
local function kernel(what, body)
  local text = [[
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N, 64}, T.float32)
  local C = T.empty({N, 64}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32)) do
    local s, f, v = T.alloc_shared({32, 64}, T.float32), T.alloc_fragment({32, 64}, T.float32), T.alloc_fragment({32}, T.float32)
    local n = T.alloc_var(T.int32, 0)
    T.copy(A[bx * 32, 0], s) T.copy(s, f) T.fill(v, 0)
    ]] .. body .. "\n T.copy(f, C[bx * 32, 0])\n end\n return C\nend)\nf:compile{N = 64}"
  local chunk, err = load(text, "=" .. what)
  if not chunk then
    print("-- " .. what, err)
    return
  end
  try(what, chunk)
end

kernel("T.none", "T.copy_all(s, f)")
kernel("a later name", "T.tma_gather4(s)")
kernel("a later dtype", "local t = T.alloc_shared({4}, T.float4_e2m1fn)")
kernel("vector dtype", "local t = T.alloc_shared({4}, T.float16x2)")
kernel("argument given twice", "T.copy(s, f, {src = s})")
kernel("unknown key", "T.reduce_sum(f, v, {dims = 1})")
kernel("too many", "T.clear(f, nil, 3)")
kernel("kind of dim", "T.reduce_sum(f, v, '1')")
kernel("bool as policy", "T.gemm(s, s, f, {policy = true})")
kernel("policy name", "T.gemm(s, s, f, {policy = T.GemmWarpPolicy.Rows})")
kernel("gemm with mbar", "T.gemm(s, s, f, {mbar = s})")
kernel("copy of a number", "T.copy(3, f)")
kernel("fill with a buffer", "T.fill(f, s)")
kernel("cast of a buffer", "f[0, 0] = T.cast(s, T.float16)")
kernel("cast to nothing", "f[0, 0] = T.cast(s[0, 0], 'half16')")
kernel("rounding mode", "f[0, 0] = T.round(s[0, 0], 'up')")
kernel("ieee mode", "f[0, 0] = T.ieee_add(s[0, 0], 1, 'up')")
kernel("fast math of an integer", "f[0, 0] = T.__exp(n)")
kernel("infinity of an integer", "T.fill(f, T.infinity(T.int32))")
kernel("division by zero", "f[0, 0] = n // 0")
kernel("ceildiv by zero", "f[0, 0] = T.ceildiv(n, 0)")
kernel("shift too far", "f[0, 0] = n << 40")
kernel("string in an expression", "f[0, 0] = s[0, 0] + 'a'")
kernel("table in an expression", "f[0, 0] = s[0, 0] + {}")
kernel("field of a scalar", "f[0, 0] = (n + 1).shape")
kernel("index of a scalar", "local x = n + 1 f[0, 0] = x[0]")
kernel("store into a scalar", "local x = n + 1 x[0] = 1")
kernel("field of a buffer", "f[0, 0] = s.width")
kernel("set a field", "s.shape = {1}")
kernel("too few indices", "f[0] = 1")
kernel("chained too far", "f[0][1][2] = 1")
kernel("string index", "f[{'a', 0}] = 1")
kernel("slice as value", "f[0, 0] = s[0:4, 0]")
kernel("float index", "f[0.5, 0] = 1")
kernel("shape not static", "local t = T.alloc_fragment({n}, T.float32)")
kernel("nil in a shape", "local t = T.alloc_fragment({nil, 4}, T.float32)")
kernel("names of a loop", "for i, j in T.serial(4) do f[0, 0] = i end")
kernel("names of Parallel", "for i in T.Parallel(4, 4) do f[i, 0] = 1 end")
kernel("no extents", "for i in T.Parallel() do f[i, 0] = 1 end")
kernel("step zero", "for i in T.serial(0, 4, 0) do f[0, 0] = i end")
kernel("stages", "for i in T.Pipelined(4, {num_stages = -1}) do f[0, 0] = i end")
kernel("both options", "for i in T.unroll(4, {explicit = true, unroll_factor = 2}) do f[0, 0] = i end")
kernel("nested pipeline names", "for i in T.Pipelined(4, nil, 2, 'a') do f[0, 0] = i end")
kernel("panel", "T.use_swizzle(0)")
kernel("layout for a fragment", "T.annotate_layout {[f] = T.Layout({32, 64}, function(i, j) return i, j end)}")
kernel("layout not injective", "T.annotate_layout {[s] = function(i, j) return i end}")
kernel("full bank too narrow", "local w = T.alloc_shared({8, 8}, T.float32) local l = T.make_full_bank_swizzled_layout(w)")
kernel("safe value", "T.annotate_safe_value {[A] = n}")
kernel("atomic on a tile with prev", "T.atomic_add(C[0, 0], f, {return_prev = true})")
kernel("atomic scalar on a tile", "T.atomic_add(C, 1, {return_prev = true})")
kernel("atomic without value", "T.atomic_add(C[0, 0])")
kernel("atomic_load order", "f[0, 0] = T.atomic_load(A[0, 0], 'release')")
kernel("print nothing", "T.print()")
kernel("print a table", "T.print({})")
kernel("const in a kernel is fine, unknown not", "local Q = T.const 'Q'")
kernel("names of const", "local Q = T.const '1a'")
kernel("const of a number", "local Q = T.const(3)")
kernel("condition on a number", "if n + 1 then f[0, 0] = 1 end")
kernel("assign an outer local", "local x = 0 for i in T.serial(4) do x = x + 1 end")
kernel("value of another kernel", "stolen = n + 1 n = 2 v[0] = n f[0, 0] = v[0]")
kernel("use of the stolen value", "f[0, 0] = stolen")
kernel("empty in a loop is not returned", "local E = T.empty({4}, T.float32)")
kernel("any_of of a number", "if T.any_of(n) then f[0, 0] = 1 end")
kernel("alloc_var init", "local q = T.alloc_var(T.int32, {})")
kernel("dtype is called with nothing", "f[0, 0] = T.float16()")
kernel("dtype is called with two", "f[0, 0] = T.float16(1, 2)")

-- functions and calls
local inc = tl.jit(function(A, k, BN)
  A: T.Tensor({16}, T.float32)
  k: T.int32
  local B = T.empty({16}, T.float32)
  for bx in T.Kernel(1) do
    for i in T.Parallel(16) do B[i] = A[i] + k + BN end
  end
  return B
end)
local a = tl.zeros{16}
try("no kernel", tl.jit(function(A) A: T.Tensor({4}, T.float32) end), tl.zeros{4})
try("not a function", tl.jit, 3)
try("unknown option", tl.jit, function() end, {out_index = 1})
try("a missing tensor", inc)
try("a missing scalar", inc, a)
try("a scalar of the wrong kind", inc, a, 1.5, 1)
try("a tensor as scalar", inc, a, a, 1)
try("a tensor as compile-time value", inc, a, 1, a)
try("a missing compile-time value", inc, a, 1)
try("unknown name", inc, a, 1, 1, {BM = 3})
try("given twice", inc, a, 1, {A = a})
try("strides", inc, tl.zeros{16, 2}[:, 0], 1, 1)
try("untyped tensor", tl.jit(function(A, B)
  A: T.Tensor({4}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 0) end
end), tl.zeros{4}, tl.zeros{4})
try("a tensor used before its type", tl.jit(function(A)
  local n = A.shape[1]
  A: T.Tensor({n}, T.float32)
end), tl.zeros{4})
try("out_idx for the eager style", tl.jit(function(A)
  A: T.Tensor({4}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 0) end
end, {out_idx = 0}), tl.zeros{4})
local function fill()
  return T.prim_func(function(A, n)
    A: T.Tensor({4}, T.float32)
    n: T.int32
    for bx in T.Kernel(1) do T.fill(A, n) end
  end)
end
try("out_idx twice", tl.compile, fill(), {out_idx = {0, -2}})
try("out_idx of a scalar", tl.compile, fill(), {out_idx = 1})
try("count", tl.compile(fill(), {out_idx = 0}), 1, 2)
try("const in prim_func", T.prim_func, function() local N = T.const "N" end)
try("annotation that is no type", load [[T.prim_func(function(A) A: T.ceildiv(3, 2) end)]])
try("sizes of a benchmark", function()
  local m = T.dynamic "m"
  tl.compile(T.prim_func(function(A)
    A: T.Tensor({m}, T.float32)
    for bx in T.Kernel(1) do T.fill(A, 0) end
  end)):get_profiler():do_bench()
end)
try("mode of a benchmark", function() tl.compile(fill(), {out_idx = 0}):get_profiler() :do_bench{return_mode = "best", input_tensors = {1}} end)
try("no configurations", tl.autotune(inc, {configs = {}}), a, 1)
try("no configuration works", tl.autotune(inc, {configs = {{BN = "x"}}}), a, 1)
try("tl.later", function() return tl.carver end)
try("tl.near", function() return tl.zeroes end)
try("kernel:later", function() return tl.compile(fill(), {out_idx = 0}).export_library end)
try("T.None", function() return T.Tensr end)
try("macro outside", T.macro(function() end))
try("macro's buffer", tl.jit(function(A)
  local m = T.macro(function(s) s: T.SharedBuffer({4}, T.float32) end)
  A: T.Tensor({4}, T.float32)
  for bx in T.Kernel(1) do m(A) end
end), tl.zeros{4})
try("a string is called", function() return ("abc")(1) end)
kernel("thread_binding: extent", [[local x = T.thread_binding(0, 64, {thread = "threadIdx.x"})]])
kernel("thread_binding: no direction", [[local x = T.thread_binding(0, 64)]])
kernel("thread_binding: start", [[local x = T.thread_binding(1, 128, {thread = "threadIdx.x"})]])
kernel("attr: another key", [[for _ in T.attr(s, "pragma_unroll", 1) do end]])
kernel("attr: no reducer", [[for _ in T.attr(s, "reduce_scope", 0) do end]])
kernel("allreduce without attr", [[T.tvm_thread_allreduce(1, 1.0, true, v[0], T.get_thread_binding())]])
local sum = "for _ in T.attr(T.comm_reducer(function(a, b) return a + b end, {0}), 'reduce_scope', 0) do "
kernel("allreduce: arguments", sum .. [[T.tvm_thread_allreduce(2, 1.0, true, v[0], T.get_thread_binding()) end]])
kernel("allreduce: no thread", sum .. [[T.tvm_thread_allreduce(1, T.cast(1, T.float32), true, v[0], bx) end]])
kernel("allreduce: result", sum .. [[T.tvm_thread_allreduce(1, T.cast(1, T.float32), true, 1, T.get_thread_binding()) end]])
kernel("access_ptr: mode", [[local p = T.access_ptr(s[0, 0], "x")]])
kernel("access_ptr: base", [[local p = T.access_ptr(1, "r")]])
kernel("ptx_cp_async: no pointer", [[T.ptx_cp_async(s[0, 0], A[0, 0], 4)]])
kernel("ptx_cp_async: bytes", [[T.ptx_cp_async(T.access_ptr(s[0, 0], "w"), T.access_ptr(A[0, 0]), 3)]])
kernel("im2col: img", [[T.im2col(A, s, 0, 0, 3, 1, 1, 1)]])
kernel("im2col: stride", [[T.im2col(T.Tensor({1, 8, 8, 64}, T.float32, A.data), s, 0, 0, 3, 0, 1, 1)]])
kernel("dp4a", [[T.dp4a(s[0, 0], s[0, 4], n)]])
kernel("reinterpret as a handle", [[local h = T.reinterpret(T.uint64(1), "handle")]])
kernel("alloc_buffer", [[local b = T.alloc_buffer({4}, T.float32, {data = s, scope = "shared"})]])
