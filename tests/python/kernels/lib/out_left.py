import tilelang, torch
import tilelang.language as T


@tilelang.jit
def scale(A):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    Left = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, 64), threads=64) as bx:
        for i in T.Parallel(64):
            B[bx * 64 + i] = A[bx * 64 + i] * 2
    return B, Left


b, left = scale(torch.arange(128, dtype=torch.float32))
print(b[3].item(), left.shape)
