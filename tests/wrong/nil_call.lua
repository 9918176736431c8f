local t = {}
t.gemm(1)
