# T.gemm_sp: sparse products equal those of the whole matrix, for all types, words of metadata and orders of the operands.
import random

import tilelang
import tilelang.language as T
import torch
from tilelang.cuda.intrinsics.sparse_layout import GROUP_CONFIG, get_e_factor, get_e_replicate_factor

random.seed(1)
torch.manual_seed(1)
M, N, K = 64, 32, 128


@tilelang.jit(out_idx=[-1])
def sparse(dtype, accum, e_dtype, ta=False, te=False, tb=False, fragments=False):
    factor = get_e_factor(dtype, e_dtype)
    block = 64

    def shape(rows, cols, transposed):
        return (cols, rows) if transposed else (rows, cols)

    @T.prim_func
    def main(
        A: T.Tensor(shape(M, K // 2, ta), dtype),
        E: T.Tensor(shape(M, K // factor, te), e_dtype),
        B: T.Tensor(shape(K, N, tb), dtype),
        C: T.Tensor((M, N), accum),
    ):
        with T.Kernel(1, threads=128):
            As = T.alloc_shared(shape(M, block // 2, ta), dtype)
            Es = T.alloc_shared(shape(M, block // factor, te), e_dtype)
            Bs = T.alloc_shared(shape(block, N, tb), dtype)
            Cl = T.alloc_fragment((M, N), accum)
            T.clear(Cl)
            for k in T.Pipelined(K // block, num_stages=2):
                if ta:
                    T.copy(A[k * block // 2, 0], As)
                else:
                    T.copy(A[0, k * block // 2], As)
                if te:
                    T.copy(E[k * block // factor, 0], Es)
                else:
                    T.copy(E[0, k * block // factor], Es)
                if tb:
                    T.copy(B[0, k * block], Bs)
                else:
                    T.copy(B[k * block, 0], Bs)
                T.gemm_sp(As, Es, Bs, Cl, transpose_A=ta, transpose_E=te, transpose_B=tb)
            T.copy(Cl, C)

    return main


# A random matrix of M x K whose groups keep `elem` of `group` numbers, packed, and the words that say which.
def made(dtype, e_dtype):
    elem, group = GROUP_CONFIG[dtype]
    factor = get_e_factor(dtype, e_dtype)
    dense, kept, words = [], [], []
    for _ in range(M):
        row, packed, codes = [], [], []
        for _ in range(K // group):
            at = sorted(random.sample(range(group), elem))
            values = [random.randint(-4, 4) for _ in at]
            packed += values
            row += [values[at.index(i)] if i in at else 0 for i in range(group)]
            codes.append((4 if at[0] == 0 else 14) if elem == 1 else at[0] | at[1] << 2)
        bits, n = e_dtype.bits, factor // group
        for i in range(0, len(codes), n):
            w = sum(c << 4 * j for j, c in enumerate(codes[i:i + n]))
            words.append(w - (1 << bits) if w >> (bits - 1) else w)
        dense.append(row)
        kept.append(packed)
    return torch.tensor(dense), torch.tensor(kept), torch.tensor(words).reshape(M, K // factor)


for dtype, accum, e_dtype, *order in (
    (T.float16, T.float32, T.int16), (T.float16, T.float16, T.int8), (T.bfloat16, T.float32, T.int32),
    (T.float16, T.float32, T.int16, True, False, False), (T.float16, T.float32, T.int16, False, True, True),
    (T.int8, T.int32, T.int32), (T.float8_e4m3fn, T.float32, T.int16), (T.float32, T.float32, T.int16),
    (T.float32, T.float32, T.int8, False, False, True),
):
    dense, kept, words = made(dtype, e_dtype)
    b = torch.randint(-3, 4, (K, N))
    ta, te, tb = order or (False, False, False)
    kernel = sparse(dtype, accum, e_dtype, *order)

    def side(x, t, d):
        return (x.T if t else x).contiguous().to(d.as_torch())

    c = kernel(side(kept, ta, dtype), side(words, te, e_dtype), side(b, tb, dtype))
    print(dtype, accum, e_dtype, order, get_e_factor(dtype, e_dtype), get_e_replicate_factor(dtype),
          torch.equal(c.to(torch.int64), dense @ b))
