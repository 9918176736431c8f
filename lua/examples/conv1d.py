# conv1d.py: convolution along a sequence, in two forms.
#
#   depthwise  y[n, l, c] = sum_k x[n, l + k - (KW - 1), c] w[k, c]: each
#              channel by itself and causal, as in front of a Mamba block.  A
#              block brings in its rows and the KW - 1 before them, the halo,
#              once; all taps then read shared memory.
#   dense      y[n, l, f] = sum_k sum_c x[n, l + k - pad, c] w[k, c, f]: a matrix
#              product with K = KW * C.  The rows of its left matrix (im2col)
#              are the input shifted by k, so the matrix is never made:
#              each tile is one copy from another place.
#
# Both lean on the same rule: what a copy reads before the beginning or behind
# the end is zero, which is just the padding that a convolution wants.
#
#     moontile lua/examples/conv1d.py [small]
import sys
import tilelang
import tilelang.language as T
import torch
import torch.nn.functional as F


@tilelang.jit
def depthwise(X, W, BL, BC):
    N, L, C, KW = T.const("N, L, C, KW")
    X: T.Tensor((N, L, C), T.float16)
    W: T.Tensor((KW, C), T.float16)
    Y = T.empty((N, L, C), T.float16)
    with T.Kernel(T.ceildiv(C, BC), T.ceildiv(L, BL), N, threads=128) as (bc, bl, n):
        Xs = T.alloc_shared((BL + KW - 1, BC), T.float16)
        Ws = T.alloc_shared((KW, BC), T.float16)
        y = T.alloc_fragment((BL, BC), T.float32)
        T.copy(X[n, bl * BL - (KW - 1), bc * BC], Xs)
        T.copy(W[0, bc * BC], Ws)
        T.clear(y)
        for k in T.serial(KW):
            for i, j in T.Parallel(BL, BC):
                y[i, j] += Xs[i + k, j].astype(T.float32) * Ws[k, j].astype(T.float32)

        T.copy(y, Y[n, bl * BL, bc * BC])

    return Y


@tilelang.jit
def dense(X, W, pad, BL, BF, BC):
    N, L, C, KW, F = T.const("N, L, C, KW, F")
    X: T.Tensor((N, L, C), T.float16)
    W: T.Tensor((KW, C, F), T.float16)
    OL = L + 2 * pad - KW + 1
    Y = T.empty((N, OL, F), T.float16)
    with T.Kernel(T.ceildiv(F, BF), T.ceildiv(OL, BL), N, threads=128) as (bf, bl, n):
        Xs = T.alloc_shared((BL, BC), T.float16)
        Ws = T.alloc_shared((BC, BF), T.float16)
        y = T.alloc_fragment((BL, BF), T.float32)
        nc = T.ceildiv(C, BC)
        T.clear(y)
        for step in T.Pipelined(KW * nc, num_stages=2):
            k, c = step // nc, step % nc * BC
            T.copy(X[n, bl * BL + k - pad, c], Xs)
            T.copy(W[k, c, bf * BF], Ws)
            T.gemm(Xs, Ws, y)

        T.copy(y, Y[n, bl * BL, bf * BF])

    return Y


def check_depthwise(N, L, C, KW):
    x = torch.randn(N, L, C, dtype=torch.float16, device="cuda")
    w = torch.randn(KW, C, dtype=torch.float16, device="cuda")
    # the reference pads both sides: its first L outputs are the causal ones
    both = F.conv1d(x.transpose(1, 2), w.t().unsqueeze(1), padding=KW - 1, groups=C)
    want = both.transpose(1, 2)[:, 0:L]
    torch.testing.assert_close(depthwise(x, w, 64, 64), want, rtol=1e-2, atol=1e-2)
    print(f"depthwise {N}x{L}x{C}, {KW} taps: agrees")


def check_dense(N, L, C, KW, filters):
    x = torch.randn(N, L, C, dtype=torch.float16, device="cuda")
    w = torch.randn(KW, C, filters, dtype=torch.float16, device="cuda")
    pad = KW // 2
    y = dense(x, w, pad, 64, 64, 64)
    want = F.conv1d(x.transpose(1, 2), w.permute(2, 1, 0), padding=pad).transpose(1, 2)
    torch.testing.assert_close(y, want, rtol=1e-2, atol=1e-1)
    print(f"dense {N}x{L}x{C}, filter {KW}x{filters}: agrees")


def main():
    torch.manual_seed(11)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check_depthwise(2, 70, 33, 4)
        check_dense(2, 67, 35, 3, 20)
    else:
        check_depthwise(4, 4096, 512, 4)
        check_dense(4, 1024, 128, 5, 128)
        check_dense(3, 1001, 99, 4, 65)


if __name__ == "__main__":
    main()
