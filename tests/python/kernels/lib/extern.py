# C of the user's own in a kernel.
import tilelang, torch
import tilelang.language as T
SOURCE = """
template <typename A, typename B> __device__ void widen(const A *a, B *b, int n = 8)
{
    for (int i = 0; i < n; i++)
        b[2 * i] = a[i] & 15, b[2 * i + 1] = a[i] >> 4;
}
"""
@tilelang.jit
def f(A):
    A: T.Tensor((128, 8), "uint8")
    B = T.empty((128, 16), "int32")
    with T.Kernel(1, threads=128) as bx:
        T.import_source(SOURCE)
        tx = T.get_thread_binding()
        a = T.alloc_local((8,), "uint8")
        b = T.alloc_local((16,), "int32")
        for v in T.vectorized(8):
            a[v] = A[tx, v]
        for k in T.serial(2):
            T.call_extern("handle", "widen", T.access_ptr(a[k * 4], "r", 4), T.access_ptr(b[k * 8], "w", 8), 4)
        T.call_extern("widen", T.access_ptr(a, "r"), T.access_ptr(b, "w"), dtype="int32")
        for v in T.vectorized(16):
            B[tx, v] = b[v]
    return B
x = torch.randint(0, 255, (128, 8), dtype=torch.uint8)
print(f(x).shape)
