# A loop's variable may hide that of a loop around it, or a value that the kernel has bound before.
import torch
import tilelang
import tilelang.language as T


@tilelang.jit
def f(A):
    A: T.Tensor((4, 32), "float32")
    B = T.empty((32,), "float32")
    with T.Kernel(1, threads=32) as i:
        s = T.alloc_fragment((32,), "float32")
        T.clear(s)
        j = i + 3
        for i in T.Pipelined(4):
            k = A[i, j]
            for i in T.Parallel(32):
                s[i] = s[i] + A[0, i] + k
            for i, j in T.Parallel(32, 1):
                s[i] = s[i] + 1 + j
        T.copy(s, B)
    return B


a = torch.randn(4, 32)
print(bool(torch.allclose(f(a), a[0] * 4 + a[:, 3].sum() + 4)))


@tilelang.jit
def read_behind(A):
    A: T.Tensor((32,), "float32")
    B = T.empty((32,), "float32")
    with T.Kernel(1, threads=32):
        for i in T.serial(4):
            for i in T.serial(2):
                B[i] = A[i]
            B[i + 2] = A[i]
    return B


try:
    read_behind(a[0].contiguous())
except Exception as e:
    print(e)
