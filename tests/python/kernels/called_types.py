# T.bool(), T.float32(): types by a call, and a function that says a type, as annotations; T.attr of None.
import tilelang
import tilelang.language as T
import torch


def vector():
    return T.Tensor((8,), T.float32)


@T.prim_func
def chosen(A: vector, x: T.float32(), n: T.int32(), flag: T.bool(), B: vector):
    with T.Kernel(1, threads=32):
        for i in T.Parallel(8):
            B[i] = T.if_then_else(flag, A[i] * x, T.cast(n, "float32"))


k = tilelang.compile(chosen)
print([(p.dtype, p.is_scalar()) for p in k.params])
a, b = torch.arange(8, dtype=torch.float32), torch.zeros(8)
k(a, 2.0, 7, True, b)
print(b.tolist())
k(a, 2.0, 7, False, b)
print(b.tolist())


@tilelang.jit
def eager(A, x: T.float32()):
    A: T.Tensor((8,), T.float32)
    B = T.empty((8,), T.float32)
    with T.Kernel(1, threads=32):
        for i in T.Parallel(8):
            B[i] = A[i] * x
    return B


print(eager(a, 0.5).tolist())


def attr(node, key):
    @T.prim_func
    def main(B: vector):
        with T.Kernel(1, threads=32):
            with T.attr(node, key, 1):
                T.fill(B, 3)
    return main


def valued():
    @T.prim_func
    def main(B: vector):
        with T.Kernel(1, threads=32):
            B[0] = T.float32()
    return main


tilelang.compile(attr(None, "async_scope"))(b)
print(b.tolist())
for f in (lambda: attr(None, "pragma_x"), lambda: attr(None, "reduce_scope"), lambda: valued(), lambda: T.float32(1, 2)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, "|", e)
