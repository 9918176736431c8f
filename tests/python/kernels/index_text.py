# What NumPy and PyTorch say of indices that an array or a tensor has no place for.
import numpy as np
import torch


def tried(f):
    try:
        f()
        print("nothing")
    except Exception as e:
        print(type(e).__name__, "|", e)


def put(a, *at):
    a[at if len(at) != 1 else at[0]] = 1


for zero, wide in ((np.array(3), np.zeros((2, 3))), (torch.tensor(3), torch.zeros(2, 3))):
    tried(lambda: zero[0])
    tried(lambda: zero[0, 0])
    tried(lambda: put(zero, 0))
    tried(lambda: wide[5])
    tried(lambda: wide[1, -4])
    tried(lambda: wide[..., 5])
    tried(lambda: wide[None, 5])
    tried(lambda: wide[5, 7, 0])
    tried(lambda: wide[:, :, :])
    tried(lambda: wide[:, 9:, 3])
    tried(lambda: put(wide, 2))
    tried(lambda: put(wide, 0, 1, 2))
    tried(lambda: wide["a"])
x = np.float32(3)
tried(lambda: x[0])
tried(lambda: x[0, 1])
tried(lambda: x[:])
tried(lambda: put(x, 0))
