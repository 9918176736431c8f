import os

import tilelang
import tilelang.language as T

HELPER = os.path.join(os.path.dirname(__file__), "cplusplus.h")


@tilelang.jit(compile_flags=["-include", HELPER])
def kernel(A):
    A: T.Tensor((64,), "float32")
    with T.Kernel(1, threads=64):
        T.call_extern("handle", "tl::copy_with_cute", A.data, 64)


kernel(tilelang.zeros((64,), "float32"))
