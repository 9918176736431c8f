# Tensors behind addresses: parameters, tables, what is written, what is refused.
import gc
import tilelang
import tilelang.language as T
import torch


def tables(G, N, dtype=T.float16):
    @T.prim_func
    def main(src: T.Tensor([G], T.ptr), dst: T.Tensor([G], T.ptr), order: T.Tensor([G], T.int32)):
        with T.Kernel(G, threads=32) as bx:
            g = T.alloc_var(dtype=T.int32)
            g = order[bx]
            S = T.make_tensor(src[g], (4, N), dtype)
            D = T.make_tensor_from_addr(dst[bx], (4, N), dtype)
            tile = T.alloc_shared((4, N), dtype)
            T.copy(S[0, 0], tile)
            for i, j in T.Parallel(4, N):
                tile[i, j] = tile[i, j] * 2
            T.copy(tile, D)

    return tilelang.compile(main)


def addresses(tensors):
    return torch.tensor([t.data_ptr() for t in tensors], dtype=torch.int64)


k = tables(3, 64)
a = [torch.full((4, 64), float(i + 1), dtype=torch.float16) for i in range(3)]
b = [torch.zeros(4, 64, dtype=torch.float16) for i in range(3)]
order = torch.tensor([2, 0, 1], dtype=torch.int32)
k(addresses(a), addresses(b), order)
print([t[3, 63].item() for t in b], [t[0, 0].item() for t in a])
# one source for all; part of a larger one
big = torch.arange(8 * 64, dtype=torch.float16).reshape(8, 64)
late = big[4:]
k(addresses([a[0], late, a[0]]), addresses(b), order)
print([t[0, 1].item() for t in b])


@tilelang.jit
def scaled(dtype="float32"):
    @T.prim_func
    def main(x: T.ptr, y: T.ptr, m: T.int32, n: T.int32):
        X = T.make_tensor(x, (m, n), dtype)
        Y = T.make_tensor(y, (m, n), dtype)
        with T.Kernel(m, threads=32) as bx:
            for i in T.Parallel(32):
                if i < n:
                    Y[bx, i] = X[bx, i] + bx

    return main


x, y = torch.ones(6, 20), torch.zeros(6, 20)
scaled()(x, y, 6, 20)
print(y[:, 19].tolist())
y.zero_()
scaled()(x.data_ptr(), y.data_ptr(), 4, 30)
print(y.flatten()[[0, 29, 30, 119]].tolist())


def refused(what, *args):
    try:
        k(*args)
        print(what, "not refused")
    except Exception as e:
        print(what, "-", e)


refused("gone", torch.tensor([1, 2, 3], dtype=torch.int64), addresses(b), order)
refused("short", addresses([torch.zeros(2, 64, dtype=torch.float16)] * 3), addresses(b), order)
refused("dtype", addresses([torch.zeros(4, 64)] * 3), addresses(b), order)
refused("table", torch.zeros(2, dtype=torch.int64), addresses(b), order)
refused("twice", addresses(a), addresses([b[0], b[0], b[1]]), order)
refused("both", addresses(a), addresses([b[0], a[1], b[1]]), order)


@T.prim_func
def matched(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n, 16), T.float32)
    with T.Kernel(n, threads=16) as bx:
        for i in T.Parallel(16):
            A[bx, i] = bx


x = torch.zeros(3, 16)
m = tilelang.compile(matched)
m(x, 3)
print(x[:, 5].tolist())
try:
    m(torch.zeros(3, 17), 3)
except Exception as e:
    print(e)

# a row that begins where its tensor does leaves the tensor what its address means
first, out = [t[0] for t in a], [torch.zeros(4, 64, dtype=torch.float16) for i in range(3)]
starts = [t.data_ptr() for t in a] + [t.data_ptr() for t in first]
k(torch.tensor(starts[:3], dtype=torch.int64), addresses(out), order)
print([t.sum().item() for t in out], starts[:3] == starts[3:])

# an address lives as long as its storage; what lies there is what its memory has
x, y = torch.arange(12.0).view(3, 4), torch.zeros(3, 4)
p, q, all_of_y = x[1].data_ptr(), y[2].data_ptr(), y.data_ptr()
gc.collect()
scaled()(p, q, 1, 4)
print(y[2].tolist(), x.data_ptr() == x[0].data_ptr())
scaled()(x.t().data_ptr(), all_of_y, 2, 6)
print(y.flatten().tolist())
for address in x[2].data_ptr(), p:
    try:
        scaled()(address, q, 1, 5 if x is not None else 4)
    except Exception as e:
        print(str(e).rstrip("0123456789"))
    x = None
    gc.collect()
