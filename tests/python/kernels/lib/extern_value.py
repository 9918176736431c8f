# Functions of the user's own C on values: expressions, on GPUs and, as C, on the cpu.
import tilelang, torch
import tilelang.language as T

SOURCE = """
__device__ float sq(float a) { return a * a; }
__device__ __forceinline__ int low(int a, int b) { return a < b ? a : b; }
__device__ int made;
__device__ int count(void) { return ++made; }
__device__ int odd(long long a) { return a & 1; }
"""

@tilelang.jit
def f(A, K):
    A: T.Tensor((128, 64), "float32")
    K: T.Tensor((128,), "int8")
    B = T.empty((128, 64), "float32")
    H = T.empty((128, 64), "float16")
    C = T.empty((128,), "int8")
    N = T.empty((3,), "int32")
    with T.Kernel(1, threads=128) as bx:
        T.import_source(SOURCE)
        a = T.alloc_fragment((128, 64), "float32")
        s = T.alloc_shared((128, 64), "float16")
        sq = T.alloc_fragment((128,), "float32")
        T.copy(A, a)
        for i, j in T.Parallel(128, 64):
            a[i, j] = T.call_extern("float32", "sq", a[i, j]) + 1
        T.reduce_sum(a, sq, dim=1)
        for i, j in T.Parallel(128, 64):
            s[i, j] = T.call_pure_extern("float16", "sq", sq[i] / 64) - T.call_pure_extern(T.float16, "sq", sq[i] / 64)
        T.copy(a, B)
        T.copy(s, H)
        for i in T.Parallel(128):
            C[i] = T.if_then_else(i > 3, T.call_extern("low", K[i], 7, dtype="int8") * 100, K[i])
        for k in T.serial(3):
            T.evaluate(T.call_extern("int32", "count"))
            twice = T.call_extern("int32", "count") - T.call_extern("int32", "count")
            N[k] = T.call_extern("int32", "count") + 100 * twice * twice + \
                T.call_extern(T.bool, "odd", T.cast(k, "int64")) * 1000
    return B, H, C, N

x = torch.randn(128, 64)
n = torch.arange(128).to(torch.int8)
f(x, n)
