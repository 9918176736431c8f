# torch, as far as host code of TileLang's examples needs it.
import torch
import tilelang
a = torch.arange(12, dtype=torch.float32).reshape(3, 4)
print(a[1, 2], a[:, None].shape, a[..., 0].shape, a[::2, 1:3].shape, a[-1].shape, a[a > 5].shape)
a[0, :] = 7
a[a > 8] = 0
print(a, a.sum(), a.sum().item(), float(a[0, 0]), a.device, a.dtype, a.shape, a.size(0), a.T.shape)
torch.manual_seed(1)
b = torch.randn(4, 5, device="cuda", dtype=torch.float16)
print((a.half() @ b).shape, torch.einsum("ij,jk->ik", a, b.float()).shape, torch.nn.functional.softmax(a, dim=-1).sum())
print(tilelang.TensorSupplyType.Normal, torch.cat([a, a], dim=0).shape, torch.where(a > 1, a, torch.zeros_like(a)).sum())
x, i = torch.max(a, dim=1)
print(x, i, a.max().item(), torch.tensor([1, 2, 3]), torch.tensor([[1.5]]).dtype)
try:
    torch.nosuch(a)
except AttributeError as e:
    print(e)
print(torch.randn(2, 2, requires_grad=True).requires_grad)
try:
    torch.testing.assert_close(a, a + 1)
except Exception as e:
    print(type(e).__name__)
