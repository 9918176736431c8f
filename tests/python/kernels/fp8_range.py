# What float8 does with numbers beyond its range: kernels saturate, as TileLang's do on CUDA;
# tensors' own conversions go to infinity, or to NaN where there is none, as PyTorch's do.
import tilelang
import tilelang.language as T
import torch

N = 12


@tilelang.jit
def narrow(A, dtype="float32"):
    A: T.Tensor((N,), dtype)
    B = T.empty((N,), T.float8_e5m2)
    C = T.empty((N,), T.float8_e4m3fn)
    with T.Kernel(1, threads=32):
        for i in T.Parallel(N):
            B[i] = A[i]
            C[i] = A[i]
    return B, C


@tilelang.jit
def through(A):
    A: T.Tensor((N,), T.float8_e5m2)
    B = T.empty((N,), T.float8_e5m2)
    C = T.empty((N,), T.float8_e5m2)
    D = T.empty((N,), T.float8_e5m2)
    with T.Kernel(1, threads=32):
        F = T.alloc_fragment((N,), T.float8_e5m2)
        T.copy(A, F)
        T.copy(F, B)
        for i in T.Parallel(N):
            C[i] = T.if_then_else(i < N - 1, A[i], A[0])
            D[i] = T.cast(A[i], T.float32)
    return B, C, D


x = torch.tensor([1e6, float("inf"), 60000, -70000, 61440, 61439, float("nan"), 464, 465, 480, -1e9, 3])
for dtype in ("float32", "float16", "bfloat16"):
    b, c = narrow(x.to(getattr(torch, dtype)), dtype=dtype)
    print(dtype, b.float().tolist(), c.float().tolist(), sep="\n  ")
e5, e4 = x.to(torch.float8_e5m2), x.to(torch.float8_e4m3fn)
print("torch", e5.float().tolist(), e4.float().tolist(), sep="\n  ")

# An element that is infinite stays so where it is only moved.
b, c, d = through(e5)
print("moved", b.float().tolist(), c.float().tolist(), d.float().tolist(), sep="\n  ")
