# torch.profiler: the kernels that ran within, how often; times are those of this machine and are not printed.
import re

import tilelang
from tilelang.tools.cuda import iket
import tilelang.language as T
import torch
from torch.profiler import ProfilerActivity, profile, record_function


@tilelang.jit
def scaled(A, by=2, M=128):
    A: T.Tensor((M,), "float32")
    B = T.empty((M,), "float32")
    with T.Kernel(1, threads=128):
        for i in T.Parallel(M):
            B[i] = A[i] * by
    return B


a = torch.ones(128)
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as prof:
    for _ in range(3):
        with record_function("x"):
            scaled(a)
scaled(a)
text = prof.key_averages().table(sort_by="cuda_time_total", max_name_column_width=9)
print(re.sub(r" +[\d.]+[mu]?s", "  TIME", re.sub("--+", "--", text)))
for e in prof.key_averages():
    print(e.key, e.count, e.cuda_time_total > 0, e.device_time <= e.cuda_time_total)
print(len(prof.key_averages()), prof.key_averages()[0].key)
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as p:
    pass
print(len(p.key_averages()), ProfilerActivity.CUDA == ProfilerActivity.CUDA)
for f in (lambda: p.export_chrome_trace("x.json"), lambda: torch.utils.cpp_extension.load(name="x", sources=[]),
          lambda: iket.session(output_dir="x")):
    try:
        f()
    except NotImplementedError as e:
        print(e)
