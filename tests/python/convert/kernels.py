# Kernels in TileLang's styles.
import itertools

import tilelang
import tilelang.language as T
from tilelang.autotuner import autotune


@T.macro
def relu(x, n):
    for i in T.Parallel(n):
        x[i] = T.max(x[i], 0)


# the lazy style: a function that makes the kernel
@tilelang.jit(
    out_idx=[-1],
    pass_configs={
        tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True,
    },
)
def doubled(N, block=128, dtype=T.float32):
    shape = [N]

    @T.prim_func
    def main(
        A: T.Tensor(shape, dtype),
        B: T.Tensor([N], dtype),
    ):
        with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
            local = T.alloc_fragment((block,), dtype)
            T.copy(A[bx * block : (bx + 1) * block], local)
            for i in T.Parallel(block):
                local[i] *= 2
            relu(local, block)
            T.copy(local, B[bx * block])

    return main


def get_configs():
    space = dict(block=[64, 128], threads=[128])
    return [dict(zip(space, values)) for values in itertools.product(*space.values())]


# the eager style
@autotune(configs=get_configs(), warmup=1, rep=2)
@tilelang.jit
def masked(A, block: int = 64, threads: int = 128, causal: bool = True):
    M, N = T.const("M, N")
    A: T.Tensor[[M, N], T.float32]
    B = T.empty((M, N), T.float32)
    with T.Kernel(T.ceildiv(M, block), threads=threads) as (by,):
        total = T.alloc_var(T.int32)
        total = 0
        for j in range(N):
            for i in T.Parallel(block):
                row = by * block + i
                if causal and j > row:
                    B[row, j] = 0
                else:
                    B[row, j] = A[row, j] if 0 <= row < M else -1
            total += 1
    return B


kernel = doubled(1024)
print(kernel.get_kernel_source())


# stores to a variable of the kernel's in blocks of its own; signs and comparisons that Lua has not
@T.prim_func
def counted(A: T.Tensor((4,), "float32")):
    with T.Kernel(1, threads=32) as bx:
        count = T.alloc_var(T.int32, init=0)
        count += 1
        if count == bx:
            A[0] = -(-1.5)
        if bx == 0:
            count = 0
            while count < 4:
                count += 1
        else:
            count = 5
            A[1] = count
        for i in T.Parallel(4):
            if 1 <= max(i, bx) < T.min(i, 4):
                A[i] = count


counting = tilelang.compile(counted)
