# Where Python and tracing meet: what a kernel's line means, or that it is refused.
import tilelang
import tilelang.language as T


def show(name, f):
    try:
        print(name, tilelang.jit(f)(tilelang.arange(8, "int32")).tolist())
    except Exception as e:
        print(name, "refused:", str(e).split("\n")[0])


def k0(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        if tx < 2:
            v = 1
        else:
            v = 2
        B[tx] = v
    return B


show("assigned in both branches:", k0)


def k1(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        v = 0
        if tx < 2:
            v = 1
        B[tx] = v
    return B


show("assigned again in a branch:", k1)


def k2(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        v = T.alloc_var('int32')
        v = 7
        if tx < 2:
            v = 1
        B[tx] = v
    return B


show("a var in a branch:", k2)


def k3(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        for i in T.serial(4):
            B[tx] = i
        B[tx] = i
    return B


show("a loop's variable behind it:", k3)


def k4(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        for i in [1, 2]:
            B[tx] = i
        B[tx] = i + 10
    return B


show("that of a list:", k4)


def k5(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        i = 0
        for k in T.serial(4):
            i += 1
        B[tx] = i
    return B


show("a number in a traced loop:", k5)


def k6(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        i = 0
        for k in [1, 2, 3]:
            i += k
        B[tx] = i
    return B


show("a number in a list's loop:", k6)


def k7(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        a = A[tx]
        b = A[tx] + 1
        a, b = b, a
        B[tx] = a * 10 + b
    return B


show("swapped:", k7)


def k8(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = 1 if tx > 5 else 2 if tx > 2 else 3
    return B


show("a choice:", k8)


def k9(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        x = None
        B[tx] = 1 if x is None else 2
    return B


show("a choice of None:", k9)


def k10(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = tx or 5
    return B


show("or of numbers:", k10)


def k11(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = (tx > 3) and 5
    return B


show("and with a number:", k11)


def k12(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = (tx > 3) and A[tx]
    return B


show("and with a load:", k12)


def k13(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = not (tx > 1 and tx < 5 or tx == 7)
    return B


show("and, or, not:", k13)


def k14(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = (tx > 2) or True
    return B


show("or True:", k14)


def k15(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = True and tx
    return B


show("True and a number:", k15)


def k16(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = 0 <= tx < 5 != 4
    return B


show("chained:", k16)


def k17(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = int(tx)
    return B


show("int():", k17)


def k18(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = float(A[tx])
    return B


show("float():", k18)


def k19(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = abs(tx - 4)
    return B


show("abs():", k19)


def k20(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = min(tx, 3) + max(tx, 5)
    return B


show("min(), max():", k20)


def k21(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = sorted([tx, 3])[0]
    return B


show("sorted():", k21)


def k22(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = tx in (1, 2)
    return B


show("in:", k22)


def k23(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        q, r = divmod(tx, 3)
        B[tx] = q * 10 + r
    return B


show("divmod():", k23)


def k24(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = (tx - 5) // 2 * 100 + (tx - 5) % 3
    return B


show("floor:", k24)


def k25(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = 0
        for i in range(5, 0, -2):
            B[tx] = B[tx] * 10 + i
    return B


show("range backwards:", k25)


def k26(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = 1
        if tx > 3:
            return B
        B[tx] = 2
    return B


show("an early return:", k26)


def k27(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        assert 1 == 2, 'bad'
        B[tx] = 1
    return B


show("assert:", k27)


def k28(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        fs = [lambda q: q + i for i in [1, 2, 3]]
        B[tx] = fs[0](tx)
    return B


show("closures of a loop:", k28)


def k29(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        fs = [lambda q, i=i: q + i for i in [1, 2, 3]]
        B[tx] = fs[0](tx)
    return B


show("with a default:", k29)


def k30(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        def pick(q):
            if q > 3:
                return 1
            return 2
        B[tx] = pick(tx)
    return B


show("a function inside:", k30)


def k31(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        def pick(q):
            if q > 3:
                return 1
            return 2
        B[tx] = pick(5)
    return B


show("of a known value:", k31)


def k32(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        c = T.alloc_var('int32', init=1)
        @T.macro
        def put(v):
            v = 9
        put(c)
        B[tx] = c
    return B


show("a macro's parameter:", k32)


def k33(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        c = T.alloc_var('int32', init=1)
        @T.macro
        def put(v: T.Ref):
            v = 9
        put(c)
        B[tx] = c
    return B


show("by reference:", k33)


def k34(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        @T.macro
        def two(v):
            return v + 1, v + 2
        a, b = two(tx)
        B[tx] = a * 10 + b
    return B


show("a macro's tuple:", k34)


def k35(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        l = [A, A]
        B[tx] = l[1][tx]
    return B


show("a list of buffers:", k35)


def k36(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        l = [A, A]
        B[tx] = l[tx][0]
    return B


show("at a traced index:", k36)


def k37(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        n = [0]
        def at():
            n[0] += 1
            return tx
        B[tx] = 0
        B[at()] += 5
        B[tx] += n[0]
    return B


show("augmented, the index once:", k37)


def k38(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        x = 5
        del x
        B[tx] = x
    return B


show("deleted:", k38)


def k39(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        if (y := tx * 2) > 6:
            B[tx] = y
        else:
            B[tx] = 0
    return B


show("walrus:", k39)


def k40(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = 0
        i = 3
        while i > 0:
            B[tx] += 1
            i -= 1
    return B


show("a loop of numbers:", k40)


def k41(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        tx = T.get_thread_binding()
        B[tx] = A[-1]
    return B


show("a negative index:", k41)
