# inplace=True changes the tensor that is given, and gives it back.
import torch
import torch.nn as nn
import torch.nn.functional as F


def says(what, f):
    x = torch.tensor([-1.0, 0.5, 8.0])
    r = f(x)
    print(what, x.tolist(), r is x)


says("relu", lambda x: F.relu(x, inplace=True))
says("relu, new", lambda x: F.relu(x, inplace=False))
says("hardtanh", lambda x: F.hardtanh(x, inplace=True))
says("relu6", lambda x: F.relu6(x, True))
says("threshold", lambda x: F.threshold(x, 0.6, 9.0, inplace=True))
says("leaky_relu", lambda x: F.leaky_relu(x, 0.5, inplace=True))
says("dropout", lambda x: F.dropout(x, 0.0, True, inplace=True))
says("ReLU", lambda x: nn.ReLU(inplace=True)(x))
says("ReLU, new", lambda x: nn.ReLU()(x))
says("Dropout", lambda x: nn.Dropout(0.0, inplace=True)(x))
print(nn.ReLU(inplace=True), nn.ReLU(), nn.Dropout(0.5, inplace=True), nn.SiLU(True))
t = torch.arange(6.0).view(2, 3).t()
print(nn.ReLU()(t).stride(), F.silu(t).stride(), nn.Dropout(0.0)(t).stride(), torch.ones(1).__class__ is torch.Tensor)
w = torch.ones(2, requires_grad=True)
y = w * 2
F.relu(y, inplace=True).sum().backward()
print(w.grad.tolist())
for f in lambda: F.relu(w, inplace=True), lambda: F.relu(torch.zeros(1).expand(3), inplace=True):
    try:
        print("not refused", f())
    except RuntimeError as e:
        print("refused")
