# row_sum.py: y[i] = sum of row i, the plainest reduction.
#
# T.reduce_sum adds across threads: shuffles inside a warp, shared memory
# between warps.  That is dear, so it stands behind the loop: inside, every
# thread only adds to registers of its own.
#
#     moontile lua/examples/row_sum.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def row_sum(X, BM, BN):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float32)
    Y = T.empty((M,), T.float32)
    with T.Kernel(T.ceildiv(M, BM), threads=128) as bx:
        x = T.alloc_fragment((BM, BN), T.float32)
        part = T.alloc_fragment((BM, BN), T.float32)
        sum = T.alloc_fragment((BM,), T.float32)
        T.clear(part)
        for k in T.Pipelined(T.ceildiv(N, BN), num_stages=2):
            T.copy(X[bx * BM, k * BN], x)
            for i, j in T.Parallel(BM, BN):
                part[i, j] += x[i, j]

        T.reduce_sum(part, sum, dim=1)
        T.copy(sum, Y[bx * BM])

    return Y


def check(M, N):
    x = torch.randn(M, N, dtype=torch.float32, device="cuda")
    torch.testing.assert_close(row_sum(x, 16, 256), x.sum(dim=1), rtol=1e-5, atol=1e-2)
    print(f"{M}x{N}: agrees")


def main():
    torch.manual_seed(8)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(17, 700)
    else:
        check(4096, 16384)
        check(4095, 10001)


if __name__ == "__main__":
    main()
