# A reference that would take minutes, and what a program does with its result.
import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[-1])
def copy(N, threads):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), B: T.Tensor((N, N), "float16")):
        with T.Kernel(T.ceildiv(N, 128), T.ceildiv(N, 128), threads=threads) as (bx, by):
            s = T.alloc_shared((128, 128), "float16")
            T.copy(A[by * 128, bx * 128], s)
            T.copy(s, B[by * 128, bx * 128])
    return main


def report(name, f):
    try:
        print(name, f())
    except BaseException as e:
        print(name, "refused:", str(e).splitlines()[0])


N = 16384
offsets = torch.cumsum(torch.tensor([32, 64, 32], dtype=torch.int32), 0)
a = torch.randn(N, N, dtype=torch.float16).requires_grad_()
b = copy(N, int(offsets[-1]))(a)
want = torch.softmax((a.float() @ a.float().T), dim=-1)
want.backward(torch.ones_like(want))
worst = (b - want).abs().max()
print("small", offsets, offsets.max().item() * 2, offsets.tolist())
print("large", b, want.shape, want.dtype, a.grad.shape)
print(f"printed {worst:.3f} {worst.item():.4e} {float(worst)} {worst}")
assert worst < 1e-2, "nothing is compared"
torch.testing.assert_close(b.float(), want)
part = torch.zeros(4, 4)
part[0] = b[0, :4]
for name, f in {
    "condition": lambda: 1 if worst.item() < 1e-2 else 2, "list": lambda: want[0].tolist()[3:5],
    "integer": lambda: int(worst), "mask": lambda: want[want > 0], "places": lambda: torch.nonzero(b),
    "range": lambda: list(range(want[0, 0].long())), "of a part": lambda: part.tolist(),
    "index": lambda: part[b[0, 0].long()], "set": lambda: set(want[0]), "close": lambda: torch.allclose(b.float(), want), "equal": lambda: torch.equal(b, want), "sorted": lambda: torch.sort(want[0])[0].shape,
    "gathered": lambda: want[torch.tensor([1, 2])].shape, "scattered": lambda: want.scatter(1, torch.zeros(2, 2).long(), 1).shape,
}.items():
    report(name, f)
if worst > 1:
    print("never")
