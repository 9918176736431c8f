# What a choice, a comparison and a number written down make of types: TVM's rules, as TileLang 0.1.15 applies them.
import tilelang, torch
import tilelang.language as T

@tilelang.jit
def k(A, B, M):
    A: T.Tensor((8,), "float16")
    B: T.Tensor((8,), "int8")
    M: T.Tensor((8,), "bool")
    C = T.empty((8, 8), "float32")
    D = T.empty((8, 8), "int32")
    with T.Kernel(1, threads=8):
        for i in T.Parallel(8):
            C[0, i] = (A[i] > 0) if i < 4 else (B[i] > 0)
            C[1, i] = False if i < 4 else (B[i] > 0)
            C[2, i] = True if i < 4 else (B[i] > 0)
            C[3, i] = (A[i] > 0) if i < 4 else 5
            C[4, i] = M[i] if i < 4 else M[7 - i]
            C[5, i] = B[i] if i >= 0 else 0.5
            C[6, i] = 1 if i < 4 else (2 if i < 6 else 3.5)
            C[7, i] = (0 if M[i] else 7) if i < 4 else 9
            D[0, i] = B[i] + 100 if i >= 0 else 0
            D[1, i] = M[i] & True
            D[2, i] = M[i] and B[i] > 0
            D[3, i] = ~(M[i])
            D[4, i] = not M[i]
            D[5, i] = (M[i] or B[i] > 0) and i > 2
            D[6, i] = 3 if not (M[i] and B[i] > 0) else 4
            D[7, i] = (B[i] << 3) + 0
    return C, D

a = torch.tensor([1, -1, 1, -1, 1, -1, 1, -1.]).half()
b = torch.tensor([1, 1, -1, -1, 100, 100, -1, -1], dtype=torch.int8)
m = torch.tensor([True, False, True, True, False, False, True, False])
c, d = k(a, b, m)
for row in c.tolist(): print(row)
for row in d.tolist(): print(row)


@tilelang.jit
def numbers(A, B, U, H):
    A: T.Tensor((4,), "float16")
    B: T.Tensor((4,), "int8")
    U: T.Tensor((4,), "uint8")
    H: T.Tensor((4,), "bfloat16")
    C = T.empty((10, 4), "float32")
    D = T.empty((10, 4), "int32")
    with T.Kernel(1, threads=4):
        for i in T.Parallel(4):
            C[0, i] = A[i] * 0.1
            C[1, i] = A[i] * 2
            C[2, i] = A[i] / 3
            C[3, i] = A[i] + H[i]
            C[4, i] = B[i] * 0.5
            C[5, i] = T.max(A[i], 0.1)
            C[6, i] = T.float16(0.1) + A[i]
            C[7, i] = 0.1 if i < 2 else A[i]
            C[8, i] = T.pow(A[i], 0.5)
            C[9, i] = A[i] == 0.1
            D[0, i] = B[i] + 100
            D[1, i] = U[i] - 8
            D[2, i] = U[i] // 2 - U[i]
            D[3, i] = (B[i] & 15) + 1
            D[4, i] = B[i] << 1
            D[5, i] = B[i] << i
            D[6, i] = B[i] * U[i]
            D[7, i] = 1 if i == True else 0
            D[8, i] = (i != False) + 0
            D[9, i] = T.cast(U[i], "int8") + 1
    return C, D


a = torch.tensor([0.1, 1.5, 2, 1000]).half()
c, d = numbers(a, torch.tensor([100, -100, 7, -1], dtype=torch.int8), torch.tensor([3, 200, 0, 255], dtype=torch.uint8),
               torch.tensor([1, 2, 3, 4]).bfloat16())
for row in c.tolist() + d.tolist():
    print(row)
