# Pooling against a loop over windows; where it is undecided, PyTorch's rules.
import itertools, math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)


def plain(x, k, s, p, ceil, kind, padded=True):
    n = len(x)
    room = n + 2 * p - k
    count = (-(-room // s) if ceil else room // s) + 1
    if ceil and (count - 1) * s >= n + p:
        count -= 1
    out = []
    for i in range(count):
        lo = i * s - p
        hi = min(lo + k, n + p)
        size = hi - lo
        inside = x[max(lo, 0):min(hi, n)]
        out.append(max(inside) if kind == "max" else sum(inside) / (size if padded else len(inside)))
    return out


bad = 0
for n, k, s, p, ceil in itertools.product((5, 8, 9), (2, 3), (1, 2, 3), (0, 1), (False, True)):
    x = torch.randn(1, 1, n)
    line = x[0, 0].tolist()
    for got, want in ((F.max_pool1d(x, k, s, p, ceil_mode=ceil), plain(line, k, s, p, ceil, "max")),
                      (F.avg_pool1d(x, k, s, p, ceil), plain(line, k, s, p, ceil, "avg")),
                      (F.avg_pool1d(x, k, s, p, ceil, False), plain(line, k, s, p, ceil, "avg", False))):
        if list(got.shape) != [1, 1, len(want)] or not torch.allclose(got[0, 0], torch.tensor(want), atol=1e-5):
            bad += 1
            print(n, k, s, p, ceil, got, want)
print("wrong:", bad)
x = torch.arange(36, dtype=torch.float32).reshape(1, 1, 6, 6)
print(F.max_pool2d(x, 2), F.max_pool2d(x, (2, 3), stride=(3, 2), padding=(1, 0)).shape, F.max_pool2d(x, 2, dilation=2, stride=1).shape)
print(F.avg_pool2d(x, 3), F.avg_pool2d(x, 2, divisor_override=1)[0, 0, 0, 0].item(), F.max_pool3d(torch.ones(1, 4, 4, 4), 2).shape)
print(F.adaptive_avg_pool2d(x, (1, 3)), F.adaptive_max_pool1d(x[0, 0], 4)[0].tolist(), F.adaptive_avg_pool2d(x, (None, 2)).shape)
y = torch.tensor([[[1.0, 3.0, 3.0, 0.0, float("nan"), 2.0]]], requires_grad=True)
m = F.max_pool1d(y, 3)
print(m)
m[0, 0, 0].backward()
print(y.grad)
print(F.avg_pool1d(torch.full((1, 1, 4), 2049.0).half(), 2))
print(nn.MaxPool2d(2), nn.AvgPool2d(3, 1, 1), nn.AdaptiveAvgPool2d((1, 1)), nn.MaxPool2d(3, stride=1)(x).shape, nn.AvgPool2d(2)(x).shape)
for f in lambda: F.max_pool1d(y, 2, padding=2), lambda: F.max_pool1d(y, 9), lambda: F.max_pool2d(y[0, 0], 2):
    try:
        f()
    except RuntimeError as e:
        print(e)
