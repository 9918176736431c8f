# A function of the user's own C on values: not there, which is told by name.
import tilelang, torch
import tilelang.language as T
@tilelang.jit
def f(A):
    A: T.Tensor((128,), "float32")
    B = T.empty((128,), "float32")
    with T.Kernel(1, threads=128) as bx:
        T.import_source("__device__ float sq(float a) { return a * a; }")
        for i in T.Parallel(128):
            B[i] = T.call_extern("float32", "sq", A[i]) + 1
    return B
f(torch.randn(128))
