-- Buffers that follow each other in a tile fit, but not where a loop over tiles keeps all of them: each block works on one.
local F, A = "float16", "float32"
local k = tl.jit(function(X, Y, O)
  X: T.Tensor({256, 768}, F)
  Y: T.Tensor({768, 256}, F)
  O: T.Tensor({256, 256}, A)
  for bx, by in T.Kernel(2, 2, {threads = 128}) do
    local a, b = T.alloc_shared({128, 384}, F), T.alloc_shared({384, 128}, F)
    local c, out = T.alloc_fragment({128, 128}, A), T.alloc_shared({128, 128}, A)
    T.clear(c)
    for n in T.Pipelined(2, {num_stages = 1}) do
      T.copy(X[by * 128, n * 384], a)
      T.copy(Y[n * 384, bx * 128], b)
      T.gemm(a, b, c)
    end
    T.copy(c, out)
    for i, j in T.Parallel(128, 128) do c[i, j] = out[127 - i, j] end
    T.copy(c, O[by * 128, bx * 128])
  end
end)
tl.manual_seed(5)
local small = function(shape) return tl.randint(-1, 2, shape, "int32"):astype(F) end
local x, y, o = small {256, 768}, small {768, 256}, tl.zeros({256, 256}, A)
k.opts.target = "sim -arch=sm_90a -sms=2"
k(x, y, o)
local want, ok = tl.ref.matmul(x, y, {dtype = A}), true
for i = 0, 255 do
  for j = 0, 255, 5 do ok = ok and o[i, j] == want[i // 128 * 128 + 127 - i % 128, j] end
end
print(ok and "right" or "WRONG")
print((k:compile{}:explain():match "[^\n]*buffers of a tile[^\n]*"))
