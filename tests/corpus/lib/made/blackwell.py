import tilelang.language as T

T.Kernel  # a file with kernels is known by this word
T.alloc_tmem((128, 128), "float32")
