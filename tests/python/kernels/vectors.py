# Values of several lanes: loads and stores of a width, lanes, pairs; bits of a number; TVM's names.
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def moved(dtype, bits):
    n = bits // T.dtype(dtype).bits
    load = {32: T.ldg32, 64: T.ldg64, 128: T.ldg128, 256: T.ldg256}[bits]
    store = {32: T.stg32, 64: T.stg64, 128: T.stg128, 256: T.stg256}[bits]

    @T.prim_func
    def main(X: T.Tensor((64,), dtype), Y: T.Tensor((64,), dtype), Z: T.Tensor((64,), dtype)):
        with T.Kernel(64 // n, threads=32) as p:
            v = load(X[p * n : p * n + n])
            store(Y[p * n : p * n + n], v)
            store(Z[p * n], load(X[p * n], pred=p % 2 == 0), pred=p > 0)

    return main


for dtype in ("float32", "float16", "int8", "float64"):
    for bits in (32, 64, 128, 256):
        if bits >= T.dtype(dtype).bits:
            x = torch.arange(64).to(getattr(torch, dtype))
            y, z = torch.zeros_like(x), torch.full_like(x, -1)
            moved(dtype, bits)(x, y, z)
            n = bits // T.dtype(dtype).bits
            ok = all(z[i].item() == (-1 if i < n else x[i].item() if i // n % 2 == 0 else 0) for i in range(64))
            print(dtype, bits, torch.equal(x, y), ok)


@tilelang.jit
def through_shared():
    @T.prim_func
    def main(X: T.Tensor((64,), "float32"), Y: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=16) as p:
            tx = T.get_thread_binding()
            S = T.alloc_shared((64,), "float32")
            T.sts128(S[tx * 4 : tx * 4 + 4], T.ldg128(X[tx * 4 : tx * 4 + 4]))
            T.sync_threads()
            v = T.lds64(S[62 - tx * 2 : 64 - tx * 2])
            Y[tx * 2 : tx * 2 + 2] = T.reinterpret(v, T.float32x2)
            T.stg64(Y[32 + tx * 2], T.lds64(S[tx * 2]))

    return main


x, y = torch.arange(64.0), torch.zeros(64)
through_shared()(x, y)
print(y.tolist()[:6], y.tolist()[32:36])


def pairs(dtype):
    @T.prim_func
    def main(A: T.Tensor((64,), dtype), B: T.Tensor((64,), dtype), C: T.Tensor((7, 64), dtype), L: T.Tensor((64,), dtype)):
        with T.Kernel(1, threads=32):
            i = T.get_thread_binding()
            idx = T.Ramp(i * 2, 1, 2)
            C[0, idx] = T.add2(A[idx], B[idx])
            C[1, idx] = T.sub2(A[idx], B[idx])
            C[2, idx] = T.mul2(A[idx], B[idx])
            C[3, idx] = T.fma2(A[idx], B[idx], T.Broadcast(T.cast(0.5, dtype), 2))
            C[4, idx] = T.max2(A[idx], B[idx])
            C[5, idx] = T.min2(A[idx], B[idx])
            C[6, idx] = T.abs2(A[idx])
            v = T.Shuffle([A[idx], B[idx]], [1, 2])
            L[i * 2] = T.extract_lane(v, 0)
            L[i * 2 + 1] = T.Shuffle([v], [1])

    return tilelang.compile(main)


for dtype in ("float32", "float16", "bfloat16"):
    a = (torch.arange(64) - 32).to(getattr(torch, dtype)) / 8
    b = (torch.arange(64) % 5).to(getattr(torch, dtype))
    c, last = torch.zeros(7, 64, dtype=a.dtype), torch.zeros_like(a)
    pairs(dtype)(a, b, c, last)
    want = torch.stack([a + b, a - b, a * b, a * b + 0.5, torch.maximum(a, b), torch.minimum(a, b), a.abs()])
    print(dtype, torch.equal(c, want), torch.equal(last[0::2], a[1::2]), torch.equal(last[1::2], b[0::2]))


@tilelang.jit
def bits():
    @T.prim_func
    def main(F: T.Tensor((8,), "int32"), N: T.Tensor((10,), "int64"), M: T.Tensor((3,), "int32")):
        with T.Kernel(1, threads=32):
            for i in T.serial(8):
                F[i] = T.__ffs(T.cast(48, "int32") * i)
            N[0] = T.cast(T.__fns(T.uint32(0xF0F0), 0, 1), "int64")
            N[1] = T.cast(T.__fns(T.uint32(0xF0F0), 0, 5), "int64")
            N[2] = T.cast(T.__fns(T.uint32(0xF0F0), 8, -2), "int64")
            N[3] = T.cast(T.__fns(T.uint32(0xF0F0), 4, 0), "int64")
            N[4] = T.cast(T.__fns(T.uint32(0xF0F0), 3, 0), "int64")
            N[5] = T.cast(T.__fns(T.uint32(0xF0F0), 5, 9), "int64")
            n = T.alloc_var(T.int32)
            n = 0
            with T.While(n < 5):
                n += 2
            M[0] = n
            v = T.bind(n * 10)
            n = 1
            M[1] = v
            T.let(n, v + 1)
            M[2] = T.if_then_else(T.isnullptr(M), 0, n)
            T.pdl_trigger()
            T.pdl_sync()

    return main


f, n, m = torch.zeros(8, dtype=torch.int32), torch.zeros(10, dtype=torch.int64), torch.zeros(3, dtype=torch.int32)
bits()(f, n, m)
print(f.tolist(), n.tolist(), m.tolist())
