# `name: type` of a name that is no parameter gives it no value, as in TileLang; a tensor's type would make a parameter.
import tilelang
import tilelang.language as T
import torch


@T.macro
def put(B, i, v):
    x: T.int32
    x = v + 1
    B[i] = x


def scalars(A):
    A: T.Tensor((4,), "float32")
    B = T.empty((4,), "float32")
    n: int
    n = 2
    with T.Kernel(1, threads=32) as bx:
        o: T.float32
        o = A[0]
        s = T.alloc_var("float32")
        s: T.int32
        s = A[1] + 0.5
        for i in T.Parallel(4):
            put(B, i, o + s * n + i)
    return B


def unbound(A):
    A: T.Tensor((4,), "float32")
    B = T.empty((4,), "float32")
    with T.Kernel(1, threads=32) as bx:
        o: T.float32
        for i in T.Parallel(4):
            B[i] = o
    return B


def tensor(A):
    A: T.Tensor((4,), "float32")
    B = T.empty((4,), "float32")
    with T.Kernel(1, threads=32) as bx:
        o: T.Tensor((4,), "float32")
        for i in T.Parallel(4):
            B[i] = A[i]
    return B


for f in (scalars, unbound, tensor):
    try:
        print(tilelang.jit(f)(torch.tensor([5.0, 2.0, 3.0, 4.0])))
    except Exception as e:
        print(type(e).__name__, e)
