local f = tl.jit("matmul")
