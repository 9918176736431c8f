# vector_add.py: C = A + B, the smallest kernel there is.
#
# Three numbers move for each addition, so nothing but memory bandwidth
# counts: a good kernel is one whose threads read neighbouring elements in wide
# vectors.  T.Parallel says only that the elements are independent; which
# thread takes which, and how many at once, is the compiler's to choose.
# The length need not be a multiple of BLOCK: what the last block reads behind
# the end is zero, what it writes there is dropped.
#
#     moontile lua/examples/vector_add.py [small]
import sys
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def add(A, B, BLOCK):
    N = T.const("N")
    A: T.Tensor((N,), T.float32)
    B: T.Tensor((N,), T.float32)
    C = T.empty((N,), T.float32)
    with T.Kernel(T.ceildiv(N, BLOCK), threads=256) as bx:
        for i in T.Parallel(BLOCK):
            C[bx * BLOCK + i] = A[bx * BLOCK + i] + B[bx * BLOCK + i]

    return C


def check(N):
    a = torch.randn(N, dtype=torch.float32, device="cuda")
    b = torch.randn(N, dtype=torch.float32, device="cuda")
    # one rounded addition, half an ulp: 2^-24 of the sum
    torch.testing.assert_close(add(a, b, 4096), a + b, rtol=2**-24, atol=0)
    print(f"{N} numbers: agrees")


def main():
    torch.manual_seed(3)
    if len(sys.argv) > 1 and sys.argv[1] == "small":
        check(1)
        check(4097)
    else:
        check(1 << 24)
        check((1 << 24) - 3)


if __name__ == "__main__":
    main()
