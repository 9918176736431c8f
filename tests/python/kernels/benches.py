# tilelang.profiler.do_bench and Profiler.do_bench: TileLang's parameters; times are those of this machine and are not printed.
import tilelang
import tilelang.language as T
import torch
from tilelang.profiler import do_bench


@tilelang.jit(out_idx=[1])
def doubled(M):
    @T.prim_func
    def main(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128):
            for i in T.Parallel(M):
                B[i] = A[i] * 2
    return main


kernel, a, calls = doubled(128), torch.ones(128), []


def run():
    calls.append(1)
    return kernel(a.to(torch.float32))


print(do_bench(run, _n_warmup=2, _n_repeat=3) > 0, len(calls))
for backend in ("event", "cupti", "cudagraph"):
    print(backend, do_bench(run, 1, 2, backend=backend) > 0)
print(tilelang.profiler.do_bench(run, quantiles=[0.2, 0.5, 0.8], fast_flush=False, cache_size=64, _n_repeat=5).__len__())
profiler = kernel.get_profiler()
print(profiler.do_bench() > 0, profiler.do_bench(lambda x: kernel(x), n_repeat=2, early_stop_baseline=None) > 0)
print(profiler.do_bench(warmup=1, rep=2, return_mode="min", input_tensors=[a], backend="cupti") > 0)
for wrong in (lambda: do_bench(run, backend="clock"), lambda: profiler.do_bench(run, backend="clock"),
              lambda: do_bench(run, return_mode="least"), lambda: do_bench(run, repeat=3)):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
