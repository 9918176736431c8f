# tilelang.language.fp8, tilelang.language.dtypes, and T.dtype as the type of a parameter.
import tilelang, torch
import tilelang.language as T
from tilelang.language.fp8 import determine_fp8_type
from tilelang.language.dtypes import dtype, float16, _TORCH_DTYPE_TO_STR
print(determine_fp8_type(), determine_fp8_type("e5m2"), float16, _TORCH_DTYPE_TO_STR[torch.float32], dtype("int8"))
try:
    determine_fp8_type("e3m2")
except ValueError as e:
    print(e)

@tilelang.jit
def f(A, dt: T.dtype = T.float16, block: int = 128):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), dt)
    with T.Kernel(T.ceildiv(N, block), threads=block) as bx:
        for i in T.Parallel(block):
            B[bx * block + i] = A[bx * block + i]
    return B
x = torch.randn(256)
print(f(x).dtype, f(x, T.bfloat16).dtype, f(x, T.float8_e4m3).dtype, f(x, dt="float8_e4m3").dtype)


@tilelang.jit(out_idx=[1])
def lazy(n: int, dtype: str = "float32", threads: int = 64):
    more: int = 2

    @T.prim_func
    def main(A: T.Tensor([n], dtype), B: T.Tensor([n], dtype)):
        with T.Kernel(1, threads=threads):
            for i in T.Parallel(n):
                B[i] = A[i] * more

    return main


y = torch.randn(32)
print(torch.equal(lazy(32)(y), y * 2))
