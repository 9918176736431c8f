# A name that a kernel has bound is bound again in a loop or branch of the program: the new value is that block's, as
# in TileLang; what Python alone would carry from turn to turn is refused.
import tilelang
import tilelang.language as T


def show(name, body):
    def kernel(A):
        A: T.Tensor((8,), "int32")
        B = T.empty((8,), "int32")
        with T.Kernel(1, threads=8):
            for j in T.Parallel(8):
                B[j] = -1
            body(A, B)
        return B

    try:
        print(name, tilelang.jit(kernel)(tilelang.arange(8, "int32")).tolist())
    except Exception as e:
        print(name, "refused:", str(e).split("\n")[0])


@T.macro
def anew(A, B):
    v = A[0] + 5
    for i in T.serial(3):
        v = A[i] * 10
        v = v + 1
        B[i] = v


show("bound again before it is read:", anew)


@T.macro
def number(A, B):
    v = 7
    B[7] = v
    for i in T.serial(3):
        v = A[i] * 10
        B[i] = v


show("that was a number:", number)


@T.macro
def tile(A, B):
    t = T.alloc_shared((8,), "int32")
    T.copy(A, t)
    for i in T.serial(2):
        t = T.alloc_shared((4,), "int32")
        T.copy(A[i * 4], t)
        T.copy(t, B[i * 4])


show("that was a tile:", tile)


@T.macro
def arm(A, B):
    v = A[1]
    if A[3] > 2:
        v += 1
        v *= 10
        B[0] = v
    else:
        B[0] = 3


show("changed and read in one branch:", arm)


@T.macro
def across(A, B):
    v = A[1] + 5
    for i in T.serial(4):
        if i < 2:
            B[i] = v
        else:
            v = A[i] + 20
            B[i] = v
    for i in T.serial(4):
        if i < 2:
            B[4 + i] = 0
        else:
            v = i
            B[4 + i] = v


show("read in another branch:", across)


@T.macro
def across_number(A, B):
    v = 5
    for i in T.serial(4):
        if i < 2:
            B[i] = v
        else:
            v = A[i]


show("which was a number:", across_number)


@T.macro
def carried(A, B):
    v = A[1]
    for i in T.serial(4):
        B[i] = v
        v = A[i]


show("carried to the next turn:", carried)


@T.macro
def own(A, B):
    v = A[1]
    for i in T.serial(4):
        v = v + A[i]
        B[i] = v


show("from itself:", own)


@T.macro
def inner(A, B):
    v = A[1]
    for i in T.serial(4):
        v = A[i]
        for j in T.serial(2):
            v += 1
            B[i * 2 + j] = v


show("from itself, in the inner of two loops:", inner)


@T.macro
def condition(A, B):
    v = A[1]
    while v < 3:
        v = A[3]
        B[0] = v


show("read by the condition of a loop:", condition)


@T.macro
def behind(A, B):
    v = A[1]
    for i in T.serial(4):
        v = A[i]
    B[0] = v


show("read behind the loop:", behind)


@T.macro
def turns(A, B):
    v = 0
    for i in [1, 2]:
        B[i] = v
        if A[1] > 0:
            v = i


show("read in the next turn of a loop of Python's:", turns)


@T.macro
def other_arm(A, B):
    v = A[1]
    if A[2] > 1:
        v = A[3]
        B[0] = v
    else:
        B[0] = v


show("read in the other branch:", other_arm)


@T.macro
def closed(A, B):
    v = A[1]
    f = lambda: v
    for i in T.serial(4):
        B[i] = f()
        v = A[i]


show("read by a function:", closed)


# An `if` that Python decides ends nothing.
flag = True


@T.macro
def arm_var(A, B):
    if flag:
        s = T.alloc_var("int32")
        s = 0
    for k in T.serial(4):
        if flag:
            s = s + A[k]
            B[k] = s
    if flag:
        B[4] = s


show("a var that an arm of Python's made:", arm_var)


@T.macro
def arm_number(A, B):
    if flag:
        s = 0
    for k in T.serial(4):
        s = s + A[k]
        B[k] = s


show("a number that an arm of Python's gave:", arm_number)
