# Kernels as TileLang's users write them, on the target that is there.
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul(M, N, K, block_M, block_N, block_K, dtype="float32", accum_dtype="float"):

    @T.prim_func
    def gemm(
        A: T.Tensor((M, K), dtype),
        B: T.Tensor((K, N), dtype),
        C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), accum_dtype)
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=2):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return gemm


kernel = matmul(64, 64, 64, 32, 32, 16)
a = tilelang.ones((64, 64), "float32")
c = kernel(a, a)
print(c.shape, c[0, 0], c[63, 63])


@T.macro
def relu(x, n, least=0):
    for i in T.Parallel(n):
        x[i] = T.max(x[i], least)


@tilelang.jit
def odd(A, n: int = 32):
    N = T.const("N")
    A: T.Tensor((N,), "int32")
    B = T.empty((N,), "int32")
    with T.Kernel(T.ceildiv(N, n), threads=32) as bx:
        f = T.alloc_fragment((n,), "int32")
        T.copy(A[bx * n], f)
        relu(f, n)
        relu(f, n, least=2)
        for i in T.Parallel(n):
            if i % 2 == 0 and f[i] < 20:
                f[i] = f[i] * 10
            elif f[i] > 25 or i == 5:
                f[i] = -1
            else:
                f[i] += 1
        T.copy(f, B[bx * n])
    return B


x = tilelang.arange(32, "int32")
print(odd(x))


@tilelang.jit
def count(A, times):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        total = T.alloc_var("float32", init=0.0)
        left = T.alloc_var("int32", init=3)
        for k in range(times):
            total += A[tx] * (k + 1)
        while left > 0:
            left -= 1
            if left == 1:
                break
            total = total + 100 if 0 <= tx < 2 else total
        B[tx] = total
    return B


print(count(tilelang.ones((4,), "float32").repeat(8) if False else tilelang.ones((32,), "float32"), 3)[0:4])


@tilelang.jit
def again(A):
    A: T.Tensor((32,), "float32")
    B = T.empty((32,), "float32")
    with T.Kernel(1, threads=32):
        s = 0.0
        for k in T.serial(4):
            s = s + 1.0
        T.copy(A, B)
    return B


try:
    again(tilelang.ones((32,), "float32"))
except Exception as e:
    print(type(e).__name__, e)
