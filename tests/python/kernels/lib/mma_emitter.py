# TensorCoreIntrinEmitter: products by mma of single warps, of all types, orders of operands, places of the result.
import tilelang
import tilelang.language as T
import torch
from tilelang.cuda.intrinsics import TensorCoreIntrinEmitter, get_swizzle_layout

torch.manual_seed(2)


@tilelang.jit(out_idx=[-1])
def product(dtype, accum, ta=False, tb=True, rows=32, cols=32, m_first=False, place="tile", K=64, chunk=32):
    e = TensorCoreIntrinEmitter(
        a_dtype=dtype, b_dtype=dtype, accum_dtype=accum, a_transposed=ta, b_transposed=tb, block_row_warps=2, block_col_warps=2,
        warp_row_tiles=rows, warp_col_tiles=cols, chunk=chunk, is_m_first=m_first)
    M, N = 2 * rows, 2 * cols

    @T.prim_func
    def main(
        A: T.Tensor((K, M) if ta else (M, K), dtype),
        B: T.Tensor((N, K) if tb else (K, N), dtype),
        C: T.Tensor((M, N), accum),
    ):
        with T.Kernel(1, threads=e.threads):
            As = T.alloc_shared((chunk, M) if ta else (M, chunk), dtype)
            Bs = T.alloc_shared((N, chunk) if tb else (chunk, N), dtype)
            Cs = T.alloc_shared((M, N), accum)
            C4 = T.alloc_shared((M // 16, N // e.n_dim, 16, e.n_dim), accum)
            Al = T.alloc_local((e.warp_rows * e.local_size_a,), dtype)
            Bl = T.alloc_local((e.warp_cols * e.local_size_b,), dtype)
            Cl = T.alloc_local((e.warp_rows * e.warp_cols * e.local_size_out,), accum)
            T.clear(Cl)
            for ko in T.serial(K // chunk):
                for i, j in T.Parallel(As.shape[0], As.shape[1]):
                    if ta:
                        As[i, j] = A[ko * chunk + i, j]
                    else:
                        As[i, j] = A[i, ko * chunk + j]
                for i, j in T.Parallel(Bs.shape[0], Bs.shape[1]):
                    if tb:
                        Bs[i, j] = B[i, ko * chunk + j]
                    else:
                        Bs[i, j] = B[ko * chunk + i, j]
                for ki in T.serial(chunk // e.micro_size_k):
                    e.ldmatrix_a(Al, As, ki)
                    e.ldmatrix_b(Bl, Bs[0:Bs.shape[0], 0:Bs.shape[1]], ki)
                    if place == "tile":
                        e.mma(Al, Bl, Cl)
                    else:
                        for i, j in T.grid(e.mma_num_inst_m, e.mma_num_inst_n):
                            e.mma_atom(Al, Bl, Cl, i, j)
            if place == "global":
                e.stmatrix(Cl, C, 0, 0)
            elif place == "tiles":
                e.stmatrix(Cl, C4)
                for i, j in T.Parallel(M, N):
                    C[i, j] = C4[i // 16, j // e.n_dim, i % 16, j % e.n_dim]
            else:
                e.stmatrix(Cl, Cs)
                T.copy(Cs, C)

    return main


for dtype, accum, *rest in (
    ("float16", "float32"), ("bfloat16", "float32", True, True), ("float16", "float16", False, False), ("int8", "int32"),
    ("uint8", "int32", True, False), ("float16", "float32", False, True, 16, 8), ("int8", "int32", False, True, 32, 24, True),
    ("float16", "float32", False, True, 32, 16, True, "global"), ("float8_e4m3fn", "float32", False, True, 16, 16, False, "tiles"),
    ("float16", "float32", False, True, 16, 16, False, "tile", 32, 8),
):
    ta, tb, rows, cols = (rest + [False, True, 32, 32][len(rest):])[:4]
    low = 0 if dtype == "uint8" else -3
    K = rest[6] if len(rest) > 6 else 64
    a = torch.randint(low, 4, (2 * rows, K))
    b = torch.randint(low, 4, (2 * cols, K))
    d = getattr(torch, dtype)
    kernel = product(dtype, accum, *rest)
    c = kernel((a.T if ta else a).contiguous().to(d), (b if tb else b.T).contiguous().to(d))
    print(dtype, accum, rest, torch.equal(c.to(torch.int64), a @ b.T))

e = TensorCoreIntrinEmitter("float16", "float16", "float32", warp_row_tiles=32, warp_col_tiles=8)
print(e.threads, e.mma_prefix, e.warp_rows, e.warp_cols, e.n_dim, e.local_size_a, e.local_size_b, e.local_size_out)
print([int(x) for x in e.extract_thread_binding(77)], [int(x) for x in e.extract_thread_binding(77, True)])
print([tuple(get_swizzle_layout(i, 9, 32, "float16")) for i in range(0, 8, 2)], tuple(get_swizzle_layout(3, 70, 128, T.int8, 32)))
for f in (lambda: TensorCoreIntrinEmitter("float32", "float32", "float32", warp_row_tiles=16),
          lambda: TensorCoreIntrinEmitter(warp_row_tiles=8), lambda: get_swizzle_layout(0, 0, 8, "int8")):
    try:
        f()
    except Exception as error:
        print(type(error).__name__, error)
