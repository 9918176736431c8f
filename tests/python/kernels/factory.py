# Factories whose parameters have Python's types, and loops whose variables have names of outer ones.
from typing import Optional, Union
import tilelang
import tilelang.language as T
import torch
from functools import partial

@tilelang.jit(out_idx=[1])
def scaled(n: int, scale: Optional[float] = None, dtype: T.dtype = T.float32, more: Union[int, None] = None, last: int | None = None):
    scale = 2.0 if scale is None else scale
    @T.prim_func
    def main(A: T.Tensor([4, n], dtype), B: T.Tensor([4, n], dtype)):
        with T.Kernel(1, threads=32) as bx:
            for i in T.serial(4):
                for j in T.Parallel(n):
                    B[i, j] = A[i, j] * scale
                if i == 2:
                    for i, j in T.Parallel(1, n):
                        B[i, j] = 5.0
    return main

x = torch.ones(4, 32)
print(scaled(32)(x).sum(1), scaled(32, 3.0, T.float16)(x.half()).sum(1))

def ref(a, scale):
    y = a * scale
    y[0] = 5.0
    return y

profiler = scaled(32).get_profiler(tensor_supply_type=tilelang.TensorSupplyType.Normal)
profiler.assert_allclose(partial(ref, scale=2.0), rtol=1e-3, atol=1e-3)

@tilelang.jit
def wrong(n: int):
    @T.prim_func
    def main(A: T.Tensor([n], "float32")):
        with T.Kernel(1, threads=32) as bx:
            for i in T.serial(4):
                for i in T.serial(2):
                    A[i] = 1.0
                A[i] = 2.0
    return main

try:
    wrong(8)
except Exception as e:
    print(e)
