# What the program of a kernel raises while it is made is that exception outside, too.
import tilelang
import tilelang.language as T


class TooLong(ValueError):
    def __init__(self, n):
        super().__init__(f"{n} is too long")
        self.n = n


def checked(n):
    if n > 6:
        raise TooLong(n)
    return n


@tilelang.jit
def made(n):
    assert n != 5, "not five"

    @T.prim_func
    def main(A: T.Tensor((n,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            for i in T.Parallel(checked(n)):
                A[i] = {4: 1.0}[n]

    return main


for n in (4, 5, 6, 7):
    try:
        made(n)
        print("made", n)
    except TooLong as e:
        print("TooLong", e, e.n)
    except (AssertionError, KeyError) as e:
        print(repr(e))

try:
    try:
        made(7)
    except ValueError as e:
        raise RuntimeError("no kernel") from e
except RuntimeError as e:
    print(repr(e), repr(e.__cause__))
