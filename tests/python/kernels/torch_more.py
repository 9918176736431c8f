# Functions of PyTorch's that are a few of its others.
import torch
import torch.nn.functional as F

x = torch.tensor([[0.5, -1.0, 2.0], [4.0, -3.5, 7.0], [0.25, 1.0, -8.0]])
y = torch.tensor([[1.0, 0.0, 2.0], [0.5, -3.5, 1.0], [0.0, 1.0, 1.0]])
i = torch.tensor([3, 3, 1, 1, 1, 2])
print(torch.numel(x), x.is_signed(), torch.tensor([1], dtype=torch.uint8).is_signed(), torch.scalar_tensor(2), torch.positive(i))
print(torch.atleast_1d(torch.tensor(1)), torch.atleast_2d(i).shape, torch.atleast_3d(i).shape, torch.atleast_3d(x).shape)
print(torch.dstack([i, i]).shape, torch.column_stack([i, i, i]))
print(torch.tensor_split(i, 4), x.tensor_split((1, -1), dim=1))
print(torch.block_diag(torch.tensor([1, 2]), torch.tensor([[3], [4]])), torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4, 5])))
print(i.unique_consecutive(), torch.unique_consecutive(i, return_inverse=True, return_counts=True))
print(torch.trace(x), torch.inner(x, y), torch.matrix_power(x, 3), torch.matrix_power(x, 0), torch.cdist(x, y))
for f in [F.relu6, F.hardtanh, F.hardswish, F.hardsigmoid, F.softsign, F.tanhshrink, F.selu, F.celu]:
    print(f(x))
print(F.hardtanh(x, -2, 3), F.threshold(x, 0.5, -1.0), F.huber_loss(x, y), F.huber_loss(x, y, reduction="sum", delta=2.0))
p = torch.sigmoid(y)
print(F.binary_cross_entropy(torch.sigmoid(x), p), F.binary_cross_entropy(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 1.0]), reduction="none"))
print(F.pairwise_distance(x, y))
w = x.clone().requires_grad_(True)
(F.celu(w).sum() + torch.trace(w @ w) + F.huber_loss(w, y)).backward()
print(w.grad)
