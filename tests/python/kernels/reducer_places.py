# Elements of a reducer that the loop does not select, and in another order than the loop's.
import tilelang, torch
import tilelang.language as T

@tilelang.jit
def scalar(A, B):
    A: T.Tensor((8,), "float32")
    B: T.Tensor((1,), "float32")
    with T.Kernel(1, threads=128):
        src = T.alloc_fragment((8,), "float32")
        T.copy(A, src)
        acc = T.alloc_reducer((1,), "float32", op="sum")
        T.reducer_init(acc, 100.0)
        for i in T.Parallel(8):
            T.reducer_update(acc[0], src[i])
        for i in T.Parallel(8):
            T.reducer_update(acc[0], src[i])
        result = T.alloc_fragment((1,), "float32")
        T.finalize_reducer(acc, result)
        if T.get_thread_binding() == 0:
            B[0] = result[0]
a = torch.arange(1, 9, dtype=torch.float32); b = torch.zeros(1)
scalar(a, b); print(b)

@tilelang.jit
def turned(A):
    A: T.Tensor((4, 8), "float32")
    B = T.empty((8, 4), "float32")
    with T.Kernel(1, threads=32):
        acc = T.alloc_reducer((8, 4), "float32", op="sum")
        T.reducer_init(acc)
        for i, j in T.Parallel(4, 8):
            T.reducer_update(acc[j, i], A[i, j])
        r = T.alloc_fragment((8, 4), "float32")
        T.finalize_reducer(acc, r)
        T.copy(r, B)
    return B
x = torch.randn(4, 8)
print(torch.equal(turned(x), x.t()))

@tilelang.jit
def row(A):
    A: T.Tensor((4, 64), "float32")
    B = T.empty((1, 4), "float32")
    with T.Kernel(1, threads=32):
        acc = T.alloc_reducer((1, 4), "float32", op="max")
        T.reducer_init(acc)
        for i, k in T.Parallel(4, 64):
            T.reducer_update(acc[0, i], A[i, k])
        r = T.alloc_fragment((1, 4), "float32")
        T.finalize_reducer(acc, r)
        T.copy(r, B)
    return B
x = torch.randn(4, 64)
print(torch.equal(row(x)[0], x.max(1).values))

@tilelang.jit
def gram(A, C):
    A: T.Tensor((4, 64), "float32")
    C: T.Tensor((4, 64), "float32")
    B = T.empty((4, 4), "float32")
    with T.Kernel(1, threads=64):
        a = T.alloc_fragment((4, 64), "float32")
        c = T.alloc_fragment((4, 64), "float32")
        T.copy(A, a)
        T.copy(C, c)
        acc = T.alloc_reducer((4, 4), "float32", op="sum")
        T.reducer_init(acc)
        for i in T.serial(4):
            for j in T.serial(4):
                for k in T.Parallel(64):
                    T.reducer_update(acc[i, j], a[i, k] * c[j, k])
        r = T.alloc_fragment((4, 4), "float32")
        T.finalize_reducer(acc, r)
        T.copy(r, B)
    return B
y = torch.randn(4, 64)
print(torch.allclose(gram(x, y), x @ y.t(), atol=1e-4))
