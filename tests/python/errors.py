# Statements about exceptions that classes.py leaves out, logging, warnings.
import logging, sys, warnings, traceback
sys.stderr = sys.stdout
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stdout)
log = logging.getLogger("m")
log.debug("no")
log.info("n = %d", 5)
logging.warning("root %s", "w")
def f():
    try:
        return "try"
    finally:
        print("fin")
def g():
    for i in range(3):
        try:
            if i == 1:
                return i
        finally:
            if i == 1:
                print("leaving")
def h():
    try:
        raise ValueError("a")
    except ValueError:
        try:
            raise KeyError("b")
        except KeyError as e:
            print(repr(e.__context__))
        try:
            raise
        except ValueError as e:
            return str(e)
    finally:
        print("h done")
print(f(), g(), h())
def nest(n):
    while True:
        for i in range(5):
            try:
                try:
                    if i == 2:
                        break
                    if i == 0:
                        continue
                    print("body", i)
                finally:
                    print("f1", i)
            except Exception:
                print("never")
            else:
                print("else", i)
        return n
print(nest(7))
class Bad:
    def __enter__(self):
        raise RuntimeError("enter")
    def __exit__(self, *a):
        print("not reached")
try:
    with Bad():
        pass
except RuntimeError as e:
    print(e)
class Stack:
    def __init__(self, n): self.n = n
    def __enter__(self): print("in", self.n); return self.n
    def __exit__(self, t, v, tb): print("out", self.n, t is not None); return self.n == 1
with Stack(1) as a, Stack(2) as b:
    raise KeyError(a + b)
for e in (ValueError(), ValueError("x"), ValueError("x", 1), KeyError("k"), OSError(2, "No such file"), StopIteration(3), AssertionError("m"), Exception(None), IndexError(1.5)):
    print(repr(e), "|", str(e), "|", e.args)
try:
    raise ValueError
except (KeyError, ValueError) as e:
    print(type(e), e.args)
def rec(n):
    return rec(n + 1)
try:
    rec(0)
except RecursionError as e:
    print(type(e).__name__)
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError("wrapped") from None
except ValueError as e:
    print(e, e.__cause__)
def gen():
    try:
        x = yield 1
        print("x", x)
    except ValueError as e:
        print("in gen", e)
        yield "caught"
g = gen()
print(next(g), g.throw(ValueError("t")))
def bad_gen():
    yield 1
    raise KeyError("gen")
try:
    list(bad_gen())
except KeyError as e:
    print("from gen", e)
try:
    raise TypeError("t") from ValueError("v")
except TypeError as e:
    print(repr(e.__cause__))
class MyErr(Exception):
    def __init__(self, a, b):
        self.a = a
    def __str__(self):
        return f"my {self.a}"
try:
    raise MyErr(1, b=2)
except MyErr as e:
    print(e, e.args, e.a, repr(e))
try:
    raise 5
except TypeError as e:
    print(e)
try:
    for k in (d := {"a": 1}):
        d["b"] = 2
except RuntimeError as e:
    print(e)
def outer():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    inc()
    return inc()
print(outer())
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], [f() for f in [lambda: i for i in range(3)]])
x = [1, 2, 3]
for v in x:
    if v == 2:
        x.append(9)
    if len(x) > 5:
        break
print(x, v)
i = 0
while i < 3:
    i += 1
    if i == 2:
        continue
else:
    print("while else", i)
a = b = []
a.append(1)
print(a, b, a is b)
a, b = 1, 2
a, b = b, a
print(a, b)
d = {}
d.setdefault("k", []).append(1)
d["x"] = d.get("x", 0) + 1
for k, v in d.items():
    print(k, v, end=";")
print(list(d), list(d.values()), d.keys() & {"k"}, "k" in d.keys(), len(d.items()), d.pop("x"), d, d.keys(), d.values(), d.items())
del d["k"]
print(d, dict(zip("ab", [1, 2])), dict([(1, 2)]), dict(a=1), {k: v for k, v in zip("ab", "cd")}, sorted({"b": 1, "a": 2}), max({"a": 3, "b": 1}, key={"a": 3, "b": 1}.get))
s = {3, 1}
s.add(2)
s |= {7}
s.discard(9)
print(len(s), 7 in s, s >= {1}, sorted(s), {1, 2}.isdisjoint({3}), frozenset([1]) | {2}, set("aab") == {"a", "b"})
print(type(e_) if (e_ := 3) else 0, e_)
print(__name__, callable(len), callable(3), id(a) == id(a), [1, 2] + [3], not [], print is print, (lambda *a, **k: (a, k))(1, b=2))
print(any(x > 2 for x in [1, 2, 3]), " ".join(str(i) for i in range(3)), sum(len(w) for w in ["a", "bb"]), {**dict(a=1)}, [*range(3)], *[1])
print(0x10, 1e3, 10 // 3 * 3.0, -7 // 2, 2 ** 3 ** 2, -2 ** 2, not 1 == 2, 1 if 0 else 2 if 0 else 3, 5 % -3, "a" < "b" < "c", 3 & 1 | 4)
