# fp8_quant.py: rows of float16 numbers to float8 (e4m3) with a scale a row.
#
# e4m3 has four bits of precision and ends at 448, so each token (row) is
# scaled until its largest magnitude sits exactly there:
#     scale = max |x| / 448,   q = x / scale
# A GPU multiplies float8 at twice the rate of float16 and moves half the
# bytes; the scales are multiplied back in behind the product.
#
#     moontile lua/examples/fp8_quant.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def quantise(X, BM, BN):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float16)
    Q = T.empty((M, N), T.float8_e4m3fn)
    S = T.empty((M,), T.float32)
    with T.Kernel(T.ceildiv(M, BM), threads=128) as bx:
        x = T.alloc_fragment((BM, BN), T.float32)
        q = T.alloc_fragment((BM, BN), T.float8_e4m3fn)
        s = T.alloc_fragment((BM,), T.float32)
        T.copy(X[bx * BM, 0], x)
        T.reduce_absmax(x, s, dim=1)
        for i in T.Parallel(BM):
            s[i] = T.max(s[i], 1e-4) / 448  # a row of zeros has a scale too

        for i, j in T.Parallel(BM, BN):
            q[i, j] = T.clamp(x[i, j] / s[i], -448, 448)

        T.copy(q, Q[bx * BM, 0])
        T.copy(s, S[bx * BM])

    return Q, S


def check(M, N):
    x = torch.randn(M, N, dtype=torch.float16, device="cuda")
    width = 1  # the least power of two that is not below N
    while width < N:
        width *= 2

    q, s = quantise(x, 4, width)
    want_s = x.float().abs().amax(dim=1).clamp(min=1e-4) / 448
    want_q = (x.float() / want_s.unsqueeze(1)).clamp(-448, 448).to(torch.float8_e4m3fn)
    torch.testing.assert_close(s, want_s, rtol=2**-23, atol=0)
    # x / scale is rounded in float32 first, which can move a tie: one step of
    # e4m3 is 1/8 of a number, and 2^-9 below its smallest normal
    torch.testing.assert_close(q.float(), want_q.float(), rtol=1 / 8, atol=2**-9)
    print(f"{M}x{N}: values and scales agree")


def main():
    torch.manual_seed(15)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(5, 130)
        check(8, 64)
    else:
        check(4096, 4096)
        check(1001, 5000)


if __name__ == "__main__":
    main()
