-- Texts become programs: names, styles, arguments, places, output.
local sandbox = require "moontile.puzzles.judge.sandbox"
local lib = dofile "lib/try.lua"
local try, kernel, inside = lib.try, lib.kernel, lib.inside

-- Styles and names.
try("global", kernel)
try("local", "local " .. kernel)
try("the last one holds", kernel:gsub("float32", "float16") .. kernel)
try("another name", (kernel:gsub("f = tl", "ff = tl")))
try("near", (kernel:gsub("f = tl", "row_sums = tl")), {traces = {{kernel = "row_sum"}}})
try("a second name", (kernel:gsub("f = tl", "local g = tl")) .. "f = g")
try("returned", (kernel:gsub("f = tl", "local g = tl")) .. "return {f = g}")
try("lazy", [[
f = tl.jit(function(N, BLOCK)
  local main = T.prim_func(function(A, B)
    A: T.Tensor({N}, T.float32)
    B: T.Tensor({N}, T.float32)
    for bx in T.Kernel(T.ceildiv(N, BLOCK)) do
      for i in T.Parallel(BLOCK) do B[bx * BLOCK + i] = A[bx * BLOCK + i] end
    end
  end)
  return main
end, {out_idx = {-1}})
]])
try("lazy, no out_idx", [[
f = tl.jit(function(N, BLOCK)
  return T.prim_func(function(A, B)
    A: T.Tensor({N}, T.float32)
    B: T.Tensor({N}, T.float32)
    for bx in T.Kernel(T.ceildiv(N, BLOCK)) do
      for i in T.Parallel(BLOCK) do B[bx * BLOCK + i] = A[bx * BLOCK + i] end
    end
  end)
end)
]])
try("prim_func", [[
f = T.prim_func(function(A, B)
  local N = T.dynamic "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32)) do
    for i in T.Parallel(32) do B[bx * 32 + i] = A[bx * 32 + i] end
  end
end)
]])
try("autotune", (kernel:gsub("tl.jit%(", "tl.autotune(tl.jit("):gsub("\nend%)",
  "\nend), {configs = {{BLOCK = 32}}})")))
try("a library by require", 'local T, tl = require "T", require "tl"\n' .. kernel)
try("no kernel", "x = 1")
try("texts before it", "print(k)\n" .. kernel:gsub("%* 2", "* k"),
  {before = {{text = "k = 3", chunk = "=one"}, {text = "g = k", chunk = "=two"}}})
try("wrong before it", kernel, {before = {{text = "k = = 3", chunk = "=one"}}})

-- Arguments that do not fit.
try("dtype", (kernel:gsub("N}, T.float32", "N}, T.float16")))
try("rank", (kernel:gsub("A: T.Tensor%({N}", "A: T.Tensor({N, 4}")))
try("shape", (kernel:gsub("A: T.Tensor%({N}", "A: T.Tensor({64}")))
try("one input more", (kernel:gsub("%(A, B", "(A, C, B"):gsub("  A: T", "  C: T.Tensor({N}, T.float32)\n  A: T")))
try("one input less", (kernel:gsub("%(A, B", "(B"):gsub("  A: T[^\n]*", "  local A = T.empty({N}, T.float32)")))

-- Errors of the text and of the kernel, at their lines; each trace by itself.
try("syntax", "x = = 2")
try("run time", "local t\nt.x = 1")
try("own words", "error 'no'")
try("misspelled", (kernel:gsub("BLOCK %+ i%] %* 2", "BLOK + i] * 2")))
try("one of two", inside "    assert(BLOCK == 32)", {traces = {lib.trace,
  {kernel = "f", args = lib.trace.args, config = {BLOCK = 16, UNKNOWN = 3}}, lib.trace}})

-- Files as editors leave them.
try("mark and #", "\xEF\xBB\xBF#!/usr/bin/env moontile\n" .. kernel)
try("line ends", (kernel:gsub("\n", "\r\n")))
try("not UTF-8", kernel .. "local s = '\xff\xfe'\nprint(#s, s == '\xff\xfe')\n--\xc0")
try("a zero byte", kernel .. "x = '\0'")

-- Order of the outputs, places of the user's lines, notes of the checks.
local function show(text, trace)
  local r = sandbox.evaluate {text = text, chunk = "@two.lua", traces = {trace}, target = "sim"}
  print(r.results[1].ir)
  print(r.results[1].warnings)
  for i, p in ipairs(r.results[1].params) do
    print(i, p.name, p.kind, p.dtype, p.shape and table.concat(p.shape, "x"), p.out)
  end
  return r
end

local r = show([[
two = tl.jit(function(A, s, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  s: T.float32
  local B = T.empty({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BLOCK)) do
    for i in T.Parallel(BLOCK) do
      B[bx * BLOCK + i] = A[bx * BLOCK + i] * s
      C[bx * BLOCK + i] = A[bx * BLOCK + i] + s
    end
  end
  return C, B
end)
]], {kernel = "two", args = {{shape = {4}, dtype = "float32"}, {scalar = "float32", value = 0.1}},
  config = {BLOCK = 4}})
local c, b = tl.from_ir(r.results[1].ir, {target = "sim"})(tl.arange(4, "float32"), 10)
print(c, b)

-- Numbers of the configuration arrive as they are.
r = sandbox.evaluate {text = [[
f = tl.jit(function(a, b, c, d, e)
  print(("%a %a"):format(a, b), math.type(c), d, e[1], e[2].x)
  local B = T.empty({1}, T.float32)
  for bx in T.Kernel(1) do B[0] = 1 end
  return B
end)
]], chunk = "@f.lua", traces = {{kernel = "f", config = {a = 0.1, b = 1 / 3, c = 2.0, d = true,
  e = {1, {x = 1e300}}}}}}
io.write(r.output)
print(#r.results, r.results[1].error)

-- What is printed, and that kernels which the text calls do not run.
local _, seen = lib.outcome(kernel .. "print('a', 1, nil)\nprint(f(tl.arange(4, 'float32'), {BLOCK = 4}))")
io.write(seen.output)
_, seen = lib.outcome(kernel .. "for i = 1, 5000 do print(i, '0123456789') end")
print(#seen.output, seen.output:sub(-60))
print(table.concat(seen.kernels, ","))

-- Tensors of a moderate size, random numbers that stay the same.
_, seen = lib.outcome(kernel .. "print(tl.ones({2, 2}), tl.ref.sum(tl.arange(5), 0), math.random(1000))")
print(seen.output)

-- A process may wait for its job; a program ends without it.
sandbox.warm()
sandbox.warm()
try("warm", kernel)
