# Kernels of vectors, for their text.
import tilelang
import tilelang.language as T


def moved(dtype, n):
    @T.prim_func
    def moved(X: T.Tensor((512,), dtype), Y: T.Tensor((512,), dtype)):
        with T.Kernel(1, threads=32):
            i = T.get_thread_binding()
            S = T.alloc_shared((512,), dtype)
            T.sts128(S[i * n : i * n + n], T.ldg128(X[i * n]))
            T.sync_threads()
            T.stg128(Y[i * n], T.lds128(S[i * n]), pred=i % 2 == 0)

    return moved


def pairs(dtype):
    @T.prim_func
    def pairs(X: T.Tensor((64,), dtype), Y: T.Tensor((64,), dtype), N: T.Tensor((64,), "int32")):
        with T.Kernel(1, threads=32):
            i = T.get_thread_binding()
            idx = T.Ramp(i * 2, 1, 2)
            Y[idx] = T.fma2(X[idx], T.abs2(X[idx]), T.Broadcast(X[0], 2))
            N[i] = T.__ffs(T.cast(T.__fns(T.uint32(0xF0F0), i, 1), "int32"))

    return pairs


for dtype, n in (("float32", 4), ("float16", 8), ("int8", 16)):
    tilelang.compile(moved(dtype, n))
for dtype in ("float32", "float16", "bfloat16"):
    tilelang.compile(pairs(dtype))
