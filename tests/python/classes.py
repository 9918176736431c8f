# Classes: inheritance, special methods, descriptors, exceptions.
class A:
    """doc of A"""
    kind = "a"
    count = 0
    flag = False

    def __init__(self, x, y=2):
        self.x, self.y = x, y
        A.count += 1

    def __repr__(self):
        return f"{type(self).__name__}({self.x}, {self.y})"

    def __add__(self, other):
        if isinstance(other, A):
            return A(self.x + other.x)
        if isinstance(other, int):
            return A(self.x + other)
        return NotImplemented

    def __radd__(self, other):
        return A(other + self.x, "r")

    def __iadd__(self, other):
        self.x += other
        return self

    def __eq__(self, other):
        return isinstance(other, A) and self.x == other.x

    def __hash__(self):
        return hash(self.x)

    def __lt__(self, other):
        return self.x < other.x

    def __len__(self):
        return self.x

    def __getitem__(self, k):
        return ("item", k)

    def __contains__(self, k):
        return k == self.x

    def __call__(self, *args, **kw):
        return (args, kw)

    def __bool__(self):
        return self.x != 0

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, v):
        self.x = v // 2

    @staticmethod
    def st(v):
        return v + 1

    @classmethod
    def cm(cls, v):
        return cls(v)

    def f(self):
        return "A.f"


class B(A):
    def __init__(self, x):
        super().__init__(x, y=5)
        self.z = 0

    def f(self):
        return "B.f>" + super().f()


class C(A):
    def f(self):
        return "C.f>" + super().f()


class D(B, C):
    pass


a, b = A(1), B(3)
print(a, b, a + b, a + 1, 5 + a, a == A(1), a != b, a < b, b > a, len(b), a[1, 2], a[1:2], 1 in a, bool(A(0)))
print(a(1, k=2), a.double, A.kind, a.kind, a.flag, A.count, A.st(1), a.st(2), B.cm(4), D(1).f(), [c.__name__ for c in D.__mro__])
a.double = 10
a += 3
print(a, a.x, {A(1): "one"}[A(1)], A.__doc__, A.__name__, a.__class__, isinstance(b, A), issubclass(D, C), hasattr(a, "zz"), getattr(a, "zz", 7))
try:
    a + "s"
except TypeError as e:
    print("TypeError:", e)
try:
    a.nope
except AttributeError as e:
    print("AttributeError:", e)
try:
    A()
except TypeError as e:
    print(e)
try:
    A(1, 2, 3)
except TypeError as e:
    print(e)
try:
    A(1, q=2)
except TypeError as e:
    print(e)
print(vars(A(1)), sorted(n for n in dir(a) if not n.startswith("_")))
m = a.f
print(m(), m.__name__, A.f(a), a.f.__self__ is a)
a.new = 5
del a.new
print(hasattr(a, "new"))


class Meta:
    def __getattr__(self, name):
        if name.startswith("x"):
            return name.upper()
        raise AttributeError(name)

    def __setattr__(self, name, v):
        object.__setattr__(self, "_" + name, v)


mt = Meta()
mt.q = 3
print(mt.xyz, mt._q, hasattr(mt, "bad"))


class E(Exception):
    pass


class F(E):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


def risky(n):
    try:
        if n == 0:
            return "ret"
        if n == 1:
            raise F(7)
        if n == 2:
            raise ValueError("bad", 2)
        if n == 3:
            {}["k"]
        if n == 4:
            [][1]
        if n == 5:
            1 / 0
    except E as e:
        return ("E", str(e), e.code, e.args)
    except (ValueError, KeyError) as e:
        return (type(e).__name__, str(e), e.args, repr(e))
    except IndexError:
        return "index"
    else:
        return "else"
    finally:
        print("finally", n)
    return "end"


for i in range(4):
    print(risky(i))
print(risky(4), risky(6))
try:
    risky(5)
except ZeroDivisionError as e:
    print("zero", e)


def loops():
    out = []
    for i in range(6):
        try:
            if i == 1:
                continue
            if i == 4:
                break
            out.append(i)
        finally:
            out.append("f")
    else:
        out.append("else")
    for i in range(2):
        pass
    else:
        out.append("done")
    while True:
        try:
            raise E("x")
        except E:
            break
    return out


print(loops())
try:
    try:
        raise ValueError("inner")
    except ValueError as e:
        raise RuntimeError("outer") from e
except RuntimeError as e:
    print(e, repr(e.__cause__))
try:
    try:
        raise KeyError("again")
    except KeyError:
        raise
except KeyError as e:
    print(repr(e), e)
try:
    assert 1 == 2, "no"
except AssertionError as e:
    print("assert", e)


class Ctx:
    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, t, v, tb):
        print("exit", t.__name__ if t else None, v)
        return t is ValueError


with Ctx() as c, Ctx():
    print("in", type(c).__name__)
with Ctx():
    raise ValueError("swallowed")


def w():
    with Ctx():
        return 5


print(w())


class It:
    def __init__(self, n):
        self.i, self.n = 0, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


print(list(It(3)), sum(It(4)), [x for x in It(2)], max(It(3)), 2 in It(3))


def gen(n):
    for i in range(n):
        got = yield i
        if got:
            print("got", got)
    return "end"


def outer():
    r = yield from gen(2)
    print("result", r)
    yield 99


print(list(gen(3)), list(outer()))
g = gen(3)
print(next(g), g.send("hi"), next(g), next(g, "default"))
try:
    next(g)
except StopIteration as e:
    print("stop", e.value)


def fin():
    try:
        yield 1
        yield 2
    finally:
        print("closed")


g = fin()
next(g)
g.close()


class L(list):
    def __init__(self, *a):
        super().__init__(*a)
        self.n = "attr"

    def total(self):
        return sum(self)


l = L([1, 2, 3])
l.append(4)
print(l, l.total(), len(l), l[1:], l.n, isinstance(l, list), type(l).__name__, l == [1, 2, 3, 4])


class Dd(dict):
    def __missing__(self, k):
        return k * 2


d = Dd(a=1)
d["b"] = 2
print(d["a"], d["zz"], d, len(d), list(d.items()), d.get("q"))


class S(str):
    def shout(self):
        return self.upper() + "!"


s = S("abc")
print(s, s.shout(), s + "d", len(s), s == "abc", {s: 1}["abc"], [s])


class T2(tuple):
    pass


print(T2([1, 2]), T2((3,))[0])


class P:
    registry = []

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        P.registry.append(cls.__name__)


class Q(P):
    pass


print(P.registry)


class Desc:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, o, cls=None):
        return self if o is None else o.__dict__.get("_" + self.name, "unset")

    def __set__(self, o, v):
        setattr(o, "_" + self.name, v)


class H:
    d = Desc()


h = H()
print(h.d)
h.d = 4
print(h.d, h._d)


class New:
    def __new__(cls, v):
        o = super().__new__(cls)
        o.v = v
        return o


print(New(3).v)


def kw(a, b=2, *args, c, d=4, **rest):
    return (a, b, args, c, d, rest)


print(kw(1, c=3), kw(1, 5, 6, 7, c=8, e=9), kw(*[1, 2, 3], **{"c": 1, "z": 2}))
for bad in [lambda: kw(1), lambda: kw(c=1), lambda: (lambda a, /: a)(a=1), lambda: (lambda a: a)(1, 2), lambda: (lambda: 1)(1), lambda: (lambda a, b=1: a)(1, 2, 3), lambda: (lambda a: a)(1, a=2), lambda: (lambda a, b, c: 0)(1)]:
    try:
        bad()
    except TypeError as e:
        print(e)
for bad in [lambda: 1 + "a", lambda: "a" + 1, lambda: [1] + (2,), lambda: 1 < "a", lambda: -"a", lambda: len(3), lambda: 3(), lambda: 3[0], lambda: [1]["a"], lambda: "abc"[5], lambda: [1, 2][2], lambda: {}[1], lambda: {[]: 1}, lambda: int("x"), lambda: float("y"), lambda: int(None), lambda: (lambda: (yield))() + 1, lambda: [].pop(), lambda: (1, 2)[3], lambda: iter(3), lambda: next([]), lambda: sum(["a"]), lambda: max([]), lambda: [1, 2].index(3), lambda: "a".index("b"), lambda: [].remove(1), lambda: 1 % 0, lambda: 1 // 0, lambda: 1.0 / 0, lambda: range(1, 2, 0), lambda: chr(-1), lambda: ord("ab"), lambda: None.x, lambda: (1).foo, lambda: [].foo, lambda: len.foo, lambda: A.foo, lambda: print(a=1), lambda: "{}".format(), lambda: "%d" % "x", lambda: "%d" % (1, 2), lambda: f"{1:s}", lambda: f"{'a':d}", lambda: ",".join([1]), lambda: {1: 2}.pop(3), lambda: setattr(1, "x", 2), lambda: len(), lambda: [].append(), lambda: "a".split(1), lambda: isinstance(1, 2), lambda: (_ for _ in 5), lambda: [*5], lambda: undefined_name]:
    try:
        bad()
        print("no error")
    except Exception as e:
        print(type(e).__name__ + ":", e)
try:
    x, y = 1, 2, 3
except ValueError as e:
    print(e)
try:
    x, y = [1]
except ValueError as e:
    print(e)
try:
    x, y = 5
except TypeError as e:
    print(e)
def local_unbound():
    print(zz)
    zz = 1
try:
    local_unbound()
except UnboundLocalError as e:
    print(type(e).__name__, e)
