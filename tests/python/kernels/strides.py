# Results have the order of dimensions that PyTorch's have: copies of transposed tensors are transposed.
import torch
import torch.nn.functional as F

x = torch.arange(24.0).view(2, 3, 4)
forms = {"plain": x, "permuted": x.permute(2, 0, 1), "t": torch.arange(12.0).view(3, 4).t(), "every other": x[:, ::2],
         "expanded": torch.arange(3.0).view(3, 1).expand(3, 4), "a row more": torch.arange(12.0).view(3, 4).t().unsqueeze(1)}
operators = {
    "clone": lambda v: v.clone(), "contiguous clone": lambda v: v.clone(memory_format=torch.contiguous_format),
    "zeros_like": torch.zeros_like, "randn_like": torch.randn_like, "half": lambda v: v.half(), "to": lambda v: v.to(torch.float64),
    "to copy": lambda v: v.to(v.dtype, copy=True), "neg": lambda v: -v, "mul": lambda v: v * 2, "div": lambda v: v / 3, "rsub": lambda v: 1 - v,
    "product": lambda v: v * v, "mixed": lambda v: v + v.contiguous(), "the other way": lambda v: v.contiguous() + v,
    "a row": lambda v: v + torch.ones(v.shape[-1]), "gt": lambda v: v > 1, "where": lambda v: torch.where(v > 1, v, 0.0), "gelu": F.gelu,
    "clamp": lambda v: v.clamp(0, 1), "masked_fill": lambda v: v.masked_fill(v > 1, 0), "softmax": lambda v: v.softmax(-1),
    "sum": lambda v: v.sum(0), "sort": lambda v: v.sort(-1).values, "indices": lambda v: v.sort(-1).indices, "flip": lambda v: v.flip(0),
    "cumsum": lambda v: v.cumsum(-1), "cat": lambda v: torch.cat([v, v]), "diff": lambda v: v.diff(dim=0), "bool": lambda v: ~(v > 1),
}
for name, v in forms.items():
    print(name, v.stride())
    for what, f in operators.items():
        r = f(v)
        print("   ", what, r.stride(), r.is_contiguous(), round(r.double().sum().item(), 3) if what != "randn_like" else "")
for f in lambda v: v.clone().view(-1), lambda v: (v * 2).view(-1), lambda v: (v * 2).reshape(-1), lambda v: (v + 1).contiguous().view(-1):
    try:
        print(f(forms["t"]).tolist())
    except RuntimeError as e:
        print("refused")
w = forms["t"].clone().requires_grad_()
(w * w + w.t().exp().t()).sum().backward()
print(w.grad.sum().item() == (2 * w + w.exp()).sum().item(), w.t().clone()[1].tolist())

# Large tensors are copied and computed on a device; their results are laid as those of small ones are, again and again.
small, large = torch.arange(12.0).view(3, 4).t(), (torch.arange(300 * 400.0) % 251 - 100).view(300, 400).t()
for _ in range(2):
    for what, f in operators.items():
        a, b = f(small), f(large)
        if a.is_contiguous() != b.is_contiguous():
            print("large", what, a.stride(), b.stride())
        if what not in ("randn_like", "sort", "indices") and not torch.allclose(b.float(), f(large.contiguous()).float(), equal_nan=True):
            print("large", what, "has other values")
big = large.clone().requires_grad_()
(torch.exp(big / 100) * 2).sum().backward()
print(torch.allclose(big.grad, torch.exp(large / 100) / 50), (large * 2).stride(), (large == 0).sum().item() == (large.contiguous() == 0).sum().item())
