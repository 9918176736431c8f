import sys

import tilelang
import tilelang.language as T
import torch

from shared.tools import compare, timed


@tilelang.jit
def halves(A, BLOCK: int):
    N = T.const("N")
    A: T.Tensor((N,), T.float16)
    B = T.empty((N,), T.float32)
    with T.Kernel(T.ceildiv(N, BLOCK), threads=32) as bx:
        for i in T.Parallel(BLOCK):
            B[bx * BLOCK + i] = T.float32(A[bx * BLOCK + i]) / 2
    return B


kernel, values = compare(halves, lambda a: a.float() / 2, {"N": 40, "BLOCK": 32})
print("time:", timed(kernel, values) > 0)
print([isinstance(v, torch.Tensor) for v in (values[0], 3, None, [1])])
for options, recorded in (({}, True), ({"enable_timing": True}, False)):
    event = torch.cuda.Event(**options)
    if recorded:
        event.record()
    try:
        event.elapsed_time(event)
    except ValueError as e:
        print(e, event.query())
# Where imports look is a list of the program's.
print(sys.path[0].endswith("night"), sys.path[-1] == "")
sys.path.insert(0, "elsewhere")
import behind

print(behind.NAME)
try:
    import nowhere
except ModuleNotFoundError as e:
    print(e)
try:
    "text"(3)
except TypeError as e:
    print(e)
