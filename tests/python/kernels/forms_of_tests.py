# Forms of TileLang's own tests.
import tilelang, torch
import tilelang.language as T
from tilelang import PassConfigKey
import tilelang.testing

# a number added to a tile: each element once
@tilelang.jit
def up(M, N, bM, bN):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((1), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(M, bM), T.ceildiv(N, bN), threads=32) as (bx, by):
            T.atomic_add(A[bx * bM : (bx + 1) * bM, by * bN : (by + 1) * bN], 1.0)
            T.atomic_max(C[bx * bM : (bx + 1) * bM, by * bN : (by + 1) * bN], 0.5)
            T.atomic_add(B, 1)
    return main
a, b, c = torch.zeros(10, 12), torch.zeros(1), torch.zeros(10, 12)
up(10, 12, 8, 8)(a, b, c)
print(a.min().item(), a.max().item(), b.item(), c.min().item())
@tilelang.jit
def f(A):
    A: T.Tensor((64,), "float32")
    B = T.empty((64,), "float32")
    T.annotate_pass_configs({PassConfigKey.TL_ENABLE_FAST_MATH: True})
    with T.Kernel(1):
        for i in T.Parallel(64):
            B[i] = T.exp(A[i])
    return B
f(torch.randn(64))

# vectors of an atomic as slices
@tilelang.jit(out_idx=[2])
def k():
    @T.prim_func
    def main(Val: T.Tensor((4,), "float32"), Init: T.Tensor((4,), "float32"), Dst: T.Tensor((4,), "float32")):
        with T.Kernel(1):
            for i in T.serial(4):
                Dst[i] = Init[i]
            T.atomic_addx4(Dst[0:4], Val[0:4])
            T.atomic_addx2(Dst[2:4], Val[0])
    return main
v = torch.arange(4, dtype=torch.float32)
print(k()(v, v))
try:
    @T.prim_func
    def main(Val: T.Tensor((4,), "float32"), Dst: T.Tensor((4,), "float32")):
        with T.Kernel(1):
            T.atomic_addx4(Dst[0:2], Val[0:4])
except Exception as e: print(str(e).split("\n")[0])

# integers that are expressions; a Fragment's copies in one function
@tilelang.jit
def k(A):
    A: T.Tensor((256,), "int32")
    with T.Kernel(1, threads=256) as bx:
        b = T.int32(1)
        T.sync_threads(b)
        T.sync_threads(b + 1, 256)
        for i in T.Parallel(256):
            A[i] = i
a = torch.zeros(256, dtype=torch.int32)
k(a); print(a[-1])

@tilelang.jit
def frag(A):
    A: T.Tensor((4,512), "float32")
    B = T.empty((4,), "float32")
    with T.Kernel(1, threads=128):
        f = T.alloc_fragment((4, 512), "float32")
        s = T.alloc_fragment((4,), "float32")
        T.annotate_layout({
            f: T.Fragment(f.shape, forward_fn=lambda i, j: (j // 8, i * 8 + j % 8)),
            s: T.Fragment(s.shape, forward_fn=lambda i, rep: (rep, i), replicate=64),
        })
        T.copy(A, f)
        T.reduce_sum(f, s, dim=1)
        T.copy(s, B)
    return B
x = torch.randn(4, 512)
print(torch.allclose(frag(x), x.sum(1), atol=1e-3))

# types instead of tensors
@tilelang.jit
def copy1(A, B, x=2):
    N, M = T.const("N, M")
    A: T.Tensor[[N, M], T.float32]
    B: T.Tensor[[N, M], T.float32]
    with T.Kernel(N):
        for i in T.Parallel(M):
            B[0, i] = A[0, i]
try:
    k = copy1.compile(T.Tensor((128, 64)), T.Tensor((128, 64)))
    print(k.params)
except Exception as e: print(str(e).split("\n")[0])
try:
    k = copy1.compile(A=T.Tensor((128, 64)), B=T.Tensor((128, 64), "float32"), x=3)
except Exception as e: print(str(e).split("\n")[0])
print(copy1.get_tir(T.Tensor((128, 64)), T.Tensor((128, 64))) is not None)
try:
    k = copy1.compile(A=T.Tensor((128, 64)), B=T.Tensor((128, 65), "float32"), x=3)
except Exception as e: print(str(e).split("\n")[0])

# kernels without a tensor
@tilelang.jit
def k():
    with T.Kernel(1) as _:
        x = T.alloc_fragment([256], T.float32)
        for i in T.parallel(256):
            x[i] = 1
print(k.get_kernel_source() is not None)
@tilelang.jit
def k2():
    with T.Kernel(threads=32):
        x = T.alloc_fragment([32], T.float32)
        for i in T.Parallel(32):
            x[i] = 1
print(k2.compile() is not None)

# dtype= of symbols
print(T.symbolic("len", dtype=T.int32), T.dynamic("m", "int64"))


# names of measurements
def perf(n=1, window=None):
    print(n, window)
    return 0.5


tilelang.testing.process_func(perf)
tilelang.testing.process_func(perf, "regression_perf_window", window=128)


# T.gemm's older names
@tilelang.jit
def older(A, B):
    A: T.Tensor((32, 32), "float16")
    B: T.Tensor((32, 32), "float16")
    C = T.empty((32, 32), "float32")
    with T.Kernel(1, threads=32):
        a = T.alloc_shared((32, 32), "float16")
        b = T.alloc_shared((32, 32), "float16")
        c = T.alloc_fragment((32, 32), "float32")
        T.copy(A, a)
        T.copy(B, b)
        T.clear(c)
        T.gemm_v1(a, b, c)
        T.gemm_v2(a, b, c)
        T.copy(c, C)
    return C


one = torch.eye(32, dtype=torch.float16)
print(torch.equal(older(one, one), 2 * torch.eye(32)))
