# Names that TileLang takes over from TVM: bound threads, shuffles, reductions over threads, im2col, dp4a, cp.async.
import torch, tilelang
import tilelang.language as T

@tilelang.jit
def bind(A):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, 128), threads=(32, 4)) as bx:
        x = T.thread_binding(0, 32, thread="threadIdx.x")
        y = T.thread_binding(4, thread="threadIdx.y")
        i = bx * 128 + y * 32 + x
        B[i] = T.tvm_warp_shuffle(0xFFFFFFFF, A[i], x ^ 1, 32, 32) + T.tvm_warp_shuffle_up(0xFFFFFFFF, A[i], 1, 32, 32)
    return B


a = torch.randn(256, device="cuda")
b = bind(a).view(8, 32)
r = a.view(8, 32)
print(float((b[:, 1] - (r[:, 0] * 2)).abs().max()), float((b[:, 2] - (r[:, 3] + r[:, 1])).abs().max()))

@tilelang.jit
def allreduce(A, tx, ty, over):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float32")
    B = T.empty((M, N), "float32")
    with T.Kernel(1, threads=(tx, ty)) as bx:
        x = T.get_thread_binding(0)
        y = T.get_thread_binding(1)
        v = T.alloc_local((1,), "float32")
        r = T.alloc_local((1,), "float32")
        v[0] = A[y, x]
        with T.attr(T.comm_reducer(lambda p, q: p + q, [T.cast(0, "float32")]), "reduce_scope", T.reinterpret(T.uint64(0), dtype="handle")):
            if over == "x":
                T.evaluate(T.tvm_thread_allreduce(T.uint32(1), v[0], True, r[0], x, dtype="handle"))
            elif over == "y":
                T.evaluate(T.tvm_thread_allreduce(T.uint32(1), v[0], True, r[0], y, dtype="handle"))
            else:
                T.evaluate(T.tvm_thread_allreduce(T.uint32(1), v[0], x > 0, r[0], x, y, dtype="handle"))
        B[y, x] = r[0]
    return B

for tx, ty in ((16, 4), (32, 4), (5, 3), (64, 2), (8, 16)):
    a = torch.randn(ty, tx)
    bx = allreduce(a, tx, ty, "x"); by = allreduce(a, tx, ty, "y"); b = allreduce(a, tx, ty, "xy")
    d = torch.max((bx - a.sum(1, keepdim=True)).abs()), torch.max((by - a.sum(0, keepdim=True)).abs()), torch.max((b - a[:, 1:].sum()).abs())
    print(tx, ty, [float(v) < 1e-5 for v in d])

@tilelang.jit
def argmax(A):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "int32")
    with T.Kernel(1, threads=N) as bx:
        x = T.get_thread_binding(0)
        r = T.alloc_local((1,), "float32")
        k = T.alloc_local((1,), "int32")
        def best(a, i, b, j):
            return T.max(a, b), T.if_then_else(a >= b, i, j)
        with T.attr(T.comm_reducer(best, [T.cast(0, "float32"), T.cast(0, "int32")]), "reduce_scope", T.reinterpret(T.uint64(0), dtype="handle")):
            T.tvm_thread_allreduce(2, A[x], x, True, r[0], k[0], x)
        B[x] = T.if_then_else(r[0] > -100.0, k[0], -1)
    return B
for n in (32, 96):
    a = torch.randn(n)
    print(bool((argmax(a) == a.argmax()).all()))

@tilelang.jit
def conv(img, KH, S, D, P, BM, BK):
    N, H, W, C = T.const("N, H, W, C")
    img: T.Tensor((N, H, W, C), "float16")
    OH = (H + 2 * P - D * (KH - 1) - 1) // S + 1
    OW = (W + 2 * P - D * (KH - 1) - 1) // S + 1
    out = T.empty((T.ceildiv(N * OH * OW, BM) * BM, T.ceildiv(KH * KH * C, BK) * BK), "float16")
    with T.Kernel(T.ceildiv(KH * KH * C, BK), T.ceildiv(N * OH * OW, BM)) as (bx, by):
        s = T.alloc_shared((BM, BK), "float16")
        T.im2col(img, s, by, bx, KH, S, D, P)
        T.copy(s, out[by * BM, bx * BK])
    return out

def ref(img, K, S, D, P):
    n, h, w, c = img.shape
    x = torch.zeros(n, h + 2 * P, w + 2 * P, c, dtype=torch.float16)
    x[:, P:P + h, P:P + w, :] = img
    oh = (h + 2 * P - D * (K - 1) - 1) // S + 1
    ow = (w + 2 * P - D * (K - 1) - 1) // S + 1
    cols = []
    for i in range(K):
        for j in range(K):
            cols.append(x[:, i * D:i * D + (oh - 1) * S + 1:S, j * D:j * D + (ow - 1) * S + 1:S, :].reshape(n * oh * ow, c))
    return torch.cat(cols, dim=1)
for (K, S, D, P, C, BK) in ((3, 1, 1, 1, 32, 32), (3, 2, 1, 1, 32, 16), (2, 1, 2, 0, 16, 16), (1, 1, 1, 0, 32, 32), (3, 1, 1, 1, 24, 32)):
    x = torch.randn(2, 7, 9, C, dtype=torch.float16)
    o = conv(x, K, S, D, P, 32, BK)
    w = ref(x, K, S, D, P)
    print(K, S, D, P, torch.equal(o[:w.shape[0], :w.shape[1]], w), float(o[w.shape[0]:].abs().sum()) == 0)

@tilelang.jit
def dot(A, B):
    N = T.const("N")
    A: T.Tensor((N,), "int8")
    B: T.Tensor((N,), "int8")
    C = T.empty((1,), "int32")
    with T.Kernel(1, threads=32):
        a = T.alloc_local((16,), "int8")
        b = T.alloc_local((16,), "int8")
        c = T.alloc_local((1,), "int32")
        for k in T.vectorized(16):
            a[k] = A[k]
            b[k] = B[k]
        T.clear(c)
        for k in T.serial(4):
            T.dp4a(a[k * 4], b[k * 4], c[0])
        if T.get_thread_binding() == 0:
            C[0] = c[0]
    return C
a = torch.randint(-128, 128, (16,), dtype=torch.int8); b = torch.randint(-128, 128, (16,), dtype=torch.int8)
print(int(dot(a, b)[0]) == int((a.to(torch.int32) * b.to(torch.int32)).sum()))

@tilelang.jit
def par(A):
    A: T.Tensor((32, 64), "float32")
    B = T.empty((32, 64), "float32")
    with T.Kernel(1):
        f = T.alloc_fragment((32, 64), "float32")
        T.copy(A, f)
        for i in T.parallel(32):
            for j in T.parallel(64):
                if i < 3:
                    f[i, j] = T.cast(0, "float32")
        T.copy(f, B)
    return B
x = torch.randn(32, 64); y = par(x); x[:3] = 0
print(torch.equal(x, y))

@tilelang.jit
def cpasync(A):
    A: T.Tensor((64, 64), "float16")
    B = T.empty((64, 64), "float16")
    with T.Kernel(1, threads=128):
        s = T.alloc_shared((64, 64), "float16")
        tx = T.get_thread_binding()
        for i in T.serial(4):
            T.ptx_cp_async(T.access_ptr(s[tx // 8 + 16 * i, tx % 8 * 8], "w", 8), T.access_ptr(A[tx // 8 + 16 * i, tx % 8 * 8], "r", 8), 8)
        T.ptx_commit_group()
        T.ptx_wait_group(0)
        T.sync_threads()
        T.copy(s, B)
    return B
x = torch.randn(64, 64, dtype=torch.float16)
print(torch.equal(cpasync(x), x))
