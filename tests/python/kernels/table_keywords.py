# Keywords of parameters that take a list or dict, each where it stands at its own place.
import tilelang, torch, tilelang.language as T


@tilelang.jit
def k(P, A):
    P: T.ptr("float32")
    A: T.Tensor((64,), "float32")
    O = T.empty((3, 8), "float32")
    with T.Kernel(1, threads=32):
        B = T.make_tensor(P, (2, 4), "float32", strides=(1, 2))
        for i, j in T.Parallel(2, 4):
            O[0, i * 4 + j] = B[i, j]
        for i in T.vectorized(0, 4, annotations={"a": 1}):
            O[1, i] = A[i]
        T.fill(O[1, 4:8], 7, annotations={})
        O[2, 0:2] = T.Shuffle([A[0:2], A[4:6]], indices=[3, 0])
        O[2, 2:8] = T.Shuffle(vectors=[A[0:4], A[8:12]], indices=[7, 6, 5, 4, 1, 0])
    return O


x = torch.arange(64, dtype=torch.float32)
print(k(x.data_ptr(), x))
