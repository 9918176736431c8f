# tilelang.lower, names of tilelang.layout, pytest.param; sizes that are found from sums.
import pytest, tilelang, torch
import tilelang.language as T
from tilelang.engine.lower import lower
from tilelang.layout import make_gemm_fragment_8x8_transposed, make_full_bank_swizzled_layout
from tilelang.layout.swizzle import make_half_bank_swizzled_layout
import tilelang.testing

@T.prim_func
def add(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        for i in T.Parallel(64):
            B[i] = A[i] + 1

art = tilelang.lower(add, target="auto", enable_device_compile=False)
print("add" in art.kernel_source, lower(add, target="auto").kernel_source == art.kernel_source, len(art.params))

@pytest.mark.parametrize("a,b", [pytest.param(1, 2, id="x"), (3, 4), pytest.param(5, 6, marks=pytest.mark.skip("no")),
                                 pytest.param(7, 8, marks=[pytest.mark.skipif(False, reason="y")])])
def test_one(a, b):
    print(a, b)
tilelang.testing.main()


@tilelang.jit
def times():
    n = T.symbolic("n")
    @T.prim_func
    def kernel(A: T.Tensor((n * 4,), T.int32)):
        with T.Kernel(1) as _:
            for i in range(n * 4):
                A[i] = i
    return kernel
A = torch.zeros(16, dtype=torch.int32)
times()(A); print(A[-1].item())
try:
    times()(torch.zeros(18, dtype=torch.int32))
except Exception as e: print(type(e).__name__, str(e).split("\n")[0])

