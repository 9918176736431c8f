-- A name that a function does not know as an option is refused, not passed over: a causal
-- attention that is none, a product that was not transposed.
tl.set_target "cpu"
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local B = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    T.copy(A, B)
  end
  return B
end)
local k, a, m, q = f:compile(), tl.ones {64}, tl.ones({4, 4}, "float16"), tl.ones({1, 1, 16, 64}, "float16")
local function try(what, g, ...)
  local ok, e = pcall(g, ...)
  print(what, ok, ok or e.code, ok or e.message:match "[^\n]*")
end
local odd = {causal = true}
try("flash_attention", tl.ops.flash_attention, q, q, q, odd)
try("gemm", tl.ops.gemm, m, m, {transb = true})
try("time", k.time, k, {a}, odd)
try("bench", k.bench, k, odd)
try("tune", f.tune, f, a, odd)
try("par_compile", f.par_compile, f, {}, odd)
try("tl.par_compile", tl.par_compile, {f}, odd)
try("swizzle", tl.layout.swizzle, {rows = 8, byte = 128})
try("mma", tl.layout.mma, "m16n8k16", odd)
try("wgmma", tl.layout.wgmma, 64, "D", odd)
try("mfma", tl.layout.mfma, "16x16x16", "A", odd)
try("c500", tl.layout.c500, "16x16x16", "A", odd)
try("cute", tl.layout.cute, "(8,4):(4,1)", odd)
for _, name in ipairs {"export", "export_sources", "explain", "analyze", "trace", "check"} do
  try(name, k[name], k, name:find "export" and "/nowhere/k" or odd, odd)
end
try("peek", k.peek, k, "B", odd)
try("plot", plot, k, odd)
try("save", tl.save, "/nowhere/x.npy", a, odd)
try("load", tl.load, "/nowhere/x.npy", odd)
-- nor a value behind the last parameter: an axis of softmax
try("softmax", tl.ops.softmax, m, 0)
try("add", tl.ops.add, m, m, 2)
try("sum", tl.ops.sum, m, 0, true)
try("rmsnorm", tl.ops.rmsnorm, m, tl.ones({4}, "float16"), 1e-6, odd)
print(tl.ops.gemm(m, m, {trans_b = true, out_dtype = "float32"}).dtype, #tl.layout.wgmma(64, "D", {dtype = "float16"}):modes() > 0)
-- The words of a target are looked at when it is set, without a device.
for _, s in ipairs {"cpu -frob", "cpu -threads=0", "sim -arch=sm_999", "cuda -arch=sm_90a -frob", "hip -frob", "maca -frob"} do
  try(s, tl.set_target, s)
end
print(tl.set_target "cpu -threads=2")
