# torch.nn's norms of channels and the layers that are one function each; names of tilelang.env.
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
x = torch.randn(2, 6, 5)


def norm(v, eps=1e-5):
    v = v.flatten()
    d = v - v.mean()
    return d / torch.sqrt((d * d).mean() + eps)


want = torch.stack([torch.stack([norm(x[n, g * 2:g * 2 + 2]) for g in range(3)]) for n in range(2)]).reshape(x.shape)
w, b = torch.randn(6), torch.randn(6)
print(torch.allclose(F.group_norm(x, 3), want, atol=1e-5))
print(torch.allclose(F.group_norm(x, 3, w, b), want * w.reshape(1, 6, 1) + b.reshape(1, 6, 1), atol=1e-5))
print(torch.allclose(F.group_norm(x.half(), 3).float(), want, atol=1e-2), F.group_norm(x.half(), 3).dtype)
print(torch.allclose(F.instance_norm(x)[1, 4], norm(x[1, 4]), atol=1e-5))
m, v = torch.zeros(6), torch.ones(6)
y = F.batch_norm(x, m, v, training=True)
print(torch.allclose(y[:, 2], norm(x[:, 2]).reshape(2, 5), atol=1e-5))
print(torch.allclose(m, x.mean((0, 2)) * 0.1, atol=1e-6), torch.allclose(v, 0.9 + 0.1 * x.transpose(0, 1).reshape(6, -1).var(1), atol=1e-5))
print(torch.allclose(F.batch_norm(x, m, v), (x - m.reshape(1, 6, 1)) / torch.sqrt(v.reshape(1, 6, 1) + 1e-5), atol=1e-5))
g = nn.GroupNorm(3, 6)
print(g, torch.allclose(g(x), want, atol=1e-5), [n for n, p in g.named_parameters()])
bn = nn.BatchNorm1d(6)
print(bn, torch.allclose(bn(x), y, atol=1e-5), sorted(n for n, p in bn.named_buffers()))
bn.eval()
print(torch.allclose(bn(x), F.batch_norm(x, m, v), atol=1e-5))
x.requires_grad_()
F.group_norm(x, 3, w, b).pow(2).sum().backward()
print(x.grad.shape, bool(torch.isfinite(x.grad).all()))
t = torch.tensor([-4.0, -0.3, 0.2, 3.0])
for f in (nn.LeakyReLU(0.1), nn.ELU(), nn.SELU(), nn.CELU(), nn.Mish(), nn.Hardswish(), nn.Hardsigmoid(), nn.Hardtanh(), nn.ReLU6(),
          nn.Threshold(0.1, 20), nn.Softplus(), nn.Softsign(), nn.Tanhshrink(), nn.Hardshrink(), nn.Softshrink(), nn.LogSoftmax(dim=0),
          nn.PReLU(), nn.Flatten(0)):
    print(f, f(t).tolist() if not isinstance(f, (nn.Mish, nn.SELU)) else "")
p, q = torch.tensor([0.3, 0.8]), torch.tensor([0.0, 1.0])
for loss in (nn.SmoothL1Loss(), nn.HuberLoss(), nn.BCELoss(), nn.BCEWithLogitsLoss(), nn.KLDivLoss(reduction="sum")):
    print(type(loss).__name__, round(loss(p, q).item(), 4))
print(round(nn.NLLLoss()(torch.tensor([[-0.1, -2.0]]), torch.tensor([1])).item(), 4))
with sdpa_kernel(SDPBackend.MATH):
    s = F.scaled_dot_product_attention(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    print(s.shape)
import tilelang
from tilelang.env import env
print(tilelang.env is env, tilelang.env.TILELANG_CACHE_DIR.endswith("cache"), env.TILELANG_TMP_DIR.startswith(env.TILELANG_CACHE_DIR))
try:
    F.group_norm(torch.ones(2, 5, 3), 2)
except RuntimeError as e:
    print(e)
