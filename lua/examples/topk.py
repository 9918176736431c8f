# topk.py: the K largest of each row and where they stand, as a router does
# that sends a token to K of its experts.
#
# For small K, taking the maximum K times beats sorting: the row stays in
# registers, and each round is two reductions, one for the value and one for
# the lowest column that holds it, which is then struck out.
#
#     moontile lua/examples/topk.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def topk(X, K, BM):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float32)
    V = T.empty((M, K), T.float32)
    I = T.empty((M, K), T.int32)
    with T.Kernel(T.ceildiv(M, BM), threads=128) as bx:
        x = T.alloc_fragment((BM, N), T.float32)
        column = T.alloc_fragment((BM, N), T.int32)
        best = T.alloc_fragment((BM,), T.float32)
        at = T.alloc_fragment((BM,), T.int32)
        T.copy(X[bx * BM, 0], x)
        for k in T.serial(K):
            T.reduce_max(x, best, dim=1)
            for i, j in T.Parallel(BM, N):
                column[i, j] = j if x[i, j] == best[i] else N

            T.reduce_min(column, at, dim=1)
            for i, j in T.Parallel(BM, N):
                x[i, j] = -T.infinity(T.float32) if j == at[i] else x[i, j]

            for i in T.Parallel(BM):
                V[bx * BM + i, k] = best[i]
                I[bx * BM + i, k] = at[i]

    return V, I


def check(M, N, K):
    x = torch.randn(M, N, dtype=torch.float32, device="cuda")
    values, columns = topk(x, K, 16)
    want_values, want_columns = torch.topk(x, K)
    torch.testing.assert_close(values, want_values, rtol=0, atol=0)
    torch.testing.assert_close(columns, want_columns.int(), rtol=0, atol=0)
    print(f"{K} of {M}x{N}: agrees")


def main():
    torch.manual_seed(16)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(19, 37, 3)
    else:
        check(8192, 128, 8)
        check(4099, 160, 6)


if __name__ == "__main__":
    main()
