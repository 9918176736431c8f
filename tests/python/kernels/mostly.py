# A few elements of a kernel that differ: TileLang's comparisons let a share of them pass, and a note says so.
import tilelang
import tilelang.language as T
import torch
from tilelang.utils.tensor import torch_assert_close


@tilelang.jit(out_idx=[-1])
def wrong(N, every):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i] + T.if_then_else((bx * 128 + i) % every == 0, 1.0, 0.0)
    return main



def attempt(name, f):
    try:
        f()
        print(name, "holds")
    except AssertionError as e:
        print(name, "AssertionError:", str(e).splitlines()[0])


def same(x):
    return x


for every in 1024, 256, 100, 99, 64:
    profiler = wrong(4096, every).get_profiler()
    attempt(f"one of {every}", lambda: profiler.assert_allclose(same))
    attempt(f"one of {every}, 2 %", lambda: profiler.assert_allclose(same, max_mismatched_ratio=0.02))
profiler = wrong(4096, 8192).get_profiler()
attempt("one", lambda: profiler.assert_allclose(same, atol=1e-2, rtol=1e-2))
attempt("one of none", lambda: profiler.assert_allclose(same, max_mismatched_ratio=0))
attempt("other dtype", lambda: profiler.assert_allclose(lambda x: x.half()))
attempt("other shape", lambda: profiler.assert_allclose(lambda x: x[:5]))
attempt("two", lambda: profiler.assert_allclose(lambda x: (x, x)))
attempt("none of two", lambda: wrong(4096, 8192).get_profiler().assert_allclose(lambda x: None))
a, b = torch.zeros(2000), torch.zeros(2000)
b[:2] = 1
attempt("two of 2000", lambda: torch_assert_close(a, b, verbose=True))
b[:3] = 1
attempt("three of 2000", lambda: torch_assert_close(a, b))
a[0], b[0] = float("nan"), float("nan")
attempt("nan in both", lambda: torch_assert_close(a, b, verbose=True))
attempt("nan is none", lambda: torch_assert_close(a, b, equal_nan=False))
attempt("dtypes", lambda: torch_assert_close(a.double(), b, check_dtype=False))
