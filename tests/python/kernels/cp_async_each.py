# Threads that each start a copy of their own under conditions of their own: a gather of the rows that are wanted.
import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[2])
def gather(M, N, R):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), rows: T.Tensor((R,), "int32"), B: T.Tensor((R, N), "float16")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((R, N), "float16")
            ok = T.alloc_shared((R,), "bool")
            tx = T.get_thread_binding()
            T.fill(s, -1)
            T.sync_threads()
            for r in T.serial(R // 16):
                row = rows[r * 16 + tx // 8]
                ok[r * 16 + tx // 8] = row >= 0
                if ok[r * 16 + tx // 8]:
                    for u in T.serial(N // 64):
                        T.ptx_cp_async(
                            T.access_ptr(s[r * 16 + tx // 8, 64 * u + tx % 8 * 8], "w", 8),
                            T.access_ptr(A[row, 64 * u + tx % 8 * 8], "r", 8),
                            8,
                        )
            T.ptx_commit_group()
            T.ptx_wait_group(0)
            T.sync_threads()
            for i, j in T.Parallel(R, N):
                B[i, j] = s[i, j]

    return main


f = gather(64, 128, 32)
a = torch.randn(64, 128, dtype=torch.float16)
rows = torch.randint(-30, 64, (32,), dtype=torch.int32)
b = f(a, rows)
want = torch.stack([a[int(r)] if r >= 0 else torch.full((128,), -1, dtype=torch.float16) for r in rows])
torch.testing.assert_close(b, want)
print("right")
