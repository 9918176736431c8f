# Tensors, shapes and dtypes as PyTorch shows them.
import torch
x=torch.arange(12,dtype=torch.float32).reshape(3,4)
print(x, repr(x)==str(x))
print(torch.tensor(3), torch.tensor([1,2]), torch.tensor([1.5,2]), torch.tensor([True,False]), torch.tensor([[1e-5,1e5]]), torch.tensor([1e10]), torch.tensor([float("nan"),float("inf"),1.]), torch.tensor([float("nan"),float("inf")]), torch.tensor([0.5,float("-inf")]))
print(torch.zeros(2,3,dtype=torch.float16), torch.ones(0), torch.zeros(2,0), torch.empty(0,3,dtype=torch.int64), torch.tensor([]), torch.tensor([],dtype=torch.int32))
print(torch.tensor([1,2],dtype=torch.int32), torch.tensor(-1.5), torch.tensor([0.,0.]), torch.tensor([1.,-1000.5]),torch.tensor([1.,1001.]),torch.tensor([100.,-1.,0.]))
print(torch.arange(2000))
print(torch.arange(2000.).reshape(40,50))
print(torch.arange(1500.).reshape(3,500))
print(torch.arange(30), torch.arange(30.)/7)
print(torch.arange(24).reshape(2,3,4))
print(torch.arange(2000).reshape(4,25,20)[:, :2, ::9])
print(x.sum(), x.max(dim=1), x.argmax())
print({"a": torch.tensor([1])}, [torch.tensor(1.)], f"{torch.tensor(1.5)}", f"{torch.tensor(1.5):.3f}", "%s" % torch.tensor([1]), "%.2f" % torch.tensor(2.0), "{:.1f}".format(torch.tensor(2)), f"{torch.tensor(7)}", f"{torch.tensor([1,2])}", f"{torch.tensor(True)}")
w=torch.tensor([1.,2.]).requires_grad_(); print(w, w*2, (w*2).sum(), torch.nn.Parameter(torch.ones(2)), w.detach(), w.data)
print(torch.tensor([0.1,0.25,100.5]), torch.tensor(0.1), torch.tensor(1/3), torch.tensor([1e-5]), torch.tensor([1e-4]), torch.tensor([12345678.,1.5]))
print(torch.ones(3,dtype=torch.bfloat16)*1.1, torch.rand(2,2,dtype=torch.float64)*0+0.3)
print(torch.zeros(30,dtype=torch.float16))
try: print(f"{torch.ones(2):.2f}")
except TypeError as e: print(e)
torch.set_printoptions(precision=2, sci_mode=False); print(torch.tensor([1/3,1e6])); torch.set_printoptions(profile="default")
import numpy as np
print(np.ones(2), x.numpy()[0])
print(list(torch.tensor([1,2])), tuple(torch.tensor([1.5])), max(torch.tensor([1,5])), sum(torch.tensor([1,2])), torch.tensor([1,2]).tolist())
x=torch.zeros(3,4,5)
print(x.shape, x.size(), x.size(0), x.size(-1), x.size(dim=1), x.shape[0], x.shape[-1], x.shape[:2], x.shape[1:], x.shape+(1,), (1,)+x.shape, x.shape==(3,4,5), (3,4,5)==x.shape, x.shape!=(3,), x.shape==torch.Size([3,4,5]), len(x.shape), list(x.shape), tuple(x.shape), x.shape.numel(), [*x.shape], isinstance(x.shape, tuple), type(x.shape), hash(x.shape)==hash((3,4,5)), {x.shape: 1}[(3,4,5)], 4 in x.shape, x.shape.index(4), torch.Size([1]), torch.Size((2,3)), torch.Size())
a,b,c = x.shape; print(a,b,c); a,*r=x.shape; print(r); print("%s %s %s" % x.shape, "{}".format(x.shape), f"{x.shape}", *x.shape)
print(torch.zeros(x.shape).shape, torch.zeros(*x.shape, 2).shape, x.reshape(x.shape[0], -1).shape, x.view(*x.shape[:-1], 5, 1).shape, torch.zeros(x.shape + (2,)).shape, x.new_zeros(x.shape).shape, torch.ones(x.size(), dtype=torch.int32).shape, x.expand(x.shape).shape, torch.randint(0,5,x.shape).shape, torch.empty(x.shape[::-1]).shape, max(x.shape), sum(x.shape), sorted(x.shape), x.shape < (4,), [s*2 for s in x.shape], x.shape[0:1]+[1] if 0 else "", torch.rand(x.shape[1:3]).shape, x[0].shape, torch.tensor(1).shape, x.sum().shape, str(x.shape))
def f(a,b,c): return a*b*c
print(f(*x.shape), dict(zip("abc", x.shape)))
import math; print(math.prod(x.shape))
try: x.shape[5]
except IndexError as e: print(e)
try: a,b = x.shape
except ValueError as e: print(e)
print(x.stride(), x.stride(0))
import tilelang, tilelang.language as T
@tilelang.jit
def k(A):
    A: T.Tensor(x.shape, T.float32)
    B = T.empty(x.shape[1:], T.float32)
    with T.Kernel(1, threads=32):
        for i, j in T.Parallel(*x.shape[1:]): B[i, j] = A[0, i, j] + A.shape[1]
    return B
import tilelang.language as T
x=torch.ones(2)
print(type(torch.float16), isinstance(torch.float16, torch.dtype), str(torch.float16), [torch.int8], f"{x.dtype} {x.dtype!r:>16}", "%s" % torch.bfloat16, str(x.dtype).split(".")[-1], x.half().dtype)
print(torch.float16 == "float16", x.dtype is torch.float32, x.dtype == torch.float32, x.dtype != torch.float16, {torch.float32: 1}[x.dtype], torch.float16.itemsize, torch.float16.is_floating_point, torch.float is torch.float32, T.float16 == torch.float16, torch.float16 == T.float16, torch.int8 in (torch.int8, torch.uint8), torch.int8 in [torch.uint8])
x = torch.ones(2)
print(torch.zeros(2, dtype=x.dtype).dtype, x.to(torch.int32).dtype, x.to(dtype=torch.int32).dtype, x.type(torch.int64).dtype,
      x.view(torch.int32).dtype, torch.finfo(torch.bfloat16).max, torch.iinfo(torch.int8).max, torch.finfo(x.dtype))
print(torch.nn.Linear(2, 2, dtype=torch.float16).weight.dtype, torch.nn.Linear(2, 2).to(torch.bfloat16).weight.dtype, T.float16.as_torch())
# a number divides as on a GPU: by its reciprocal
x = torch.arange(1, 9, dtype=torch.float32)
inv = torch.tensor(1.0) / torch.tensor(3.0)
print(torch.equal(x / 3, x * inv), torch.equal(x / torch.tensor(3.), x * inv), torch.equal(torch.div(x, 3.0), x * inv), torch.equal(x.div(3), x * inv))
y = x.clone(); y /= 3; print(torch.equal(y, x * inv), (torch.arange(8) / 3 == torch.arange(8).float() * inv).all(), (x / 0)[0], (1 / x)[2].item())
w = torch.ones(3, requires_grad=True); z = w / 3; z.sum().backward(); print(z, w.grad)
# arrays of NumPy's stay arrays
a = np.array([[1, 2], [3, 4]])
print(a.sum(), a.mean(), a.std(), a + 1, -a, a > 2, abs(a), a.T, a[0], a.max(axis=0), a.reshape(4), a @ a, a.copy(), a.shape, a.dtype)
for r in a: print(r)
print(torch.from_numpy(a), torch.ones(2).numpy() + 1)
print([v for v in torch.tensor([1, 2])], max(torch.tensor([1, 5])), sum(torch.tensor([1, 2])))
def refused(f):
    try: f()
    except Exception as e: print(type(e).__name__, e)
f = torch.tensor([1., 2., 3.])
refused(lambda: f[5]); refused(lambda: f[0, 0]); refused(lambda: f.sum(1)); refused(lambda: torch.tensor([[1], [1, 2]]))
refused(lambda: len(torch.tensor(1))); refused(lambda: list(torch.tensor(1))); refused(lambda: f + "a"); refused(lambda: f + None)
refused(lambda: f + [1, 2, 3]); refused(lambda: f < "a"); refused(lambda: f.softmax()); refused(lambda: torch.ones(2, device="cud"))
refused(lambda: f"{f:.2f}"); refused(lambda: int(f)); refused(lambda: torch.float16(1))
