# An assignment takes all values before it gives one, also to elements; with several targets the value is computed once.
import tilelang, torch, tilelang.language as T


@tilelang.jit
def k(A, C):
    A: T.Tensor((32,), "int32")
    C: T.Tensor((32,), "int32")
    O = T.empty((8, 32), "int32")
    with T.Kernel(1, threads=32):
        t = T.get_thread_binding()
        L = T.alloc_local((2,), "int32")
        L[0] = A[t]
        L[1] = C[t]
        L[0], L[1] = L[1], L[0]
        O[0, t] = L[0] * 100 + L[1]
        [L[0], x] = L[1], L[0]
        O[1, t] = L[0] * 100 + x
        (L[0], L[1]), C[t] = [C[t], L[0]], L[0] + 1
        O[2, t] = L[0] * 10000 + L[1] * 100 + C[t]
        C[t] = L[0] = C[t] + 1
        O[3, t] = C[t] * 100 + L[0]
        v = T.alloc_var("int32")
        w = T.alloc_var("int32")
        v = 5
        v = w = v + 1
        O[4, t] = v * 100 + w
        v, L[0] = L[0], v
        O[5, t] = v * 100 + L[0]
        d = {"a": 1}
        d["a"], L[0] = L[0], 3
        O[6, t] = d["a"] * 100 + L[0]
        y, L[0] = [L[0], L[1]], 4
        O[7, t] = y[0] * 100 + len(y)
    return O


o = k(torch.arange(32, dtype=torch.int32), torch.arange(32, 64, dtype=torch.int32))
for i in range(8):
    print(i, o[i, 0].item(), o[i, 1].item(), o[i, 31].item())


@tilelang.jit
def halves(A):
    A: T.Tensor((8,), "int32")
    with T.Kernel(1, threads=32):
        L = T.alloc_local((8,), "int32")
        L[0:4], L[4:8] = L[4:8], L[0:4]


try:
    halves(torch.zeros(8, dtype=torch.int32))
except Exception as e:
    print(e)
