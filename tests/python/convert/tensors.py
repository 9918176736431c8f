# Tensors: torch's functions are tl's; indices are from 0 in both.
import torch
import torch.nn.functional as F

M, K = 4, 8
torch.manual_seed(0)
a = torch.randn(M, K, dtype=torch.float16, device="cuda")
b = torch.randn((K, M), device="cuda", dtype=torch.float16)
z = torch.zeros(3)
o = torch.ones([2, 2], dtype=torch.int32)
f = torch.full((2,), 1.5)
r = torch.arange(5)
s = torch.arange(1, 5, dtype=torch.int32)
u = torch.randint(0, 10, (4,), dtype=torch.int32)
w = torch.randint(10, (4,))
t = torch.tensor([[1, 2], [3, 4]], dtype=torch.float32)
shape = a.shape
print(shape[0], a.shape[1], a.shape[-1], len(a.shape), a.dtype)
m, k = a.shape
print(m, k, t[0, 1].item(), t[1, 0].item(), t.T[0, 1].item())
c = a @ b
d = torch.relu(c) + 1
e = F.softmax(c.float(), dim=-1)
g = c.sum(dim=1, keepdim=True)
mask = t > 2
like = torch.zeros_like(a)
torch.testing.assert_close(a @ b, torch.matmul(a, b), rtol=1e-2, atol=1e-2)
print((c - c).abs().max().item(), torch.allclose(c, c), e.sum(dim=1).shape[0], mask[1, 1].item())
rows = t[0:1, :]
print(rows.shape[0], like.shape[0], z.shape[0], o[1, 1].item(), f[0].item(), r[4].item(), s[0].item())


def reference(x: torch.Tensor, sizes: list):
    return x[0, 1].item() + sizes[0]


print(reference(t, [7]), u.shape[0], w.shape[0], g.shape[1], d.shape[0])
