# splitk_gemm.py: C = A B for a small C and a long K.
#
# A grid of C's tiles alone would leave most of a GPU idle: 256 x 256 has four
# tiles of 128 x 128, and an H200 has 132 multiprocessors.  So K is split too:
# block (bx, by, bz) computes its tile over one stretch of K, and the partial
# tiles meet in memory by atomic addition.  The price is C in float32, set to
# zero beforehand, and sums whose order differs from run to run.
#
#     moontile lua/examples/splitk_gemm.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def matmul(A, B, C, SPLIT, BM, BN, BK):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((K, N), T.float16)
    C: T.Tensor((M, N), T.float32)
    steps = T.ceildiv(T.ceildiv(K, BK), SPLIT)  # of each block
    with T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), SPLIT, threads=128) as (bx, by, bz):
        As = T.alloc_shared((BM, BK), T.float16)
        Bs = T.alloc_shared((BK, BN), T.float16)
        Cl = T.alloc_fragment((BM, BN), T.float32)
        T.clear(Cl)
        for ko in T.Pipelined(steps, num_stages=2):
            k = (bz * steps + ko) * BK  # behind K: zeros
            T.copy(A[by * BM, k], As)
            T.copy(B[k, bx * BN], Bs)
            T.gemm(As, Bs, Cl)

        T.atomic_add(C[by * BM, bx * BN], Cl)


def check(M, N, K, split):
    a = torch.randn(M, K, dtype=torch.float16, device="cuda")
    b = torch.randn(K, N, dtype=torch.float16, device="cuda")
    c = torch.zeros(M, N, dtype=torch.float32, device="cuda")
    matmul(a, b, c, split, 64, 64, 64)
    torch.testing.assert_close(c, (a @ b).float(), rtol=1e-2, atol=1e-1)
    print(f"{M}x{N}x{K} in {split}: agrees")


def main():
    torch.manual_seed(14)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(65, 33, 700, 4)
    else:
        check(256, 256, 16384, 16)
        check(130, 201, 10007, 7)


if __name__ == "__main__":
    main()
