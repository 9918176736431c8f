# A slice with an end that only a run knows, copied to a tile: TileLang counts from its first element on.
import tilelang, torch
import tilelang.language as T
@tilelang.jit
def k(A, B):
    n = T.dynamic("n")
    A: T.Tensor((n,), "int32")
    B: T.Tensor((2, 8), "int32")
    with T.Kernel(1, threads=32) as bx:
        f = T.alloc_fragment((8,), "int32")
        g = T.alloc_fragment((8,), "int32")
        T.copy(A[: n - 1], f)
        T.copy(A[1:], g)
        for i in T.Parallel(8):
            B[0, i] = f[i]
            B[1, i] = g[i] - f[i]
a = torch.tensor([0, 3, 5, 9, 20], dtype=torch.int32)
b = torch.full((2, 8), -1, dtype=torch.int32)
k(a, b)
print(b)
