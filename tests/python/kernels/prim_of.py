# The T.prim_func of a function of tilelang.jit and of a kernel: f.func(..), f.get_tir(..), kernel.prim_func.
import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[-1])
def lazy(n, scale: int = 2):
    @T.prim_func
    def main(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
        with T.Kernel(1, threads=32):
            for i in T.Parallel(n):
                B[i] = A[i] * scale
    return main


@tilelang.jit
def eager(A, scale: int = 2):
    N = T.const("N")
    A: T.Tensor[[N], T.float32]
    B = T.empty((N,), T.float32)
    with T.Kernel(1, threads=32):
        for i in T.Parallel(N):
            B[i] = A[i] * scale
    return B


a = torch.arange(4, dtype=torch.float32)
print(lazy.func.__name__, lazy.func.orig_func.__name__, type(lazy.func).__name__)
for p in (lazy.func(4), lazy.func(4, scale=3), lazy.get_tir(n=4), lazy(4).prim_func):
    print(p.script() == str(p), tilelang.compile(p, out_idx=[1])(a).tolist())
    print(tilelang.compile(p, out_idx=[1])(a).tolist())
for p in (eager.func(a), eager.func(a, 3), eager.get_tir(a, scale=4), eager.compile(a).prim_func):
    print(str(p).split("\n")[0], tilelang.compile(p)(a).tolist())
    print(tilelang.compile(p)(a + 1).tolist())
try:
    lazy(4).func
except AttributeError as e:
    print("AttributeError:", e)
try:
    eager.func_source
except NotImplementedError as e:
    print("NotImplementedError:", e)
