-- A thread program's text becomes a kernel again: it runs, is explained and checked;
-- without its barrier the simulator finds the race.
local k = tl.compile(T.prim_func(function(A, C)
  A: T.Tensor({256}, T.float32)
  C: T.Tensor({256}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local S = T.alloc_shared({256}, T.float32)
    for i in T.Parallel(256) do
      S[i] = A[i] + 1
    end
    for i in T.Parallel(256) do
      C[i] = S[255 - i]
    end
  end
end), {target = "sim -arch=sm_80"})
local text = k:ir "thread"
local again = tl.from_ir(text, {target = "sim -arch=sm_80"})
local a, c, d = tl.randn {256}, tl.zeros {256}, tl.zeros {256}
k(a, c)
again(a, d)
print(tl.allclose(c, d, 0, 0), again:analyze().machine, again:analyze().flops)
local without, n = text:gsub("[^\n]*bar_sync[^\n]*\n", "")
print(n)
local r = tl.from_ir(without, {target = "sim -arch=sm_80"}):check()
print(r.ok, r.runs[1].error and r.runs[1].error.code)
print(select(2, pcall(tl.from_ir, "kernel f(\n")))
