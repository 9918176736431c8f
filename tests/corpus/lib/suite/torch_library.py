# torch_library.py: torch.library without a dispatcher: an operator is the function that defines it.


class Operator:
    def __init__(self, f):
        self.f = f
        self.__name__ = f.__name__

    def __call__(self, *args, **kwargs):
        return self.f(*args, **kwargs)

    def register_fake(self, f):
        return f

    def register_autograd(self, f, setup_context=None):
        return f

    def register_kernel(self, device_types=None):
        return lambda f: f


def custom_op(name, f=None, mutates_args=(), device_types=None, schema=None):
    return Operator(f) if f is not None else Operator


def register_fake(op, f=None):
    return f if f is not None else (lambda g: g)


register_autograd = register_fake
impl = register_fake


def opcheck(*args, **kwargs):
    return None
