# linear_attention.py: causal attention without the softmax,
#     o_t = scale * sum_{s <= t} (q_t . k_s) v_s
# which needs no look back at all: S_t = sum_{s <= t} k_s v_s^T is a D x D
# state, and o_t = scale * q_t S_t.  Time and memory grow with the length, not
# with its square; RetNet, GLA and Mamba-2 are this with a decay.
#
# Step by step it would be a chain of tiny outer products.  In chunks of C
# tokens it is four matrix products a chunk: inside the chunk the quadratic
# form with a triangular mask, from all earlier chunks the state:
#     O = ((Q K^T) * mask) V + Q S,   then   S += K^T V
#
#     moontile lua/examples/linear_attention.py [small]
import math
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def attention(Q, K, V, C, BV):
    B, H, L, D, DV = T.const("B, H, L, D, DV")
    Q: T.Tensor((B, H, L, D), T.float16)
    K: T.Tensor((B, H, L, D), T.float16)
    V: T.Tensor((B, H, L, DV), T.float16)
    O = T.empty((B, H, L, DV), T.float16)
    with T.Kernel(T.ceildiv(DV, BV), H, B, threads=128) as (bv, h, b):
        Qs = T.alloc_shared((C, D), T.float16)
        Ks = T.alloc_shared((C, D), T.float16)
        Vs = T.alloc_shared((C, BV), T.float16)
        A = T.alloc_fragment((C, C), T.float32)
        As = T.alloc_shared((C, C), T.float16)
        S = T.alloc_fragment((D, BV), T.float32)  # the state
        Ss = T.alloc_shared((D, BV), T.float16)  # and a copy to multiply by
        o = T.alloc_fragment((C, BV), T.float32)
        T.clear(S)
        for c in T.Pipelined(T.ceildiv(L, C), num_stages=2):
            T.copy(Q[b, h, c * C, 0], Qs)
            T.copy(K[b, h, c * C, 0], Ks)
            T.copy(V[b, h, c * C, bv * BV], Vs)
            T.gemm(Qs, Ks, A, transpose_B=True, clear_accum=True)
            for i, j in T.Parallel(C, C):
                As[i, j] = A[i, j] if j <= i else 0

            T.gemm(As, Vs, o, clear_accum=True)
            T.copy(S, Ss)
            T.gemm(Qs, Ss, o)
            T.gemm(Ks, Vs, S, transpose_A=True)
            for i, j in T.Parallel(C, BV):
                o[i, j] *= 1 / D  # the scale

            T.copy(o, O[b, h, c * C, bv * BV])

    return O


def check(B, H, L, D, DV):
    q = torch.randn(B, H, L, D, dtype=torch.float16, device="cuda")
    k = torch.randn(B, H, L, D, dtype=torch.float16, device="cuda")
    v = torch.randn(B, H, L, DV, dtype=torch.float16, device="cuda")
    o = attention(q, k, v, 64, 64)
    at = torch.arange(L, dtype=torch.float32, device="cuda")
    mask = torch.clamp(at.unsqueeze(1) - at + 1, 0, 1)  # 1 for s <= t
    scores = (q.float() @ k.float().transpose(2, 3)) * mask
    want = (scores @ v.float()) / D
    # A state of about sqrt(L) is rounded to float16, D errors of sqrt(L) 2^-12
    # add up like a random walk and are scaled by 1 / D; 6 standard deviations
    torch.testing.assert_close(o.float(), want, rtol=2**-10, atol=6 * math.sqrt(L / D) * 2**-12)
    print(f"{B}x{H}x{L}x{D}/{DV}: agrees")


def main():
    torch.manual_seed(17)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(1, 2, 130, 64, 64)
        check(1, 1, 77, 32, 40)
    else:
        check(2, 8, 2048, 64, 64)
        check(1, 4, 1000, 128, 128)


if __name__ == "__main__":
    main()
