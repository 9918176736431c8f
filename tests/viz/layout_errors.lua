-- What figures of layouts refuse, in both languages.
local lang = require "moontile.diag".setlang

local function try(what, f, ...)
  print("-- " .. what)
  local texts = {}
  for _, l in ipairs {"en", "zh"} do
    lang(l)
    local ok, e = pcall(f, ...)
    texts[#texts + 1] = ok and "no error" or type(e) == "string" and "a plain string: " .. e or
      ("%s %s | %s | %s"):format(e.code, e.message, e.label, e.help)
  end
  lang "en"
  print(table.concat(texts, "\n"))
end

local C = tl.layout.mma("m16n8k16", "C")
local s = tl.layout.swizzle {rows = 8, bytes = 128}
try("view", plot, C, {view = "bank"})
try("view, near", plot, C, {view = "warp"})
try("figure", plot, s, "chunk")
try("option", plot, C, {owners = {1, 2}})
try("owner: no list", plot, C, {owner = 3})
try("owner: rank", plot, C, {owner = {3}})
try("owner: outside", plot, C, {owner = {3, 8}})
try("thread", plot, C, {thread = 32})
try("warp", plot, C, {view = "threads", warp = 1})
try("rows", plot, C, {rows = {16, 20}})
try("slice: too long", plot, s, {slice = {0, 0, 0}})
try("slice: outside", plot, tl.layout.linear {2, 3, 4}, {slice = {2}})
try("slice: three drawn", plot, tl.layout.linear {2, 3, 4}, {slice = {":", ":", ":"}})
try("access of a fragment", plot, C, {access = "rows"})
try("access: name", plot, s, {access = "column"})
try("dtype", plot, s, {dtype = "float17"})
try("animate", plot, s, {animate = "slow"})
try("f2", plot, tl.layout.padded({8, 24}, "float16"), "f2")
try("no modes", plot, T.Layout({4}, function(i) return i * i end), "modes")
try("instruction", plot, "mma.m16n8k9")
try("instruction: family", plot, "wgmma.m64")
try("instruction: n", plot, "wgmma.m64k16", {n = 12})
try("wgmma: n", tl.layout.wgmma, 12)
try("cute: last part", tl.layout.cute, "(4,4) o 3")
try("cute: size", tl.layout.cute, "(0,4)")
try("cute: no text", tl.layout.cute, 7)
try("cute: tile", tl.layout.cute, "((4,8),(2,2)):((32,1),(16,8))", {tile = {16, 4}})
try("cute: tile twice", tl.layout.cute, "(4,2):(1,0)", {tile = {4}})
try("cute: no tile", tl.layout.cute, "(4,2):(1,4)", {tile = {0}})
try("cute: one mode", tl.layout.cute, "8:1", {tile = {8}})
try("cute: padding", C.cute, tl.layout.parse "[3,4] off(0/1:4*4 1/1:4*1)")

local f = tl.jit(function(X, I)
  X: T.Tensor({64}, "float32")
  I: T.Tensor({64}, "int32")
  local Y = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local sum = T.alloc_fragment({64}, "float32")
    for i in T.Parallel(64) do
      sum[i] = X[I[i]]
    end
    for i in T.Parallel(64) do
      Y[i] = sum[i]
    end
  end
  return Y
end)
local k = f:compile()
try("buffer", k.layout, k, "total")
try("buffer, near", k.layout, k, "summ")
try("buffer's option", k.layout, k, "sum", {machine = "sm_80"})
try("machine", k.layout, k, "sum", {target = "sm_81"})
try("figure of a kernel", plot, k, "sums")
try("line", plot, k, {line = 3, target = "sm_80"})
try("line's warp", plot, k, {line = 58, warp = 9, target = "sm_80"})
try("line: no number", plot, k, {line = "54"})
try("data", plot, k, "X", {access = true, target = "sm_80"})
try("no access", plot, k, "sum", {access = true, target = "sm_80"})
try("gemm", plot, k, {gemm = 54, target = "sm_80"})
try("gemm: any", plot, k, {gemm = true, target = "sm_80"})

local dynamic = tl.jit(function(A)
  local M = T.dynamic "M"
  A: T.Tensor({M, 4}, "float32")
  for bx in T.Kernel(T.ceildiv(M, 64), {threads = 64}) do
    for i in T.Parallel(64) do
      A[bx * 64 + i, 0] = 1
    end
  end
end)
try("a tensor of unknown size", function()
  local d = dynamic:compile()
  return d:layout "A"
end)
