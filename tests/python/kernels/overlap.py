# Results in memory that something is still read from: what PyTorch 2.9 refuses, and what it does not.
import torch

SOME, MANY = "some elements of the input tensor and the written-to", "more than one element of the written-to"


def says(what, f):
    x = torch.arange(1.0, 10.0).view(3, 3)
    try:
        f(x)
        print(what, "-", x.tolist())
    except RuntimeError as e:
        print(what, "-", "some" if SOME in str(e) else "many" if MANY in str(e) else e)


def store(x, k, v): x[k] = v
def into(x, v): x += v
def shifted(x): x = x.view(-1); x[1:] = x[:-1]
def summed(x): x = x.view(-1); x[:-1] += x[1:]
def bound(x): f = x.view(-1)[1:].add_; f(x.view(-1)[:-1])


i = torch.tensor([[0, 1, 2]])
one = torch.ones(3)
for f in shifted, summed, bound:
    says(f.__name__, f)
for what, f in {
    "x += x": lambda x: into(x, x), "x += x.view": lambda x: into(x, x.view(3, 3)), "x += x.t()": lambda x: into(x, x.t()),
    "x += x[1]": lambda x: into(x, x[1]), "x += x.max()": lambda x: into(x, x.max()),
    "x += x[2, 2]": lambda x: into(x, x[2, 2]), "evens += odds": lambda x: into(x.view(-1)[:8:2], x.view(-1)[1::2]),
    "x[0] = x[1]": lambda x: store(x, 0, x[1]), "x[:] = x[0]": lambda x: store(x, slice(None), x[0]),
    "x[:2] = x[1:]": lambda x: store(x, slice(0, 2), x[1:]), "x[...] = x": lambda x: store(x, ..., x),
    "x[:, 0] = x[0]": lambda x: store(x, (slice(None), 0), x[0]), "x[list] = x[1]": lambda x: store(x, [0, 1], x[1]),
    "x[mask] = x[0, 0]": lambda x: store(x, x > 3, x[0, 0]), "x[mask] = x[mask] + 1": lambda x: store(x, x > 3, x[x > 3] + 1),
    "copy_(x.t())": lambda x: x.copy_(x.t()), "copy_(x)": lambda x: x.copy_(x), "fill_(x[0, 1])": lambda x: x.fill_(x[0, 1]),
    "masked_fill_": lambda x: x.masked_fill_(x > 3, x[0, 0]), "clamp_": lambda x: x.clamp_(min=x[1]),
    "lerp_": lambda x: x.lerp_(x[0], 0.5), "scatter_": lambda x: x.scatter_(0, i, x), "index_add_": lambda x: x.index_add_(0, i[0], x),
    "index_copy_": lambda x: x.index_copy_(0, i[0, :1], x[1:2]), "out=x": lambda x: torch.add(x, 1, out=x),
    "out=x of a row": lambda x: torch.add(x, x[0], out=x), "exp of rows": lambda x: torch.exp(x[:2], out=x[1:]),
    "cat": lambda x: torch.cat([x[:1], x[1:]], out=x), "cumsum": lambda x: torch.cumsum(x, 0, out=x),
    "expanded +=": lambda x: into(x[:1].expand(3, 3), 1), "expanded out=": lambda x: torch.add(x, 1, out=x[:1].expand(3, 3)),
    "expanded[0] =": lambda x: store(x[:1].expand(3, 3), 0, one), "expanded[:, 0] =": lambda x: store(x[:1].expand(3, 3), (slice(None), 0), one),
    "expanded[:, 0] = 3": lambda x: store(x[:1].expand(3, 3), (slice(None), 0), 3.0), "expanded.zero_": lambda x: x[:1].expand(3, 3).zero_(),
}.items():
    says(what, f)
