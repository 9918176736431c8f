# An annotation of a parameter is evaluated around the function, though a variable of its body has the same name.
import torch
import tilelang
import tilelang.language as T

size = 3


@tilelang.jit
def widened(n, w):
    w = n * w

    @T.macro
    def add_one(A: T.Tensor([n, w], "float32"), B: T.Tensor([n, w], "float32")):
        with T.Kernel(1, threads=32) as bx:
            w = 2
            for i, j in T.Parallel(n, w * 4):
                B[i, j] = A[i, j] + 1

    @T.prim_func
    def main(
        A: T.Tensor([n, w], "float32"),
        B: T.Tensor([n, w], "float32"),
        C: T.Tensor([size], "int32"),
    ):
        add_one(A, B)
        with T.Kernel(1, threads=32) as bx:
            size = 1
            C[size] = size

    return main


k = widened(4, 2)
A, B, C = torch.randn(4, 8), torch.zeros(4, 8), torch.zeros(3, dtype=torch.int32)
k(A, B, C)
print((B - A).max().item(), C)
