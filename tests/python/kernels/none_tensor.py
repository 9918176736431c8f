# None for a tensor that the kernel does not access, as TileLang takes it.
import tilelang, torch
import tilelang.language as T


@tilelang.jit
def scaled(M, N, with_bias):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32"), Bias: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=64):
            for i, j in T.Parallel(M, N):
                C[i, j] = A[i, j] * 2
            if with_bias:
                for i, j in T.Parallel(M, N):
                    C[i, j] += Bias[j]
    return main


a, c, b = torch.ones(2, 4), torch.zeros(2, 4), torch.ones(4)
scaled(2, 4, False)(a, c, None)
print(c.sum().item())
scaled(2, 4, True)(a, c, b)
print(c.sum().item())
try:
    scaled(2, 4, True)(a, c, None)
except Exception as e:
    print(type(e).__name__, str(e).split("\n")[0])


@tilelang.jit
def sizes():
    m = T.dynamic("m")

    @T.prim_func
    def main(a: T.Tensor[(m,), T.int32], b: T.Tensor[(m,), T.int32], c: T.Tensor[(1,), T.int32]):
        with T.Kernel(1, threads=64):
            c[0] = m
    return main


x, n = torch.zeros(200, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
sizes()(x, None, n)
print(n.item())
sizes()(None, x[:100].clone(), n)
print(n.item())
try:
    sizes()(None, None, n)
except Exception as e:
    print(type(e).__name__, str(e).split("\n")[0])
