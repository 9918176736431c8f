# A kernel that no machine takes, and one behind it that is lowered all the same.
import torch
import tilelang
import tilelang.language as T


@tilelang.jit
def large(A, rows):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(1, threads=128):
        tile = T.alloc_shared((rows, 1024), "float32")
        for i, j in T.Parallel(rows, 1024):
            tile[i, j] = A[(i + j) % 128]
        for i in T.Parallel(128):
            B[i] = tile[i % rows, i] + tile[(i * 7) % rows, 1023 - i]
    return B


a = torch.zeros(128, device="cuda")
large(a, 1024)
large(a, 8)


@tilelang.jit
def small(A):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(1, threads=128):
        T.copy(A[0:128], B[0:128])
    return B


small(a)
