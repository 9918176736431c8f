# quickstart.py: C = max(0, A B), a matrix product with its ReLU fused in.
#
# Every block of the grid owns one BM x BN tile of C.  It walks along K, brings
# a tile of A and one of B into shared memory and multiplies them into
# registers.  T.Pipelined lets the copies of the next step run while this one
# is being multiplied.  The ReLU costs nothing: the tile is in registers
# already, so it saves writing C and reading it again.
#
#     moontile lua/examples/quickstart.py          an odd size and 1024^3
#     moontile lua/examples/quickstart.py small    small and odd sizes
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def matmul(A, B, BM, BN, BK):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((K, N), T.float16)
    C = T.empty((M, N), T.float16)
    with T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), threads=256) as (bx, by):
        As = T.alloc_shared((BM, BK), T.float16)
        Bs = T.alloc_shared((BK, BN), T.float16)
        Cl = T.alloc_fragment((BM, BN), T.float32)
        T.clear(Cl)
        for ko in T.Pipelined(T.ceildiv(K, BK), num_stages=3):
            T.copy(A[by * BM, ko * BK], As)  # outside A: zeros
            T.copy(B[ko * BK, bx * BN], Bs)
            T.gemm(As, Bs, Cl)

        for i, j in T.Parallel(BM, BN):
            Cl[i, j] = T.max(Cl[i, j], 0)

        T.copy(Cl, C[by * BM, bx * BN])  # to float16; outside C: dropped

    return C


def check(M, N, K):
    a = torch.randn(M, K, dtype=torch.float16, device="cuda")
    b = torch.randn(K, N, dtype=torch.float16, device="cuda")
    BN = 256 if M * N >= 1 << 22 else 128  # wide tiles where there are many
    c = matmul(a, b, 128, BN, 64)
    torch.testing.assert_close(c, torch.relu(a @ b), rtol=1e-2, atol=1e-2)
    print(f"{M}x{N}x{K}: agrees")


def main():
    torch.manual_seed(1)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(129, 65, 33)
        check(1, 200, 7)
    else:
        check(1000, 777, 515)
        check(1024, 1024, 1024)


if __name__ == "__main__":
    main()
