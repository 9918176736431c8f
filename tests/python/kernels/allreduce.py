# T.tvm_thread_allreduce combines in TVM's order, whatever the threads and the type: against that order, on the host.
import torch, tilelang
import tilelang.language as T


def combine(kind, p, q):
    return p + q if kind == "sum" else p * 0.5 + q if kind == "odd" else T.max(p, q) if kind == "max" else torch.maximum(p, q)


@tilelang.jit
def allreduce(A, tx, ty, tz, over, kind, dt):
    N = T.const("N")
    A: T.Tensor((N,), dt)
    B = T.empty((N,), dt)
    with T.Kernel(1, threads=(tx, ty, tz)) as bx:
        x = T.get_thread_binding(0)
        y = T.get_thread_binding(1)
        z = T.get_thread_binding(2)
        v = T.alloc_local((1,), dt)
        r = T.alloc_local((1,), dt)
        i = x + tx * (y + ty * z)
        threads = {"x": x, "y": y, "z": z}
        for k in T.serial(2):  # what the first round leaves in shared memory is not the second's
            v[0] = A[i] if k == 0 else r[0] + A[i]
            with T.attr(T.comm_reducer(lambda p, q: combine(kind, p, q), [T.cast(0, dt)]), "reduce_scope", T.reinterpret(T.uint64(0), dtype="handle")):
                T.evaluate(T.tvm_thread_allreduce(T.uint32(1), v[0], True, r[0], *[threads[o] for o in over], dtype="handle"))
        B[i] = r[0]
    return B


def tree(kind, v):  # v[r] = f(v[r], v[r + d]) for d = .., 4, 2, 1
    d = 1
    while d * 2 < len(v):
        d *= 2
    while d > 0 and len(v) > 1:
        for r in range(min(d, len(v) - d)):
            v[r] = combine("host" if kind == "max" else kind, v[r], v[r + d])
        d //= 2
    return v[0]


def reference(a, tx, ty, tz, over, kind, dt):
    n = {"x": tx, "y": ty, "z": tz}
    stride = {"x": 1, "y": tx, "z": tx * ty}
    count = 1
    places = [0]
    for o in ("x", "y", "z"):
        if o in over:
            places = [p + k * stride[o] for k in range(n[o]) for p in places]
    beside = places == list(range(len(places)))
    warps = beside and len(places) > 32 and len(places) % 32 == 0 and dt in ("float16", "float32", "int32", "float64", "int64")
    out = a.clone()
    for i in range(len(a)):
        first = True
        for o in over:
            first = first and i // stride[o] % n[o] == 0
        if first:
            v = [a[i + p] for p in places]
            if warps:
                v = [tree(kind, v[k:k + 32]) for k in range(0, len(v), 32)]
            r = tree(kind, v)
            for p in places:
                out[i + p] = r
    return out


for dt in ("float16", "float32", "bfloat16", "int32", "float64", "int8", "int64"):
    for tx, ty, tz, over, kind in ((32, 2, 1, "x", "sum"), (8, 4, 1, "x", "odd"), (2, 32, 1, "y", "sum"), (4, 8, 2, "y", "odd"),
                                   (96, 1, 1, "x", "odd"), (64, 2, 1, "x", "sum"), (24, 1, 1, "x", "sum"), (24, 2, 1, "x", "odd"), (2, 3, 16, "yz", "sum"),
                                   (4, 8, 4, "xy", "odd"), (4, 2, 8, "xz", "sum"), (1, 32, 2, "xy", "odd"), (160, 1, 1, "x", "max"), (64, 1, 3, "z", "max")):
        if "int" in dt and kind == "odd":
            continue
        n = tx * ty * tz
        a = torch.randint(-5, 5, (n,)).to(getattr(torch, dt)) if "int" in dt else torch.randn(n).to(getattr(torch, dt))
        b = allreduce(a, tx, ty, tz, over, kind, dt)
        r = reference(a, tx, ty, tz, over, kind, dt)
        r = reference(r + a, tx, ty, tz, over, kind, dt)
        if not bool((b == r).all()):
            print(dt, tx, ty, tz, over, kind, "differ", b[:4], r[:4])
print("done")
