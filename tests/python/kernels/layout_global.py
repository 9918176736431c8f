import tilelang, torch
import tilelang.language as T

def moved(X):
    return T.Layout(X.shape, lambda i, j: [i // 8, j // 8, j % 2, 4 * (i % 8) + (j % 8) // 2])

@tilelang.jit(out_idx=[1])
def write(M, N):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(M, 16), threads=32) as bx:
            T.annotate_layout({B: moved(B)})
            f = T.alloc_fragment((16, N), "float32")
            T.copy(A[bx * 16:(bx + 1) * 16, :], f)
            T.copy(f, B[bx * 16, 0])
    return main

@tilelang.jit(out_idx=[1])
def read(M, N):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(M, 16), threads=32) as bx:
            T.annotate_layout({A: moved(A)})
            T.copy(A[bx * 16:(bx + 1) * 16, :], B[bx * 16, 0])
    return main

@tilelang.jit
def add(M, N):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(M, 16), threads=32) as bx:
            T.annotate_layout({B: T.Layout([M, N], lambda i, j: [j, i])})
            for i, j in T.Parallel(16, N):
                T.atomic_add(B[bx * 16 + i, j], A[bx * 16 + i, j])
    return main

M, N = 24, 16
a = torch.arange(M * N, dtype=torch.float32).reshape(M, N)
b = write(M, N)(a)
flat = torch.zeros(M * N)
for i in range(M):
    for j in range(N):
        flat[((i // 8 * (N // 8) + j // 8) * 2 + j % 2) * 32 + 4 * (i % 8) + (j % 8) // 2] = a[i, j]
print(torch.equal(b.flatten(), flat))
print(torch.equal(read(M, N)(b), a))
c = torch.zeros(M, N)
add(M, N)(a, c)
print(torch.equal(c.flatten(), a.t().flatten()))



# Out of range: what is beyond the tensor stays unwritten and reads as 0, as without a layout.
@tilelang.jit(out_idx=[1])
def edges(M, N):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N + 2), "float32")):
        with T.Kernel(T.ceildiv(M, 16), threads=32) as bx:
            T.annotate_layout({A: moved(A)})
            for i, j in T.Parallel(16, N + 2):
                B[bx * 16 + i, j] = A[bx * 16 + i, j - 1]
    return main


e = edges(M, N)(b)
print(torch.equal(e[:, 1:-1], a), e[:, 0].abs().sum().item(), e[:, -1].abs().sum().item())


# The layout stays with the tensor in the launches behind; a layout of the last dimensions leaves the
# first one outside; one that moves nothing is none.
@tilelang.jit(out_idx=[1, 2])
def twice(K, M, N):
    @T.prim_func
    def main(A: T.Tensor((K, M, N), "float32"), B: T.Tensor((K, M, N), "float32"), C: T.Tensor((K, M, N), "float32")):
        with T.Kernel(K, threads=32) as bx:
            T.annotate_layout({
                B: T.Layout([M, N], lambda i, j: [j, i]),
                A: T.Layout([K, M, N], lambda k, i, j: [k, i, j]),
            })
            T.fill(B[bx, :, :], 1)
            s = T.alloc_shared((M, N), "float32")
            T.copy(A[bx, :, :], s)
            T.atomic_add(B[bx, :, :], s)
            B[bx, 0, 1] += 100
        with T.Kernel(K, threads=32) as bx:
            T.copy(B[bx, :, :], C[bx, :, :])
    return main


x = torch.arange(2 * M * N, dtype=torch.float32).reshape(2, M, N)
y, z = twice(2, M, N)(x)
want = x + 1
want[:, 0, 1] += 100
print(torch.equal(z, want), torch.equal(y.flatten(), want.transpose(1, 2).flatten()))
