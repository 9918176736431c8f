# A float is no extent, index or size, not even 4.0: Python's / gives one.
import tilelang, torch, tilelang.language as T


def refused(name, f):
    try:
        print(name, "no error", f())
    except Exception as e:
        print(name, type(e).__name__, e)


def kernel(body, blocks=1):
    @tilelang.jit
    def k(A):
        A: T.Tensor((8,), T.float32)
        with T.Kernel(blocks, threads=32):
            body(A)
    return lambda: k(torch.zeros(8))


@T.macro
def serial(A):
    for i in T.serial(8 / 2):
        A[i] = 1


@T.macro
def parallel(A):
    for i in T.Parallel(8 / 2):
        A[i] = 1


@T.macro
def shared(A):
    s = T.alloc_shared((8 / 2,), T.float32)
    s[0] = 1
    A[0] = s[0]


@T.macro
def index(A):
    A[8 / 4] = 1


@T.macro
def cut(A):
    T.fill(A[0:8 / 2], 1)


@T.macro
def right(A):
    for i in T.serial(8 // 2):
        A[i] = 2.0


for f in (serial, parallel, shared, index, cut, right):
    refused(f.__name__ if hasattr(f, "__name__") else "macro", kernel(f))
refused("blocks", kernel(right, 4 / 2))
x = torch.arange(3.0)
for name, f in {"x[1.0]": lambda: x[1.0], "reshape": lambda: x.reshape(3.0), "zeros": lambda: torch.zeros(4 / 2), "sum": lambda: x.sum(0.0),
                "expand": lambda: x.expand(2.0, 3), "eye": lambda: torch.eye(2.0), "randint": lambda: torch.randint(0, 5, (2.0,)),
                "full": lambda: torch.full((2,), 2.0), "arange": lambda: torch.arange(0, 2.0, 1)}.items():
    refused(name, f)
