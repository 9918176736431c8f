# softmax.py: softmax of the rows of a matrix, in three forms.
#
#   rows     a block holds whole rows in registers: one read, one write, the
#            least traffic there can be, as long as a row fits
#   online   a row streams by in pieces; a running maximum m and a running sum
#            l (of exponentials relative to m) are kept, and when m grows, l is
#            rescaled by exp(m_old - m).  A second pass writes.  Any length.
#   ragged   online with a length for each row, as in a padded batch
#
# Exponentials are taken to base 2, for which GPUs have an instruction:
# exp(x) = exp2(x * log2(e)).
#
#     moontile lua/examples/softmax.py [small]
import sys
import math

import tilelang
import tilelang.language as T
import torch

LOG2E = 1.4426950408889634


@tilelang.jit
def rows(X, BM, BN):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float32)
    Y = T.empty((M, N), T.float32)
    with T.Kernel(T.ceildiv(M, BM), threads=256) as bx:
        x = T.alloc_fragment((BM, BN), T.float32)
        m = T.alloc_fragment((BM,), T.float32)
        l = T.alloc_fragment((BM,), T.float32)
        # what a copy reads behind the end of a row must not win the maximum
        T.annotate_safe_value({X: -T.infinity(T.float32)})
        T.copy(X[bx * BM, 0], x)
        T.reduce_max(x, m, dim=1)
        for i, j in T.Parallel(BM, BN):
            x[i, j] = T.exp2((x[i, j] - m[i]) * LOG2E)

        T.reduce_sum(x, l, dim=1)
        for i, j in T.Parallel(BM, BN):
            x[i, j] = x[i, j] / l[i]

        T.copy(x, Y[bx * BM, 0])

    return Y


@tilelang.jit
def online(X, BM, BN):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float32)
    Y = T.empty((M, N), T.float32)
    with T.Kernel(T.ceildiv(M, BM), threads=128) as bx:
        x = T.alloc_fragment((BM, BN), T.float32)
        m = T.alloc_fragment((BM,), T.float32)
        m_old = T.alloc_fragment((BM,), T.float32)
        l = T.alloc_fragment((BM,), T.float32)
        sum = T.alloc_fragment((BM,), T.float32)
        T.annotate_safe_value({X: -T.infinity(T.float32)})
        T.fill(m, -T.infinity(T.float32))
        T.clear(l)
        for k in T.Pipelined(T.ceildiv(N, BN), num_stages=2):
            T.copy(X[bx * BM, k * BN], x)
            T.copy(m, m_old)
            T.reduce_max(x, m, dim=1, clear=False)  # m = max(m, maximum of this piece)
            for i, j in T.Parallel(BM, BN):
                x[i, j] = T.exp2((x[i, j] - m[i]) * LOG2E)

            T.reduce_sum(x, sum, dim=1)
            for i in T.Parallel(BM):
                l[i] = l[i] * T.exp2((m_old[i] - m[i]) * LOG2E) + sum[i]

        for k in T.Pipelined(T.ceildiv(N, BN), num_stages=2):
            T.copy(X[bx * BM, k * BN], x)
            for i, j in T.Parallel(BM, BN):
                x[i, j] = T.exp2((x[i, j] - m[i]) * LOG2E) / l[i]

            T.copy(x, Y[bx * BM, k * BN])

    return Y


@tilelang.jit
def ragged(X, Len, BN):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), T.float32)
    Len: T.Tensor((M,), T.int32)
    Y = T.empty((M, N), T.float32)
    with T.Kernel(M, threads=128) as row:
        x = T.alloc_fragment((BN,), T.float32)
        m = T.alloc_fragment((1,), T.float32)
        m_old = T.alloc_fragment((1,), T.float32)
        l = T.alloc_fragment((1,), T.float32)
        sum = T.alloc_fragment((1,), T.float32)
        len = Len[row]
        T.fill(m, -T.infinity(T.float32))
        T.clear(l)
        for k in T.serial(T.ceildiv(len, BN)):  # a bound known when it runs
            for j in T.Parallel(BN):
                at = k * BN + j
                x[j] = T.if_then_else(at < len, X[row, at], -T.infinity(T.float32))

            T.copy(m, m_old)
            T.reduce_max(x, m, dim=0, clear=False)
            for j in T.Parallel(BN):
                x[j] = T.exp2((x[j] - m[0]) * LOG2E)

            T.reduce_sum(x, sum, dim=0)
            for i in T.Parallel(1):
                l[i] = l[i] * T.exp2((m_old[i] - m[i]) * LOG2E) + sum[i]

        for k in T.serial(T.ceildiv(N, BN)):
            for j in T.Parallel(BN):
                at = k * BN + j
                Y[row, at] = T.if_then_else(at < len, T.exp2((X[row, at] - m[0]) * LOG2E) / l[0], 0)

    return Y


# An exponent x - m is off by half an ulp of its size, up to 16 here: 2^-20 of
# the result; the sum and the two products add a few 2^-24.
RTOL, ATOL = 2**-19, 2**-40


def check(M, N):
    x = torch.randn(M, N, dtype=torch.float32, device="cuda")
    want = torch.softmax(x, dim=1)
    BN = tilelang.next_power_of_2(N)
    torch.testing.assert_close(rows(x, 1, BN), want, rtol=RTOL, atol=ATOL)
    torch.testing.assert_close(online(x, 4, 1024), want, rtol=RTOL, atol=ATOL)
    print(f"rows, online {M}x{N}: agree")


def check_ragged(M, N):
    x = torch.randn(M, N, dtype=torch.float32, device="cuda")
    lengths = torch.randint(1, N + 1, (M,), dtype=torch.int32, device="cuda")
    masked = x.clone()
    for i in range(M):
        for j in range(lengths[i].item(), N):
            masked[i, j] = -math.inf

    torch.testing.assert_close(ragged(x, lengths, 1024), torch.softmax(masked, dim=1), rtol=RTOL, atol=ATOL)
    print(f"ragged {M}x{N}: agrees")


def main():
    torch.manual_seed(4)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(5, 1030)
        check_ragged(7, 1100)
    else:
        check(4096, 16384)
        check(1021, 16001)
        check_ragged(256, 16384)


if __name__ == "__main__":
    main()
