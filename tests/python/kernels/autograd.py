# torch.autograd, torch.nn, and names of modules beside them.
import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x ** 2).sum()
print(y.requires_grad, y.is_leaf, x.is_leaf, x.grad)
y.backward()
print(x.grad)
(x * 3).sum().backward()
print(x.grad)  # adds up
x.grad = None
y = x * x
y.backward(torch.tensor([1.0, 0.0, 2.0]), retain_graph=True)
y.sum().backward()
print(x.grad)

# modes
with torch.no_grad():
    print((x * 2).requires_grad, torch.is_grad_enabled())
    with torch.enable_grad():
        print((x * 2).requires_grad)
print(torch.is_grad_enabled())

@torch.no_grad()
def double(t):
    return t * 2

@torch.inference_mode
def triple(t):
    return t * 3

print(double(x).requires_grad, triple(x).requires_grad, double.__name__)
torch.set_grad_enabled(False)
print((x * 2).requires_grad)
torch.set_grad_enabled(True)

# detach, data, grad
d = x.detach()
print(d.requires_grad, d.data_ptr() == x.data_ptr(), torch.autograd.grad((x * x).sum(), x)[0], x.grad)
w = torch.randn(2, 2).requires_grad_()
print(w.requires_grad, w.requires_grad_(False).requires_grad, torch.autograd.grad(x.sum(), [x, torch.ones(1, requires_grad=True)], allow_unused=True))

# a function of one's own
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, scale):
        ctx.save_for_backward(a, b)
        ctx.scale = scale
        print("forward", ctx.needs_input_grad, torch.is_grad_enabled())
        return a * b * scale, a.long()

    @staticmethod
    def backward(ctx, g, _):
        a, b = ctx.saved_tensors
        return g * b * ctx.scale, g * a * ctx.scale, None

p, q = torch.ones(3, requires_grad=True), torch.full((3,), 2.0)
o, n = Square.apply(p, q, 5.0)
print(o.requires_grad, n.requires_grad, o.grad_fn)
(o * o).sum().backward()
print(p.grad, q.grad)

class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, g):
        return g

def refused(f):
    try:
        f()
        print("was not refused")
    except Exception as e:
        print(type(e).__name__ + ":", e)

refused(lambda: Wrong.apply(p, q).sum().backward())
refused(lambda: (p * 2).backward())
refused(lambda: q.sum().backward())
refused(lambda: torch.arange(3).requires_grad_())
refused(lambda: torch.ones(3, dtype=torch.int32, requires_grad=True))
refused(lambda: p.add_(1))
refused(lambda: p.numpy())
refused(lambda: torch.autograd.grad(q.sum(), q))
def twice():
    s = (p * p).sum()
    s.backward()
    s.backward()
refused(twice)
def changed():
    e = torch.exp(p)
    e += 1
    e.sum().backward()
refused(changed)
refused(lambda: p.logcumsumexp(0).sum().backward())
refused(lambda: torch.autograd.grad((p * p).sum(), p, create_graph=True))

# in place and indices
a = torch.zeros(2, 3)
a[0] = p
a[1, 1:] = p[:2] * 2
a.masked_fill_(a == 0, 1.0)
p.grad = None
(a * a).sum().backward()
print(p.grad)
a = p * 1
a[1:] += p[:2] * 2
a[0] *= 3
p.grad = None
a.sum().backward()
print(p.grad)
c = b = torch.zeros(3)
b += 1.5
b[1] -= 1
n = torch.arange(3)
n *= 2
print(c, n, c is b)
def into(t):
    t += 1.5
refused(lambda: into(torch.arange(3)))

# attention against its own formula: the gradient of a mean of squares
torch.manual_seed(0)
Q, K, V = (torch.randn(1, 2, 4, 8, dtype=torch.float64, requires_grad=True) for _ in range(3))
out = torch.softmax(Q @ K.transpose(-1, -2) / 8 ** 0.5, dim=-1) @ V
g = torch.randn_like(out)
out.backward(g)
one = [t.grad.clone() for t in (Q, K, V)]
for t in (Q, K, V):
    t.grad.zero_()
F.scaled_dot_product_attention(Q, K, V).backward(g)
print([torch.allclose(u, t.grad) for u, t in zip(one, (Q, K, V))])

# modules
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.first = nn.Linear(n, 4)
        self.layers = nn.ModuleList([nn.Linear(4, 4, bias=False) for _ in range(2)])
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("shift", torch.zeros(4))

    def forward(self, x):
        x = F.relu(self.first(x))
        for layer in self.layers:
            x = layer(x)
        return x * self.scale + self.shift

torch.manual_seed(1)
net = Net(3)
print([name for name, _ in net.named_parameters()], sum(p.numel() for p in net.parameters()))
print(list(net.state_dict().keys()), net.training, net.eval().training)
net(torch.randn(5, 3)).pow(2).mean().backward()
print(all(p.grad is not None and p.grad.shape == p.shape for p in net.parameters()))
net.zero_grad()
print(net.first.weight.grad, isinstance(net.scale, nn.Parameter), isinstance(net.shift, nn.Parameter), isinstance(net, nn.Module))
with torch.no_grad():
    for p in net.parameters():
        p -= 0.1 * torch.ones_like(p)
print(net.scale)
other = Net(3)
other.load_state_dict(net.state_dict())
print(torch.equal(other.first.weight, net.first.weight), net.half().scale.dtype, nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
refused(lambda: nn.Module()(1))

# results of two, with names
m = torch.tensor([[3.0, 1.0, 2.0]], requires_grad=True)
top = m.topk(2, dim=-1)
top.values.sum().backward()
print(top.indices, m.grad, torch.sort(m.detach()).values, torch.max(m.detach(), 1).indices)

# other modules
import tilelang
from tilelang import tvm
from tilelang.carver.arch import driver
from tilelang.autotuner import AutoTuner, autotune, set_autotune_inputs
from tvm import DataType, tirx
from einops import einsum
from packaging.version import parse
from tqdm import tqdm
print(DataType("bfloat16").bits, driver.get_num_sms() > 0, str(tvm.target.Target("cuda -arch=sm_90a")))
print(einsum(torch.ones(2, 3), torch.ones(3, 2), "row k, k col -> row col"), parse("1.10") > parse("1.9"), list(tqdm([1, 2])))
print(tilelang.math.next_power_of_2(33), tilelang.layout.make_swizzled_layout is not None, torch.backends.cuda.matmul.allow_tf32)
three = torch.tensor(3)
print(torch.zeros(three, 2).shape, list(range(three)), torch.ones(5)[:three].shape, torch.diff(torch.tensor([1, 4, 9])))
refused(lambda: tvm.lower)
refused(lambda: tilelang.carver.arch.CUDA("cuda"))
