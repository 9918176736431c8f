# Triton's names beside kernels; a kernel of its own is refused where it is launched.
import torch
try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None


@triton.autotune(configs=[triton.Config({"B": 64}, num_warps=4)], key=["n"])
@triton.jit
def add(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit(do_not_specialize=["n"])
def other(x, n: tl.int32):
    pass


print(tl.constexpr(3), tl.constexpr("ieee").value)
print(triton.cdiv(10, 3), triton.next_power_of_2(100), triton.next_power_of_2(64), add, other)
print(triton.testing.do_bench(lambda: torch.zeros(4), warmup=1, rep=2) >= 0)
x = torch.ones(100)
print(x.numpy()[3], set(torch.tensor([1, 1, 2]).numpy()), x.numpy().shape)
for f in lambda: add[(2,)](x, x, 100), lambda: other[(1, 1)](x, 100), lambda: tl.load(x), lambda: tl.nonsense:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
add[(triton.cdiv(100, 64),)](x, x, 100, B=64)
