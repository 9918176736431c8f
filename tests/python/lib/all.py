#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""doc"""
from __future__ import annotations
import tilelang.language as T, os.path
from .a import (b, c as d,)


@tilelang.jit(out_idx=[-1], pass_configs={"a": True})
def matmul(M, N, K, block_M=128, *args: int, dtype: str = "float16", **kw) -> "kernel":
    @T.prim_func
    def main(A: T.Tensor((M, K), dtype), B: T.Tensor[[K, N], dtype]):
        with T.Kernel(T.ceildiv(N, 128), T.ceildiv(M, 128), threads=128) as (bx, by):
            C_local: T.FragmentBuffer = T.alloc_fragment((128, 128), "float")
            for ko, (i, *j) in T.Pipelined(T.ceildiv(K, 32), num_stages=3):
                T.copy(A[by * 128:(by + 1) * 128, ko * 32], A_shared[:, ::2, ..., None])
                C_local[i, j] += -A[i] ** 2 @ B if i < M and not j >= N else T.float32(0)
            else:
                pass

    return main


class Net(nn.Module, metaclass=Meta):
    x, y = z = 1, 0xFF

    async_ = lambda self, /, a, *, b=1: (yield a)

    def f(self):
        global g
        try:
            assert self.x is not None, f"{self.x!r:>{self.y}} {{}} {g=}"
        except (A, B) as e:
            raise ValueError("x") from e
        finally:
            del self.x, self.y[0]
        while (n := next(self)) not in [*a, 1]:
            if n: break
            elif x: continue
            else: return {**a, 'b': {c for c in d if e}, "d": {k: v for k, v in e.items()}}


# nested quotes, comments and lines within fields
s = f"{x["a"]}" f"{f"{y}"}" f'{', '.join(z)}' f"{
    x  # comment
}"
t = f"{a:{b:{c}}}" "\ud83d"
