# What built-in functions and methods are given.
print('a\tb'.expandtabs(0), 'a\tb'.expandtabs(-1), 'a\tb'.expandtabs(4), 'é'.encode(), 'abc'.encode('ascii'), 'é'.encode('UTF-8').decode('utf_8'))
for f in [lambda: 'é'.encode('ascii'), lambda: {}.update(1, 2), lambda: {}.update([(1, 2)], a=1), lambda: b'\xff'.decode()]:
    try: print(f())
    except Exception as e: print(type(e).__name__)
print(callable('a'), callable(len), callable(3), chr(True), round(2.5, True), list(enumerate('ab', True)), 'a'.center(4, '*'))
for f in [lambda: chr('a'), lambda: chr(2.5), lambda: 'a'.ljust(2.5), lambda: 'a'.ljust('a'), lambda: 'a'.ljust(3, 'xx'), lambda: int(5, 10), lambda: int('5', 40), lambda: int('5', 'a'), lambda: format(1, 2), lambda: round(1, 'a'), lambda: enumerate([], 'a'), lambda: map(len), lambda: iter(1, 2), lambda: 'a'.split(None, 'b'), lambda: 'abc'.find('a', 'b'), lambda: [].insert('a', 1)]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
import math
for f in [lambda: math.log(2, 1), lambda: math.log(2, 0), lambda: dict({}, {}), lambda: "%x" % 1.5, lambda: "%c" % "ab", lambda: f"{-1:c}", lambda: f"{'a':,}", lambda: f"{5:.2}",
          lambda: "%s" % [1], lambda: "a" % [1], lambda: "a" % (1,), lambda: f"{True:s}", lambda: 1 in 2, lambda: {**5}, lambda: [*None], lambda: (*1.5, 2), lambda: max([]), lambda: "".join(5),
          lambda: "a".startswith((1,)), lambda: "a".startswith(1), lambda: "a".replace(1, "b"), lambda: "a".partition(""), lambda: "a".strip(1), lambda: reversed({1}), lambda: dict([1]), lambda: int("08", 0)]:
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
class A:
    pass
a = A()
class B:
    def __setitem__(self, k, v): pass
    def __bool__(self): return 1
b = B()
def delete(o, k): del o[k]
def put(o, k): o[k] = 1
def unpack(o): x, y = o
def f(a, b=1, *, k=2): pass
for g in [lambda: delete(a, 0), lambda: delete(a, "k"), lambda: delete("s", 0), lambda: delete(1, 0), lambda: delete(b, 0), lambda: put(a, 0), lambda: put((1,), 0), lambda: unpack(a), lambda: unpack(5), lambda: unpack([1]),
          lambda: unpack("abc"), lambda: bool(b), lambda: f(1, 2, 3, k=4), lambda: f(1, 2, 3), lambda: f(nope=1), lambda: a.nope, lambda: A(1), lambda: A(k=1), lambda: object.__init__(a, 1)]:
    try: print(repr(g()))
    except Exception as e: print(type(e).__name__, e)
def f(*a, **k): return a, k
for g in [lambda: f(a=1, **{'a': 2}), lambda: f(**{'a': 2}, a=1), lambda: f(**{'a': 1}, **{'a': 2}), lambda: f(**{1: 2}), lambda: dict(a=1, **{'a': 3}), lambda: f(**5), lambda: f(a=1, **{'b': 2})]:
    try: print(g())
    except Exception as e: print(type(e).__name__, e)
for f in [lambda: (1, 2) * 9223372036854775807, lambda: [1] * (1 << 62), lambda: [] * (1 << 60), lambda: '' * (1 << 60), lambda: [1] * -5]:
    try: print(len(f()))
    except MemoryError as e: print('MemoryError', e)
