# Sums that begin on one side of a branch and end on another, or behind it, may never have begun.
import tilelang, torch
import tilelang.language as T


@tilelang.jit
def sums(A, S, n, mode):
    A: T.Tensor((64, 8), T.float32)
    S: T.Tensor((64,), T.float32)
    n: T.int32
    with T.Kernel(1, threads=64):
        r = T.alloc_reducer((64,), T.float32, "sum", "all") if mode == "old" else T.alloc_reducer((64,), T.float32)
        d = T.alloc_fragment((64,), T.float32)
        T.clear(d)
        if mode == "behind":
            if n > 0:
                T.reducer_init(r)
            for i, j in T.Parallel(64, 8):
                T.reducer_update(r[i], A[i, j])
            T.finalize_reducer(r, d)
        elif mode == "ended behind":
            if n > 0:
                T.reducer_init(r)
                for i, j in T.Parallel(64, 8):
                    T.reducer_update(r[i], A[i, j])
            T.finalize_reducer(r, d)
        elif mode == "other side":
            if n > 0:
                T.reducer_init(r)
                for i, j in T.Parallel(64, 8):
                    T.reducer_update(r[i], A[i, j])
            else:
                T.finalize_reducer(r, d)
        elif mode == "old":
            if n > 0:
                T.clear(r)
                for i, j in T.Parallel(64, 8):
                    r[i] += A[i, j]
            T.finalize_reducer(r)
            T.copy(r, d)
        elif mode == "inside":
            T.reducer_init(r)
            for i, j in T.Parallel(64, 8):
                T.reducer_update(r[i], A[i, j])
            if n > 0:
                T.finalize_reducer(r, d)
        else:
            if n > 0:
                T.reducer_init(r)
                for i, j in T.Parallel(64, 8):
                    T.reducer_update(r[i], A[i, j])
                T.finalize_reducer(r, d)
        T.copy(d, S)


for mode in "behind", "ended behind", "other side", "old", "inside", "one side":
    S = torch.zeros(64)
    try:
        sums(torch.ones(64, 8), S, 1, mode)
        print(mode, S[0].item())
    except Exception as e:
        print(mode, str(e).splitlines()[0], e.args)
