# Random numbers: cuRAND's values of each generator, and who draws which in T.Parallel.
import tilelang
import tilelang.language as T
import torch

philox, xorwow, mrg = "curandStatePhilox4_32_10_t", "curandStateXORWOW_t", "curandStateMRG32k3a_t"


@tilelang.jit
def known(seed, seq, off, generator):
    @T.prim_func
    def f(
        A: T.Tensor((6,), "uint32"),
        B: T.Tensor((3,), "float32"),
        C: T.Tensor((3,), "float64"),
        D: T.Tensor((3,), "float32"),
        E: T.Tensor((3,), "float64"),
    ):
        with T.Kernel(1, threads=32) as bx:
            tx = T.get_thread_binding()
            T.rng_init(seed, seq, off, generator=generator)
            if tx == 0:
                for i in T.serial(6):
                    A[i] = T.rng_rand()
                for i in T.serial(3):
                    B[i] = T.rng_rand_float()
                for i in T.serial(3):
                    C[i] = T.rng_rand_float(bit=64)
                for i in T.serial(3):
                    D[i] = T.rng_rand_float(dist="normal")
                for i in T.serial(3):
                    E[i] = T.rng_rand_float(bit=64, dist="normal")

    return f


for name in (philox, xorwow, mrg):
    for seed, seq, off in ((7, 0, 0), (42, 1, 3), (0, 37, 128), (123456789012345, 70000, 1000001), (-3, 5, 6)):
        a = torch.empty(6, dtype=torch.uint32)
        b, d = torch.empty(3), torch.empty(3)
        c, e = torch.empty(3, dtype=torch.float64), torch.empty(3, dtype=torch.float64)
        known(seed, seq, off, name)(a, b, c, d, e)
        print(name, seed, seq, off, *a.tolist())
        print("  ", *("%.9g" % x for x in b.tolist()), *("%.17g" % x for x in c.tolist()))
        print("  ", *("%.5f" % x for x in d.tolist()), *("%.12f" % x for x in e.tolist()))


@tilelang.jit
def parallel(N, threads, each, kind, dtype, generator=philox):
    @T.prim_func
    def f(A: T.Tensor((N,), dtype), Z: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, threads * each), threads=threads) as bx:
            T.rng_init(7, generator=generator)
            for i, j in T.Parallel(threads, each):
                idx = (bx * threads + i) * each + j
                if idx < N:
                    if kind == "rand":
                        A[idx] = T.rng_rand()
                    elif kind == "uniform":
                        A[idx] = T.rng_rand_float()
                    elif kind == "uniform64":
                        A[idx] = T.rng_rand_float(bit=64)
                    elif kind == "normal":
                        A[idx] = T.rng_rand_float(dist="normal")
                    elif kind == "normal64":
                        A[idx] = T.rng_rand_float(bit=64, dist="normal")
                    elif kind == "bound":
                        v = T.rng_rand_float()
                        A[idx] = v
                    elif kind == "times":
                        A[idx] = Z[idx] * T.rng_rand_float()
                    elif kind == "chosen":
                        A[idx] = T.if_then_else(T.rng_rand_float() < 0.5, 1.0, 0.0)
                    elif kind == "low":
                        A[idx] = T.cast(T.rng_rand(), "uint8")

    return f


def show(N, threads, each, kind, dtype, generator=philox):
    a = torch.zeros(N, dtype=getattr(torch, dtype))
    parallel(N, threads, each, kind, dtype, generator)(a, torch.arange(N) / 8)
    v = a.double()
    picked = v[[0, 1, 2, 3, 4, 5, N // 2, N // 2 + 1, N - 2, N - 1]].tolist()
    print(kind, dtype, N, threads, each, generator[11:14], *("%.6g" % x for x in picked), "%.6f" % v.mean().item())


show(1024, 32, 8, "rand", "uint32")
show(1001, 32, 8, "rand", "uint32")
show(896, 32, 7, "rand", "uint32")
show(128, 32, 2, "rand", "uint32")
show(384, 96, 2, "uniform", "float32")
show(1024, 32, 8, "uniform", "float16")
show(1024, 32, 8, "low", "uint8")
for g in (philox, xorwow, mrg):
    show(1024, 32, 8, "uniform", "float32", g)
    show(1024, 32, 8, "uniform64", "float64", g)
    show(1024, 32, 8, "uniform64", "float32", g)
    show(1024, 32, 8, "normal", "float32", g)
    show(1024, 32, 2, "normal", "float32", g)
    show(1001, 32, 8, "normal", "float32", g)
    show(1024, 32, 8, "normal64", "float64", g)
show(1024, 32, 8, "bound", "float32")
show(1004, 32, 8, "bound", "float32")
show(1001, 32, 8, "bound", "float32")
show(1024, 32, 8, "times", "float32")
show(1024, 32, 8, "chosen", "float32")


@tilelang.jit(out_idx=[1])
def dropout(N, dtype, p, seed, threads=64, each=8):
    @T.prim_func
    def main(x: T.Tensor((N,), dtype), y: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, threads * each), threads=threads) as bx:
            T.rng_init(seed)
            for i, j in T.Parallel(threads, each):
                idx = (bx * threads + i) * each + j
                rand_val = T.rng_rand_float()
                if idx < N:
                    keep = rand_val >= T.cast(p, "float32")
                    y[idx] = T.if_then_else(keep, x[idx] * T.cast(2.0, x[idx].dtype), T.cast(0.0, x[idx].dtype))

    return main


for N in (2048, 2052, 2049):
    y = dropout(N, "float16", 0.5, 3)(torch.ones(N, dtype=torch.float16))
    print("dropout", N, "".join("x" if v else "." for v in (y[:64] != 0).tolist()), y.float().mean().item())


@tilelang.jit
def guarded(M=64, seed=42, generator=philox):
    threads = 32

    @T.prim_func
    def rand_kernel(A: T.Tensor((M,), "uint32"), n: T.int32):
        with T.Kernel(M, threads=threads) as bx:
            tx = T.get_thread_binding()
            s = T.alloc_shared((threads,), "int32")
            if bx < n:
                T.rng_init(seed, 0, bx, generator=generator)
                s[tx] = 1
                T.cumsum(s, dim=0)
                if tx == 0:
                    A[bx] = T.rng_rand() + T.cast(s[threads - 1], "uint32") * 0

    return rand_kernel


A = torch.full((64,), 0xDEADBEEF, dtype=torch.uint32)
guarded()(A, 37)
print([hex(v) for v in A[:3].tolist()], [hex(v) for v in A[35:39].tolist()])
