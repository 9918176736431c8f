# transpose.py: B = A^T.
#
# Nothing is computed, and yet the obvious kernel is slow: either its reads or
# its writes go down a column, and neighbouring threads touch addresses that
# are a whole row apart.  So a tile goes through shared memory: rows of A in,
# rows of B out, and only the shared tile is read along its columns.  (There
# neighbouring threads hit the same bank; a swizzled layout of the tile, or a
# column of padding, spreads them out.)
#
#     moontile lua/examples/transpose.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def transpose(A, BM, BN):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), T.float32)
    B = T.empty((N, M), T.float32)
    with T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), threads=256) as (bx, by):
        tile = T.alloc_shared((BM, BN), T.float32)
        T.copy(A[by * BM, bx * BN], tile)
        for j, i in T.Parallel(BN, BM):
            B[bx * BN + j, by * BM + i] = tile[i, j]

    return B


def check(M, N):
    a = torch.randn(M, N, dtype=torch.float32, device="cuda")
    torch.testing.assert_close(transpose(a, 64, 64), a.T, rtol=0, atol=0)
    print(f"{M}x{N}: agrees")


def main():
    torch.manual_seed(9)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(65, 31)
    else:
        check(4096, 4096)
        check(3001, 4099)


if __name__ == "__main__":
    main()
