-- Numbers of 4 bits as TileLang passes them, two in a byte, beside ours with a byte each; what a kernel writes is not.
local k = tl.compile(T.prim_func(function(A, C)
  A: T.Tensor({4, 32}, T.int4)
  C: T.Tensor({4, 32}, T.int32)
  for bx in T.Kernel(4, {threads = 32}) do
    for j in T.Parallel(32) do C[bx, j] = A[bx, j] * 10 end
  end
end))
tl.manual_seed(3)
local numbers = tl.randint(-8, 8, {4, 32}, "int8")
local halves = numbers:reshape {4, 16, 2}
local packed = (halves[{T.slice(0, 4), T.slice(0, 16), 0}] & 15) | (halves[{T.slice(0, 4), T.slice(0, 16), 1}] << 4)
local c, d = tl.zeros({4, 32}, "int32"), tl.zeros({4, 32}, "int32")
k(packed, c)
k(numbers:astype "int4", d)
print(packed.dtype, packed.shape, tl.equal(c, d), tl.equal(c, numbers:astype "int32" * 10))
local w = tl.compile(T.prim_func(function(A)
  A: T.Tensor({32}, T.int4)
  for _ in T.Kernel(1, {threads = 32}) do
    for j in T.Parallel(32) do A[j] = 1 end
  end
end))
print(pcall(w, tl.zeros({16}, "int8")))
