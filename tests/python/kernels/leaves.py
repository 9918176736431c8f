# `break` by a condition that is known, in loops of the program's and of Python's; what stands behind the loop runs.
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def leaves(A, early: bool):
    A: T.Tensor((6,), T.float32)
    with T.Kernel(1, threads=32):
        count = T.alloc_var(T.int32, init=0)
        while count < 3:
            A[0] += 1
            if early:
                break
            count += 1
        if count == 3:
            count = 7
            while count < 99:
                A[1] = count
                if early or count > 9:
                    break
                count += 1
        else:
            A[1] = 50
        for k in T.serial(4):
            A[2] += 1
            if early:
                break
        for k in range(4):
            A[3] += k
            if early:
                continue
            A[3] += 10
        A[4] = count
        A[5] = 5


for early in (False, True):
    a = torch.zeros(6)
    leaves(a, early)
    print(early, a.tolist())
