# scale_relu_gemm.py: C = max(0, scale * A B) in the lazy style: a function
# of the sizes builds a T.prim_func, tilelang.compile makes a kernel of it.
#
# `scale` is an argument of the kernel, not of the function that builds it: a
# new value costs no compilation.  What fixes shapes and tiles (M, BM, dtype)
# is compiled in, what only changes numbers is passed to every launch.
#
#     moontile lua/examples/scale_relu_gemm.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


def relu_matmul(M, N, K, BM, BN, BK, dtype, accum):
    @T.prim_func
    def matmul(
        A: T.Tensor((M, K), dtype),
        B: T.Tensor((K, N), dtype),
        scale: T.float32,
        C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), threads=128) as (bx, by):
            As = T.alloc_shared((BM, BK), dtype)
            Bs = T.alloc_shared((BK, BN), dtype)
            Cl = T.alloc_fragment((BM, BN), accum)
            T.clear(Cl)
            for ko in T.Pipelined(T.ceildiv(K, BK), num_stages=2):
                T.copy(A[by * BM, ko * BK], As)
                T.copy(B[ko * BK, bx * BN], Bs)
                T.gemm(As, Bs, Cl)

            for i, j in T.Parallel(BM, BN):
                Cl[i, j] = T.max(Cl[i, j] * scale, 0)

            T.copy(Cl, C[by * BM, bx * BN])

    return matmul


def check(M, N, K):
    program = relu_matmul(M, N, K, 128, 128, 64, T.float16, T.float32)
    kernel = tilelang.compile(program, out_idx=[-1])  # C: made by the call
    a = torch.randn(M, K, dtype=torch.float16, device="cuda")
    b = torch.randn(K, N, dtype=torch.float16, device="cuda")
    product = a.float() @ b.float()
    for scale in (0.5, -0.0625):
        want = torch.relu(product * scale).half()
        torch.testing.assert_close(kernel(a, b, scale), want, rtol=1e-2, atol=1e-2)
        print(f"{M}x{N}x{K}, scale {scale}: agrees")


def main():
    torch.manual_seed(2)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(65, 129, 40)
    else:
        check(1024, 1024, 1024)
        check(999, 1001, 513)


if __name__ == "__main__":
    main()
