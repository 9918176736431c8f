# What has no counterpart stays, as a comment, and is told.
import argparse
import numpy as np
import torch

parser = argparse.ArgumentParser()
parser.add_argument(
    "--m",
    type=int,
)
args = parser.parse_args()
m = args.m
m = 3
print(m)


class Thing:
    def f(self):
        return 1


try:
    x = 1
except ValueError:
    x = 2
print(x)


def unknown(v, flag, t):
    first = v[0]  # a list or a tensor?
    if flag:
        return first
    w = flag or m
    y = torch.einsum("ij,jk->ik", t, t)
    n = m**w
    return v == [1, 2] if flag else None


with open("f") as f:
    print(f)
for k in {"a": 1}.items():
    print(k)
for i in range(3):
    pass
print(i)
value = unknown.g(1, *[2], 3)
print([1, 2])
print(f"{m!r} {m:,}", end="")
import tilelang
import tilelang.language as T


@tilelang.jit
def late(A):
    A: T.Tensor((4,), "float32")
    B = T.empty((4,), "float32")
    with T.Kernel(1, threads=32) as bx:
        S = T.alloc_shared((4,), "float32")
        first: T.float32
        first = A[0]
        n = 3
        n += S[0]
        s = T.alloc_var("float32")
        s += A[1]
        k = 1
        k += s
        k += first
        S[0] = n
        B[0] = k
    return B
