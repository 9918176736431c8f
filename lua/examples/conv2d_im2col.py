# conv2d_im2col.py: a convolution of images (N, H, W, C) as a matrix product.
#
# im2col puts the KH x KW x C numbers under the filter into one row for each
# output pixel; the convolution is that matrix times the filters.  In memory
# the matrix would be KH * KW times the image.  Here it only ever exists as a
# BM x BK tile in shared memory, gathered when it is needed: row i of the
# tile is an output pixel, its columns are channels under one tap (kh, kw).
#
#     moontile lua/examples/conv2d_im2col.py [small]
import sys
import tilelang
import tilelang.language as T
import torch
import torch.nn.functional as F


@tilelang.jit
def conv2d(X, W, stride, pad, dilation, BM, BN, BK):
    N, H, WD, C, KH, KW, F = T.const("N, H, WD, C, KH, KW, F")
    X: T.Tensor((N, H, WD, C), T.float16)
    W: T.Tensor((KH, KW, C, F), T.float16)
    OH = (H + 2 * pad - dilation * (KH - 1) - 1) // stride + 1
    OW = (WD + 2 * pad - dilation * (KW - 1) - 1) // stride + 1
    Y = T.empty((N, OH, OW, F), T.float16)
    pixels = N * OH * OW
    with T.Kernel(T.ceildiv(F, BN), T.ceildiv(pixels, BM), threads=128) as (bx, by):
        Xs = T.alloc_shared((BM, BK), T.float16)
        Ws = T.alloc_shared((BK, BN), T.float16)
        y = T.alloc_fragment((BM, BN), T.float32)
        Yflat = T.reshape(Y, (pixels, F))  # the same memory, one row a pixel
        nc = T.ceildiv(C, BK)
        T.clear(y)
        for step in T.Pipelined(KH * KW * nc, num_stages=2):
            kh, kw, c = step // nc // KW, step // nc % KW, step % nc * BK
            for i, j in T.Parallel(BM, BK):
                p = by * BM + i
                h = p // OW % OH * stride + kh * dilation - pad
                w = p % OW * stride + kw * dilation - pad
                Xs[i, j] = X[p // (OH * OW), h, w, c + j]  # outside: zero, the padding

            T.copy(W[kh, kw, c, bx * BN], Ws)
            T.gemm(Xs, Ws, y)

        T.copy(y, Yflat[by * BM, bx * BN])

    return Y


def check(N, H, WD, C, KH, KW, filters, stride, pad, dilation):
    x = torch.randn(N, H, WD, C, dtype=torch.float16, device="cuda")
    w = torch.randn(KH, KW, C, filters, dtype=torch.float16, device="cuda")
    y = conv2d(x, w, stride, pad, dilation, 64, 64, 64)
    want = F.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), stride=stride, padding=pad, dilation=dilation)
    torch.testing.assert_close(y, want.permute(0, 2, 3, 1), rtol=1e-2, atol=1e-1)
    print(f"{N}x{H}x{WD}x{C}, filter {KH}x{KW}x{filters}, stride {stride}/{dilation}: agrees")


def main():
    torch.manual_seed(12)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(2, 9, 11, 5, 3, 3, 7, 1, 1, 1)
        check(1, 13, 8, 3, 3, 2, 4, 2, 1, 2)
    else:
        check(4, 56, 56, 64, 3, 3, 64, 1, 1, 1)
        check(2, 57, 31, 66, 3, 5, 70, 2, 2, 1)
        check(2, 40, 40, 32, 3, 3, 48, 1, 2, 2)


if __name__ == "__main__":
    main()
