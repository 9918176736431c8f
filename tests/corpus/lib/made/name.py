import torch
import tilelang
import tilelang.language as T


@tilelang.jit
def f(A):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(1, threads=128):
        T.fill_diagonal(A, 1)
    return B


f(torch.zeros(128, device="cuda"))
