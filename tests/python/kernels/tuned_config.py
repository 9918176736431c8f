# What tuning gives and asks for, as in TileLang: config has what was chosen, supply_prog gets parameters; sums of NumPy.
import torch, numpy as np
c = torch.tensor([1, 2, 3]).bincount().cpu().numpy()
print(c.cumsum(), torch.cumsum(torch.tensor([1., 2.]), dim=0), torch.tensor([1., 2.]).cumsum(0))
import tilelang, tilelang.language as T
@tilelang.autotune(configs=[dict(B=32), dict(B=64)], warmup=1, rep=2)
@tilelang.jit
def f(A, B=None):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    C = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, B), threads=32) as bx:
        for i in T.Parallel(B):
            C[bx * B + i] = A[bx * B + i] + 1
    return C
@tilelang.jit
def g(A, B=32):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    C = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, B), threads=32) as bx:
        for i in T.Parallel(B):
            C[bx * B + i] = A[bx * B + i] + 1
    return C
k = f.compile(N=128)
print(sorted(k.config), k.config["B"] in (32, 64))
g.compile(N=128, **k.config)
try:
    g.compile(N=1, **{"N": 2})
except TypeError as e:
    print(e)
def supply(params):
    print(len(params), tuple(params[0].shape), str(params[0].dtype))
    return [torch.ones(params[0].shape)]
@tilelang.autotune(configs=[dict(B=32), dict(B=64)], warmup=1, rep=2, supply_prog=supply)
@tilelang.jit
def h(A, B=None):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    C = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, B), threads=32) as bx:
        for i in T.Parallel(B):
            C[bx * B + i] = A[bx * B + i] + 1
    return C
h.compile(N=128)
