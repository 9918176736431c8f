# TVM's frames and pointers, and a copy of as many rows as a run says.
import tilelang, torch
import tilelang.language as T

@tilelang.jit(out_idx=[1])
def k(M, N, BN=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M, threads=128) as bx:
            s = T.alloc_shared((N,), "float16")
            t = T.alloc_shared((2, N), "float16")
            for i in T.Parallel(N // 8):
                T.ptx_cp_async(
                    T.tvm_access_ptr(T.type_annotation("float16"), t.data, N + i * 8, 8, 2),
                    T.tvm_access_ptr(T.type_annotation("float16"), A.data, bx * N + i * 8, 8, 1),
                    8, predicate=T.And(bx < M, i * 8 + 8 <= N))
            T.ptx_commit_group()
            T.ptx_wait_group(0)
            T.sync_threads()
            with T.If(bx < 2), T.Then():
                for i in T.Parallel(N):
                    s[i] = t[1, i] * 2
            with T.If(bx >= 2):
                with T.Then():
                    with T.If(bx >= 3):
                        with T.Then():
                            for i in T.Parallel(N):
                                s[i] = t[1, i] * 4
                        with T.Else():
                            for i in T.Parallel(N):
                                s[i] = t[1, i] * 3
            for i in T.Parallel(N):
                B[bx, i] = s[i]
    return main

f = k(4, 256)
a = torch.randn(4, 256, dtype=torch.float16)
b = f(a)
want = torch.stack([a[0] * 2, a[1] * 2, a[2] * 3, a[3] * 4])
torch.testing.assert_close(b, want)
print("right")
@tilelang.jit(out_idx=[2])
def rows(M, N, B):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), L: T.Tensor((4,), "int32"), O: T.Tensor((4, B, N), "float32")):
        with T.Kernel(4, threads=128) as bx:
            s = T.alloc_shared((B, N), "float32")
            T.fill(s, 0)
            n = L[bx]
            lo = bx * 3
            T.copy(A[lo : lo + n, :N], s[:n, :N])
            T.copy(s, O[bx, :, :])
    return main
g = rows(40, 64, 16)
a = torch.randn(40, 64, dtype=torch.float16)
l = torch.tensor([0, 5, 16, 20], dtype=torch.int32)
o = g(a, l)
w = torch.zeros(4, 16, 64)
for b in range(4):
    n = min(int(l[b]), 16)
    w[b, :n] = a[b * 3 : b * 3 + n].float()
torch.testing.assert_close(o, w)
print("right")
