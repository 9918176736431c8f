# tilelang.tools and tilelang.carver.arch: TileLang's own counts of a kernel, figures of layouts.
import tilelang
import tilelang.language as T
from tilelang.carver.arch import CUDA, CDNA, is_hopper_arch, is_volta_arch
from tilelang.tools import Analyzer, plot_layout


@tilelang.jit
def gemm(A, B, M=256, N=384, K=128, block=64, dtype=T.float16):
    A: T.Tensor((M, K), dtype)
    B: T.Tensor((N, K), dtype)
    C = T.empty((M, N), T.float32)
    with T.Kernel(T.ceildiv(N, block), T.ceildiv(M, block), threads=128) as (bx, by):
        As = T.alloc_shared((block, 32), dtype)
        Bs = T.alloc_shared((block, 32), dtype)
        Cl = T.alloc_fragment((block, block), T.float32)
        T.clear(Cl)
        for k in T.Pipelined(T.ceildiv(K, 32), num_stages=2):
            T.copy(A[by * block, k * 32], As)
            T.copy(B[bx * block, k * 32], Bs)
            T.gemm(As, Bs, Cl, transpose_B=True)
        T.copy(Cl, C[by * block, bx * block])
    return C


@T.prim_func
def loops(A: T.Tensor((8, 64), "float32"), n: T.int32):
    with T.Kernel(2, threads=32) as bx:
        s = T.alloc_shared((64,), "float32")
        for i in T.serial(0, 8, 3):
            if bx == 0:
                T.copy(A[i, 0:64], s)
        for i in range(n):
            T.copy(s, A[i, 0:64])


arch = CUDA("cuda")
print(arch, arch.compute_capability, arch.sm_version, arch.warp_size, is_hopper_arch(arch), is_volta_arch(arch))
r = Analyzer.analysis(gemm.get_tir(), arch)
print(r)
print(r.total_flops == 2 * 256 * 384 * 128, r.total_global_bytes == (4 * 6 * 4 * (2 * 64 * 32) * 2 + 256 * 384 * 4))


class Ampere:
    compute_capability = "80"
    bandwidth = [750, 12080]


print(Analyzer.analysis(gemm.get_tir(M=4096, N=4096, K=4096), Ampere()))
for f in (lambda: Analyzer.analysis(loops, arch), lambda: Analyzer.analysis(3, arch), lambda: CDNA("hip"),
          lambda: plot_layout(3), lambda: plot_layout(T.Layout([4, 4], lambda i, j: (j, i)), view="output")):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

plot_layout(T.Fragment([16, 16], forward_thread_fn=lambda i, j: i * 2 + j // 8, forward_index_fn=lambda i, j: j % 8),
            name="fragment", formats="svg", verbose=True)
plot_layout(T.Layout([4, 8], lambda i, j: (j, i)), "figures", "layout")
