# flash_attention.py: O = softmax(Q K^T / sqrt(D)) V without ever storing the
# S x S matrix of scores (Dao et al. 2022).
#
# A block owns BM queries of one head and streams the keys and values by, BN
# at a time.  The softmax is the online one of softmax.py: when the running
# maximum of a row grows, the sum l and the output gathered so far are scaled
# down.  The traffic falls from S^2 to S^2 / BM numbers, so the matrix units
# and not the memory become the limit.
#
#   causal   a query sees only keys up to its own position; blocks of keys
#            that lie wholly in its future are not even visited.  The last rows
#            have most to do, so they begin
#   GQA      H query heads share HKV key heads: head h reads h // (H // HKV)
#
#     moontile lua/examples/flash_attention.py [small]
import sys
import math

import tilelang
import tilelang.language as T
import torch
import torch.nn.functional as F


@tilelang.jit
def attention(Q, K, V, causal, BM, BN, THREADS, STAGES):
    B, H, HKV, S, D = T.const("B, H, HKV, S, D")
    Q: T.Tensor((B, H, S, D), T.float16)
    K: T.Tensor((B, HKV, S, D), T.float16)
    V: T.Tensor((B, HKV, S, D), T.float16)
    O = T.empty((B, H, S, D), T.float16)
    scale = 1.4426950408889634 / math.sqrt(D)  # log2(e): for exp2
    rows = T.ceildiv(S, BM)
    with T.Kernel(rows, H, B, threads=THREADS) as (x, h, b):
        bx = rows - 1 - x if causal else x
        Qs = T.alloc_shared((BM, D), T.float16)
        Ks = T.alloc_shared((BN, D), T.float16)
        Vs = T.alloc_shared((BN, D), T.float16)
        P = T.alloc_fragment((BM, BN), T.float32)  # scores, then weights
        Ph = T.alloc_fragment((BM, BN), T.float16)  # the same for the 2nd gemm
        acc = T.alloc_fragment((BM, D), T.float32)
        m = T.alloc_fragment((BM,), T.float32)
        m_old = T.alloc_fragment((BM,), T.float32)
        shrink = T.alloc_fragment((BM,), T.float32)
        sum = T.alloc_fragment((BM,), T.float32)
        l = T.alloc_fragment((BM,), T.float32)
        hkv = h // (H // HKV)
        T.copy(Q[b, h, bx * BM, 0], Qs)
        T.clear(acc)
        T.clear(l)
        T.fill(m, -T.infinity(T.float32))
        keys = S
        if causal:
            keys = T.min(S, (bx + 1) * BM)

        for k in T.Pipelined(T.ceildiv(keys, BN), num_stages=STAGES):
            T.copy(K[b, hkv, k * BN, 0], Ks)
            # the mask is where the scores start from: -inf plus anything stays -inf
            for i, j in T.Parallel(BM, BN):
                key = k * BN + j
                last = T.min(S - 1, bx * BM + i) if causal else S - 1
                P[i, j] = T.if_then_else(key <= last, 0, -T.infinity(T.float32))

            T.gemm(Qs, Ks, P, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
            T.copy(m, m_old)
            T.reduce_max(P, m, dim=1, clear=False)
            for i in T.Parallel(BM):
                shrink[i] = T.exp2((m_old[i] - m[i]) * scale)

            for i, j in T.Parallel(BM, BN):
                P[i, j] = T.exp2(P[i, j] * scale - m[i] * scale)  # one multiply-add

            T.reduce_sum(P, sum, dim=1)
            for i in T.Parallel(BM):
                l[i] = l[i] * shrink[i] + sum[i]

            for i, j in T.Parallel(BM, D):
                acc[i, j] *= shrink[i]

            T.copy(P, Ph)
            T.copy(V[b, hkv, k * BN, 0], Vs)
            T.gemm(Ph, Vs, acc, policy=T.GemmWarpPolicy.FullRow)

        for i in T.Parallel(BM):
            l[i] = 1 / l[i]

        for i, j in T.Parallel(BM, D):
            acc[i, j] *= l[i]

        T.copy(acc, O[b, h, bx * BM, 0])

    return O


def check(B, H, HKV, S, D, causal):
    q = torch.randn(B, H, S, D, dtype=torch.float16, device="cuda")
    k = torch.randn(B, HKV, S, D, dtype=torch.float16, device="cuda")
    v = torch.randn(B, HKV, S, D, dtype=torch.float16, device="cuda")
    o = attention(q, k, v, causal, 64, 64, 128, 2)
    want = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
    # The weights are rounded to float16, each by at most 2^-11 of itself, so the
    # average of v moves by at most 2^-11 of the largest |v|, about 5; then the
    # result is rounded.
    torch.testing.assert_close(o, want, rtol=2**-10, atol=5 * 2**-11)
    print(f"{B}x{H}/{HKV}x{S}x{D}{' causal' if causal else ''}: agrees")


def main():
    torch.manual_seed(10)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(1, 4, 2, 77, 64, True)
        check(2, 2, 2, 65, 128, False)
    else:
        check(1, 8, 8, 1024, 64, False)
        check(1, 8, 8, 1024, 64, True)
        check(1, 8, 2, 1024, 128, False)
        check(1, 8, 2, 1024, 128, True)
        check(2, 6, 3, 577, 64, True)


if __name__ == "__main__":
    main()
