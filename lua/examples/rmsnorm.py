# rmsnorm.py: y = x / sqrt(mean(x^2) + eps) * w for each row, the
# normalisation in front of every block of a Llama-like model.
#
# The rows are read once and written once and stay in registers in between.
# Numbers are float16 in memory and float32 while they are added up: the copy
# into a float32 fragment converts.  A tile is as wide as the next power of
# two; the zeros that it reads behind the end of a row add nothing to the sum.
#
#     moontile lua/examples/rmsnorm.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def rmsnorm(X, W, eps, BM, BN):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float16)
    W: T.Tensor((N,), T.float16)
    eps: T.float32
    Y = T.empty((M, N), T.float16)
    with T.Kernel(T.ceildiv(M, BM), threads=128) as bx:
        x = T.alloc_fragment((BM, BN), T.float32)
        sq = T.alloc_fragment((BM, BN), T.float32)
        w = T.alloc_fragment((BN,), T.float32)
        r = T.alloc_fragment((BM,), T.float32)
        T.copy(X[bx * BM, 0], x)
        T.copy(W[0], w)
        for i, j in T.Parallel(BM, BN):
            sq[i, j] = x[i, j] * x[i, j]

        T.reduce_sum(sq, r, dim=1)
        for i in T.Parallel(BM):
            r[i] = T.rsqrt(r[i] / N + eps)

        for i, j in T.Parallel(BM, BN):
            x[i, j] = x[i, j] * r[i] * w[j]

        T.copy(x, Y[bx * BM, 0])

    return Y


def check(M, N):
    x = torch.randn(M, N, dtype=torch.float16, device="cuda")
    w = torch.randn(N, dtype=torch.float16, device="cuda")
    BN = tilelang.next_power_of_2(N)
    y = rmsnorm(x, w, 1e-5, 2, BN)
    xf = x.float()
    want = xf * torch.rsqrt((xf * xf).mean(dim=-1, keepdim=True) + 1e-5) * w.float()
    # all that shows is the rounding of the result to float16
    torch.testing.assert_close(y, want.half(), rtol=1e-3, atol=1e-3)
    print(f"{M}x{N}: agrees")


def main():
    torch.manual_seed(5)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(3, 77)
        check(4, 256)
    else:
        check(4096, 4096)
        check(2047, 5000)


if __name__ == "__main__":
    main()
