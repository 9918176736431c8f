"""What the files of a checkout share: inputs by a kernel's parameters, a comparison, a stopwatch."""

from typing import Callable

import torch
from tilelang.engine.param import KernelParam
from tilelang.jit import JITImpl, JITKernel


def inputs(params: list[KernelParam]):
    made = []
    for p in params[:-1]:
        print(p.dtype, p.shape, p.is_scalar(), p.is_unsigned(), p.is_float8(), p.torch_dtype())
        made.append(torch.randn(p.shape, dtype=getattr(torch, p.dtype), device="cuda"))
    return made


def compare(kernel: JITImpl, reference: Callable, sizes: dict = {}):
    made: JITKernel = kernel.compile(**sizes)
    print(isinstance(kernel, JITImpl), isinstance(made, JITKernel), isinstance(made, JITImpl), made.params[-1])
    values = inputs(made.params)
    print("match:", torch.allclose(reference(*values), made(*[v.clone() for v in values])))
    return made, values


def timed(kernel, values):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    start.record()
    for _ in range(3):
        kernel(*values)
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 3
