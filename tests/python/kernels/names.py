# What a kernel's name holds after what binds it: as TileLang 0.1.15 has it, where that is not Python's rule either.
import tilelang
import tilelang.language as T


def show(name, body):
    def kernel(A):
        A: T.Tensor((8,), "int32")
        B = T.empty((8,), "int32")
        with T.Kernel(1, threads=1):
            for j in T.serial(8):
                B[j] = -1
            body(A, B)
        return B

    try:
        print(name, tilelang.jit(kernel)(tilelang.arange(8, "int32")).tolist())
    except Exception as e:
        print(name, "refused:", str(e).split("\n")[0])


@T.macro
def number(A, B):
    s = T.alloc_var("int32", init=3)
    c = 2
    c += s
    s = 10
    B[0] = c # 2 + s, whatever s is by then
    c += 1
    s = 20
    B[1] = c
    d = A[2]
    d += s
    s = 30
    B[2] = d # d was bound, and is again


show("augmented, a number:", number)


@T.macro
def walrus(A, B):
    s = T.alloc_var("int32", init=3)
    B[0] = (c := s + 1) * 2
    s = 10
    B[1] = c
    B[2] = (s := A[5])
    B[3] = s
    s = A[1]
    B[4] = s


show("walrus:", walrus)


@T.macro
def other(A, B):
    s = T.alloc_var("int32", init=3)
    t = T.alloc_var("int32", init=4)
    B[0] = s
    s = lambda: A[6]
    B[1] = s()
    t = (A[1], 2)
    B[2] = t[0] + t[1]
    t = A[7]
    B[3] = t


show("a var's name for something else:", other)


@T.macro
def stores(v: T.Ref, A):
    for v, i in enumerate([A[5], A[6]]):
        pass
    v = A[3]


@T.macro
def loops(A, B):
    s = T.alloc_var("int32", init=3)
    B[0] = A[7]
    stores(s, A)
    stores(B[0], A)
    B[1] = s
    for s in [A[4], 9]:
        B[2] = s
    for t in range(2):
        t = T.alloc_var("int32", init=6)
    t = A[2]
    B[3] = t


show("a var's name as a loop's:", loops)


@T.macro
def typed(A, B):
    v: T.int8 = A[3] * 100
    B[0] = v
    w: T.float32 = 7
    B[1] = w // 2
    x: T.int32 = T.alloc_var("int32", init=5)
    x = x + 1
    B[2] = x


show("types beside names:", typed)
