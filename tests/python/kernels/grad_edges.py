# Derivatives where something is 0, NaN, equal, at a bound, or written over: PyTorch's.
import torch
import torch.nn.functional as F


def grads(f, *values):
    leaves = [torch.tensor(v, requires_grad=True) for v in values]
    f(*leaves).sum().backward()
    print([t.grad for t in leaves])


nan = float("nan")
grads(lambda x, y: torch.acosh(torch.minimum(x, y)), [-1.5, 0.6, 2.0], [0.6, 0.4, 2.0])
grads(torch.maximum, [1.0, nan, 3.0, 2.0], [1.0, 5.0, nan, 4.0])
grads(torch.max, [1.0, 2.0, 3.0], [1.0, 5.0, 0.0])
grads(torch.fmax, [1.0, nan, 3.0, 2.0], [1.0, 5.0, nan, 4.0])
grads(torch.fmin, [1.0, nan, 3.0, 2.0], [1.0, 5.0, nan, 4.0])
grads(lambda x: torch.log(F.relu(x)), [-1.0, 0.0, 2.0])
grads(torch.xlogy, [0.0, 0.0, 2.0], [3.0, 0.0, 0.5])
grads(lambda x: x.norm(), [0.0, 0.0])
grads(lambda x: F.normalize(x, dim=0), [0.0, 0.0])
grads(lambda x: x.std(), [2.0, 2.0])
grads(torch.copysign, [0.0, -2.0, 3.0], [-1.0, 1.0, -1.0])
grads(lambda x, y: torch.lerp(x, y, 0.25), [1.0, 2.0], [3.0, -4.0])
grads(torch.lerp, [1.0, 2.0], [3.0, -4.0], [0.1, 0.9])
for f in [F.relu6, F.hardtanh, F.hardswish, F.hardsigmoid, F.selu, F.celu]:
    grads(f, [-3.0, -1.0, 0.0, 1.0, 3.0, 6.0])
grads(lambda x: x.sum().max(0)[0], [1.0, 2.0])
grads(lambda x: x.sum().topk(1).values, [1.0, 2.0])


def over(change):
    def f(x):
        w = x * 1
        change(w)
        print(w.requires_grad)
        return w

    return f


grads(over(lambda w: w.zero_()), [1.0, 2.0])
grads(over(lambda w: w.fill_(3.0)), [1.0, 2.0])
grads(over(lambda w: w.copy_(torch.ones(2))), [1.0, 2.0])
