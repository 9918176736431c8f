# What programs for PyTorch do and tl.host does not ask of: state of modules, norms of gradients, dtypes that are texts.
import torch
import torch.nn as nn

w = nn.Linear(2,2); w.weight.data.fill_(3); w.bias.data.fill_(1); w(torch.ones(1,2)).sum().backward()
print(nn.utils.clip_grad_norm_(w.parameters(), 1.0), w.weight.grad, nn.utils.clip_grad_norm_(w.parameters(), 10.)); nn.utils.clip_grad_value_(w.parameters(), 0.1); print(w.bias.grad)
print(w.load_state_dict(w.state_dict()), w.load_state_dict({}, strict=False))
for sd in ({}, {**w.state_dict(), "x": torch.ones(1)}, {"weight": torch.ones(3,2), "bias": torch.ones(2)}):
    try: w.load_state_dict(sd)
    except RuntimeError as e: print(e)
with torch.autocast("cuda", enabled=False): print((torch.ones(1)*2).dtype, torch.is_autocast_enabled())
r = torch.arange(6.0).aminmax()
print(r, r.min, r[1])
for f in (lambda: torch.empty(2, dtype="float32"), lambda: torch.ones(2).to("float16"), lambda: torch.ones(2).to(dtype="float16"),
          lambda: torch.arange(3, dtype="int32"), lambda: torch.tensor([1.0], dtype="float64"), lambda: torch.ones(2) + None):
    try:
        print("not refused", f())
    except (TypeError, RuntimeError) as e:
        print(type(e).__name__)
try:
    with torch.autocast("cuda", dtype=torch.float16):
        print("converts")
except NotImplementedError as e:
    print(e)
b = torch.tensor([True, False])
print(f"{b[0]:.2f} {b[0]:d} {b[0]:>7}|", "{:.1f}".format(b[0]), "%d %.1f" % (b[0], b[0]))
for f in (lambda: b.abs(), lambda: b.floor(), lambda: b.relu(), lambda: torch.add(torch.arange(3), 1, alpha=0.5),
          lambda: torch.sub(torch.arange(3), torch.ones(3), alpha=0.5), lambda: torch.arange(3).sub(1, alpha=2)):
    try:
        print(f().tolist())
    except RuntimeError as e:
        print("refused")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.ones(2))
        self.register_buffer("kept", torch.zeros(1))
        self.register_buffer("cache", torch.zeros(1), persistent=False)
        self.inner = nn.Linear(1, 1)


n = Net()
print(list(n.state_dict()), [k for k, _ in n.named_buffers()], n.load_state_dict(n.state_dict()))
