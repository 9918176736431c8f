# torch.nn's modules as PyTorch shows them; True and False beside tensors; out=.
import torch, torch.nn as nn
for m in (nn.Linear(2, 3, bias=False), nn.LayerNorm(4), nn.LayerNorm((2, 3), eps=1e-6), nn.Embedding(10, 3), nn.Dropout(0.1), nn.ReLU(), nn.GELU(), nn.SiLU(), nn.Softmax(dim=-1), nn.Sequential(nn.Linear(1, 2), nn.ReLU()), nn.ModuleList([nn.ReLU()]), nn.Identity(), nn.RMSNorm(4), nn.Sigmoid(), nn.Tanh()):
    print(m)
class A(nn.Module):
    def __init__(self): super().__init__(); self.l = nn.ModuleList([nn.Linear(1, 1) for _ in range(2)])
    def extra_repr(self): return "k=3"
    def forward(self, x):
        for l in self.l: x = l(x)
        return x
print(A()); print(type(A()).__name__, isinstance(A(), nn.Module))
class B(nn.Module): pass
try: B()(1)
except NotImplementedError as e: print(e)
try: nn.Linear(2, 3)(torch.ones(4))
except RuntimeError as e: print("RuntimeError")
class C(nn.Module):
    def __init__(self): self.w = nn.Parameter(torch.ones(1))
try: C()
except AttributeError as e: print(e)
def t(name, f):
    try: print(name, f())
    except Exception as e: print(name, "!", type(e).__name__, str(e)[:110])
b = torch.tensor([True, False])
t("b", lambda: (True & b, b & True, b | False, b ^ True, b + True, True + b, b * True, b == True, b != False, b < True, torch.tensor([1, 2]) + True, torch.tensor([1.5]) * True, True * torch.tensor([1, 2]), b / True, torch.tensor([5]) & True))
t("b-", lambda: b - True)
t("where1", lambda: torch.where(b)); t("nz", lambda: b.nonzero(as_tuple=True)); t("split", lambda: torch.arange(4).split(2)); t("chunk", lambda: torch.arange(4).chunk(2)); t("unbind", lambda: torch.arange(2).unbind()); t("mesh", lambda: torch.meshgrid(torch.arange(2), torch.arange(2), indexing="ij")); t("bt", lambda: torch.broadcast_tensors(torch.ones(2, 1), torch.ones(1, 2))); t("aminmax", lambda: torch.arange(3).aminmax()); t("tolist", lambda: torch.ones(2, 2).tolist())
t("out=", lambda: torch.add(torch.ones(2), torch.ones(2), out=torch.empty(2)))
def outp():
    o = torch.empty(2); r = torch.mul(torch.ones(2), 3, out=o); return o, r is o
t("out2", outp); t("outbad", lambda: torch.mul(torch.ones(2), 3, out=torch.empty(3))); t("matmul out", lambda: torch.matmul(torch.ones(2, 2), torch.ones(2, 2), out=torch.empty(2, 2)))
y = torch.zeros(3); y[torch.tensor([0, 0])] += 1; y[torch.tensor([True, False, True])] *= 5; print(y)
y = torch.zeros(2, 3); y[:, 0:2] = torch.tensor([1., 2.]); y[1] += 1; y[..., -1] -= 2; print(y)
y = torch.arange(6).reshape(2, 3); y[y > 3] = 0; y[[0, 1], [0, 1]] = 9; print(y); y[0, 1:] = torch.tensor([7.9, 8.1]); print(y)
a, c = torch.ones(2), torch.ones(2); a2 = a; a += c; print(a2, a2 is a); a = a + c; print(a2 is a)
w = torch.tensor([2., 3.], requires_grad=True)
