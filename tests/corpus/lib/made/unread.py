import tilelang.language as T

async def f():
    T.Kernel
