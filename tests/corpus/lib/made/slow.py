import tilelang.language as T

T.Kernel
while True:
    pass
