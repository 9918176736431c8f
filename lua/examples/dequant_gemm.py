# dequant_gemm.py: C = A W with float16 activations and 4-bit weights, the
# product at the heart of a quantised language model.
#
# A weight is a number q of 0 to 15 that stands for (q - 8) * scale of its
# column; two lie in a byte, the even column in the low half.  The weights
# stay packed as far as shared memory, so they take a quarter of the
# bandwidth of float16, and are unpacked there, just in front of the matrix
# unit.  The scales belong to columns, so they wait for the very end.
#
#     moontile lua/examples/dequant_gemm.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def matmul(A, Wq, scale, BM, BN, BK):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    Wq: T.Tensor((K, N // 2), T.uint8)
    scale: T.Tensor((N,), T.float16)
    C = T.empty((M, N), T.float16)
    with T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), threads=128) as (bx, by):
        As = T.alloc_shared((BM, BK), T.float16)
        Ws = T.alloc_shared((BK, BN // 2), T.uint8)
        Wh = T.alloc_shared((BK, BN), T.float16)
        Cl = T.alloc_fragment((BM, BN), T.float32)
        sl = T.alloc_fragment((BN,), T.float32)
        T.clear(Cl)
        for ko in T.Pipelined(T.ceildiv(K, BK), num_stages=2):
            T.copy(A[by * BM, ko * BK], As)
            T.copy(Wq[ko * BK, bx * (BN // 2)], Ws)
            for i, j in T.Parallel(BK, BN // 2):
                Wh[i, 2 * j] = T.cast(Ws[i, j] & 0xF, T.float16) - 8
                Wh[i, 2 * j + 1] = T.cast(Ws[i, j] >> 4, T.float16) - 8

            T.gemm(As, Wh, Cl)

        T.copy(scale[bx * BN], sl)
        for i, j in T.Parallel(BM, BN):
            Cl[i, j] *= sl[j]

        T.copy(Cl, C[by * BM, bx * BN])

    return C


def check(M, N, K):
    a = torch.randn(M, K, dtype=torch.float16, device="cuda")
    packed = torch.randint(0, 256, (K, N // 2), dtype=torch.uint8, device="cuda")
    scale = torch.rand(N, dtype=torch.float16, device="cuda")
    c = matmul(a, packed, scale, 128, 128, 64).float().reshape(M, N // 2, 2)
    scales = scale.float().reshape(N // 2, 2)
    high = torch.floor(packed.float() / 16)
    low = packed.float() - high * 16
    even = (a.float() @ (low - 8)) * scales[:, 0]
    odd = (a.float() @ (high - 8)) * scales[:, 1]
    torch.testing.assert_close(c[:, :, 0], even, rtol=1e-2, atol=1e-1)
    torch.testing.assert_close(c[:, :, 1], odd, rtol=1e-2, atol=1e-1)
    print(f"{M}x{N}x{K}: agrees")


def main():
    torch.manual_seed(13)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(33, 130, 70)
    else:
        check(1024, 1024, 1024)
        check(17, 1030, 2049)


if __name__ == "__main__":
    main()
