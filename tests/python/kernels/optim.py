# torch.optim: SGD, Adam, AdamW, step by step.
import torch
import torch.nn as nn


def run(make, closure=False):
    w = torch.tensor([[0.5, -1.0], [2.0, 3.0]], requires_grad=True)
    b = torch.tensor([0.1, -0.2], requires_grad=True)
    x = torch.tensor([[1.0, 2.0], [0.5, -1.5], [3.0, 0.25]])
    opt = make(w, b)

    def loss():
        opt.zero_grad()
        r = ((x @ w + b).tanh() ** 2).sum() + (w * w * 0.1).sum()
        r.backward()
        return r

    for k in range(5):
        if closure:
            r = opt.step(loss)
        else:
            r = loss()
            opt.step()
        if k == 2:
            for g in opt.param_groups:
                g["lr"] *= 0.5
        print("%.4f" % r.item())
    print(w, b, w.grad is None)


SGD, Adam, AdamW = torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW
run(lambda w, b: SGD([w, b], lr=0.1))
run(lambda w, b: SGD([w, b], 0.1, momentum=0.9), closure=True)
run(lambda w, b: SGD((p for p in (w, b)), lr=0.1, momentum=0.9, dampening=0.5, weight_decay=0.1))
run(lambda w, b: SGD([w, b], lr=0.1, momentum=0.9, nesterov=True))
run(lambda w, b: SGD([w, b], lr=0.01, maximize=True))
run(lambda w, b: Adam([w, b], lr=0.1))
run(lambda w, b: Adam([w, b], lr=0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.05, amsgrad=True))
run(lambda w, b: AdamW([{"params": [w], "lr": 0.3}, {"params": b, "weight_decay": 0.5}], lr=0.1))
m = nn.Linear(2, 1)
opt = AdamW(m.parameters())
before = m.weight.detach().clone()
m(torch.ones(1, 2)).sum().backward()
opt.step()
print(torch.allclose(m.weight, before * (1 - 1e-5) - 1e-3), opt.param_groups[0]["betas"], isinstance(opt, torch.optim.Optimizer))
opt.zero_grad(set_to_none=False)
print(m.weight.grad)
opt.zero_grad()
print(m.weight.grad)
for wrong in [lambda: SGD([], lr=0.1), lambda: SGD([m.weight * 2], lr=0.1), lambda: Adam([1.0]), lambda: SGD(m.parameters(), lr=-1.0)]:
    try:
        wrong()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
