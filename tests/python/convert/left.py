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
