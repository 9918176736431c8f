# __slots__, bytes of wrong numbers, str() of bytes, "%" with classes of texts and tuples.
from collections import namedtuple


class A:
    __slots__ = ("x", "__y")

    def __init__(self):
        self.x, self.__y = 1, 2

    def y(self):
        return self.__y


class B(A):
    __slots__ = "z"


class C(A):
    pass


def refused(f):
    try:
        print("no error", f())
    except Exception as e:
        print(type(e).__name__, e)


def put(o, name):
    setattr(o, name, 3)
    return getattr(o, name)


print(put(A(), "x"), A().y(), put(B(), "z"), put(B(), "x"), put(C(), "anything"))
refused(lambda: put(A(), "q"))
refused(lambda: put(B(), "q"))
refused(lambda: A().nothing)


class D(A):
    __slots__ = ("__dict__",)


print(put(D(), "free"))
refused(lambda: bytes([300]))
refused(lambda: bytes([-1]))
refused(lambda: bytes(["a"]))
refused(lambda: bytes(-1))
print(str(b"ab"), str(b"ab", "utf-8"), bytes(2), f"{b'x'}")


class S(str):
    def __str__(self):
        return "own"


P = namedtuple("P", "x y")
print("%s" % S("abc"), "%r" % S("abc"), "%s %s" % (S("a"), 1), "%s-%s" % P(1, 2))
