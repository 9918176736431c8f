# What PyTorch does where one would guess otherwise: narrow integers, NaN, arguments in another order, strides, dtypes.
import math
import torch
import torch.nn.functional as F


def refused(f):
    try:
        print("done", f())
    except (RuntimeError, TypeError, ValueError) as e:
        print(type(e).__name__)


x = torch.tensor([[1.0, -2.0], [3.0, -4.0]])
u = torch.tensor([1, 8, 200], dtype=torch.uint8)
big = torch.tensor([2**62 + 1, -9223372036854775807])

# where as a method has the tensor behind the condition
print(x.where(x > 0, torch.zeros_like(x)), x.where(x > 0, 7.0))

# numbers and tensors without dimensions go around in a narrow integer
print(u > -1, 300 >= u, u % -1, u // torch.tensor(-3), u == 264, torch.where(u > 3, u, -1))
print(torch.tensor([3, -3], dtype=torch.int16) < torch.tensor(2**40))
print(u.clamp_min(-3), u.clamp(max=-1))

# those of a wider float are rounded for a power and a remainder
print(torch.tensor([-4.0], dtype=torch.float16) ** torch.tensor(-98.03), torch.tensor([-3.32], dtype=torch.bfloat16) % torch.tensor(-62.73))

# floats as integers: towards zero, then around
f = torch.tensor([3.7, -3.0, 300.0, -200.0, 70000.0])
print(f.to(torch.int8), f.to(torch.uint8), f.to(torch.int16), f.to(torch.int32))
u[0] = torch.tensor(-2.5)
print(u, torch.tensor([float("nan")]).to(torch.int64))

# integers of 64 bits stay exact
print(torch.fmin(big, torch.tensor(-6)), torch.fmax(big, torch.tensor(2**62)), big.masked_fill(big < 0, -1.5), big.masked_fill(big > 0, 2.9))

# dtypes of results
print(u.any(), u.all(0, keepdim=True), torch.tensor([True]).square(), torch.tensor([[]]), torch.tensor([[], []]).dtype)
print(torch.einsum("ij->", torch.tensor([[1, 2]], dtype=torch.int32)).dtype, torch.einsum("ij->ji", torch.ones(1, 2, dtype=torch.int8)).dtype)
print(torch.result_type(u, 1.0), torch.promote_types(torch.int32, torch.uint8), torch.can_cast(torch.float32, torch.int64), u.nbytes, big.itemsize)
print(torch.cat([torch.tensor([]), torch.tensor([], dtype=torch.int32)]).dtype, len(torch.chunk(torch.ones(2, 0), 3, 1)))

# NaN
nan = float("nan")
print(torch.clamp(f, 1.0, nan), f.clamp(min=nan), math.copysign(1, nan), torch.signbit(torch.tensor(nan)), f[:2].copysign(torch.tensor(nan)))
n = torch.tensor([[1.0, nan, 3.0], [2.0, 5.0, 4.0]])
print(n.median(), n.median(1), torch.tensor(3.0).median(-1))

# factors of integers are integers
i = torch.tensor([[1, 2], [3, 4]])
print(torch.addmm(i, i, i, beta=2, alpha=0.5), torch.zeros(2, dtype=torch.int32).scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([-5, -6], dtype=torch.int32), "mean"))

# strides of new dimensions
t = torch.zeros(3, 5, 2)
print(t.unsqueeze(0).stride(), t.unsqueeze(-1).stride(), t.unsqueeze(1).stride(), t[:, None, ..., None].stride(), t[0, 0].expand(1, 4, 1, 2).stride())

# what is refused
refused(lambda: torch.maximum(x, 1))
refused(lambda: x.logical_and(True))
refused(lambda: F.gelu(i))
refused(lambda: F.softplus(i))
refused(lambda: torch.add(x, x, out=torch.zeros(2, 2, dtype=torch.int32)))
refused(lambda: torch.arange(3, 0))
refused(lambda: torch.meshgrid(i[0], x[0], indexing="ij"))
refused(lambda: torch.argmax(x > 0))
refused(lambda: i.float().mean(dtype=torch.int32))


def put():
    x[torch.tensor([0])] = torch.tensor([1.0], dtype=torch.float64)


refused(put)
x[x < -3] = torch.tensor(9.0, dtype=torch.float64)
x[0] = torch.tensor(5)
print(x)
for method in ["stack", "zeros", "softplus", "einsum", "conv2d"]:
    print(method, hasattr(x, method))

# numbers beside halves: rounded for a power and a remainder; a number over a tensor is its reciprocal times the number
h = torch.tensor([-3.7, 0.101, 3.3, 1000.1, 0.37], dtype=torch.float16)
print((2 / h).tolist(), (3 / torch.tensor([7, 3])).tolist(), (h.abs() ** 3.3333).tolist(), (3.3333 ** h).tolist(), (1e10 ** h).tolist())
print((h % 0.7).tolist(), (0.7 % h).tolist(), h.fmod(0.7).tolist(), (3.3333 // h).tolist())
