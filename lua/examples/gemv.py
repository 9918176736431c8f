# gemv.py: y = A x, a matrix times one vector: what a language model does for
# each token it generates.
#
# Every element of A is used once, so memory bandwidth is the limit and tensor
# cores are no help.  A block takes BM rows and adds up BK columns at a time
# element by element; only at the very end are the BK partial sums of a row,
# which lie in different threads, added to one another.
#
#     moontile lua/examples/gemv.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def gemv(A, x, BM, BK):
    M, K = T.const("M, K")
    A: T.Tensor((M, K), T.float16)
    x: T.Tensor((K,), T.float16)
    y = T.empty((M,), T.float16)
    with T.Kernel(T.ceildiv(M, BM), threads=128) as bx:
        Al = T.alloc_fragment((BM, BK), T.float16)
        xl = T.alloc_fragment((BK,), T.float16)
        part = T.alloc_fragment((BM, BK), T.float32)
        sum = T.alloc_fragment((BM,), T.float32)
        T.clear(part)
        for ko in T.Pipelined(T.ceildiv(K, BK), num_stages=2):
            T.copy(A[bx * BM, ko * BK], Al)
            T.copy(x[ko * BK], xl)
            for i, j in T.Parallel(BM, BK):
                part[i, j] += Al[i, j].astype(T.float32) * xl[j].astype(T.float32)

        T.reduce_sum(part, sum, dim=1)
        T.copy(sum, y[bx * BM])

    return y


def check(M, K):
    a = torch.randn(M, K, dtype=torch.float16, device="cuda")
    x = torch.randn(K, dtype=torch.float16, device="cuda")
    torch.testing.assert_close(gemv(a, x, 16, 256), torch.mv(a, x), rtol=1e-2, atol=1e-2)
    print(f"{M}x{K}: agrees")


def main():
    torch.manual_seed(7)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(33, 515)
    else:
        check(4096, 4096)
        check(4001, 8191)


if __name__ == "__main__":
    main()
