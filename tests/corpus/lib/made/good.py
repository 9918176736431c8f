import argparse
import torch
import tilelang
import tilelang.language as T


@tilelang.jit
def double(A, block):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
        for i in T.Parallel(block):
            B[bx * block + i] = A[bx * block + i] * 2
    return B


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=1 << 14)
    a = torch.randn(parser.parse_args().n, device="cuda")
    for block in (128, 256):
        torch.testing.assert_close(double(a, block), a * 2)
    assert double(a, 128).sum() == (a * 2).sum()
