# What comes first: parts of assignments, comparisons of a sort, what generators hand on.
l = [1, 2]
def h():
    l[0] = 100
    return 1
l[0] += h()
print(l)
class O: v = 1
o = O()
def h():
    o.v = 50
    return 1
o.v += h()
print(o.v)
x = 1
def h():
    global x
    x = 50
    return 1
x += h()
print(x)
x = x + h() + x
print(x)
def inner():
    try: yield 1
    except ValueError as e: print('inner', e); yield 2
    finally: print('fin')
def outer():
    r = yield from inner()
i = outer(); print(next(i)); print(i.throw(ValueError('t'))); i.close()
def p(n, v):
    print(n, end=" ")
    return v
d = {}
try: d[p(1, "k")] += p(2, 3)
except KeyError as e: print(repr(e))
m = [[1, 2], [3, 4]]
p(1, m)[p(2, 0)][p(3, 1)] *= p(4, 10)
print(m)
class A:
    def __getitem__(self, k): print("get", k); return 1
    def __setitem__(self, k, v): print("set", k, v)
a = A()
a[1, 2] += 5
a[1:2] -= 1
a[p(1, 3),] += p(2, 4)
def closes():
    try: yield 1
    finally: print("closed")
def over():
    yield from closes()
g = over(); next(g); g.close()
def stops():
    yield 1
    raise StopIteration(5)
try: list(stops())
except RuntimeError as e: print(e, repr(e.__cause__))
def count():
    n = 0
    while True:
        print("at", n)
        yield n
        n += 1
try: x, y = count()
except ValueError as e: print(e)
def handles():
    try: raise KeyError(1)
    except KeyError: yield 1
g = handles(); next(g)
try: raise ValueError
except ValueError as e: print(e.__context__)
class L:
    def __init__(s, v): s.v = v
    def __lt__(s, o): print(s.v, o.v, end=';'); return s.v < o.v
print([l.v for l in sorted([L(3), L(1), L(2), L(5), L(4), L(0)])])
print([l.v for l in sorted([L(3), L(1), L(2), L(5), L(4), L(0)], reverse=True)])
class M:
    def m(self): return __class__.__name__, [__class__ for _ in range(1)][0].__name__
class N(M): pass
print(N().m())
def outer():
    class In: pass
    return In
print(outer().__qualname__, outer())
