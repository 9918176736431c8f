# Kernels that draw, for their text.
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def draws(generator):
    @T.prim_func
    def drawn(A: T.Tensor((1024,), "uint32"), B: T.Tensor((1024,), "float32"), C: T.Tensor((1024,), "float64"), n: T.int32):
        with T.Kernel(4, threads=32) as bx:
            T.rng_init(n, off=bx, generator=generator)
            for i in T.Parallel(256):
                A[bx * 256 + i] = T.rng_rand()
            for i in T.Parallel(256):
                B[bx * 256 + i] = T.rng_rand_float(dist="normal")
            for i in T.Parallel(256):
                if bx * 256 + i < n:
                    C[bx * 256 + i] = T.rng_rand_float(bit=64, dist="normal")

    return drawn


for g in ("curandStatePhilox4_32_10_t", "curandStateXORWOW_t", "curandStateMRG32k3a_t"):
    draws(g)(torch.empty(1024, dtype=torch.uint32), torch.empty(1024), torch.empty(1024, dtype=torch.float64), 1000)
