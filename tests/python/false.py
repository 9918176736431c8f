# False where the run-time looks whether there is something at all.
import functools, itertools, os
from dataclasses import dataclass, field, asdict, replace
class O: pass
print(getattr(O(), 'x', False), max([], default=False), max([1, 5, 3], key=lambda x: x == 3), list(filter(None, [0, False, 2, '', True])))
print([(k, list(g)) for k, g in itertools.groupby([1, 2, 5, 1], key=lambda x: x > 3)])
try: print(functools.reduce(lambda a, b: a or b, [False, 0, 3]))
except Exception as e: print(e)
@dataclass
class D:
    a: int
    b: bool = False
    c: list = field(default_factory=list)
    d: object = None
print(D(1), D(1, True), D(2) == D(2), asdict(D(1)), replace(D(1), b=True))
print(list(itertools.pairwise([False, True, False])), list(itertools.accumulate([False, 1, 2])), list(itertools.zip_longest([1, 2], [3], fillvalue=False)))
print(os.environ.get('NOPE_X', False), {}.get(1, False), {1: False}.pop(1), {}.pop(1, False), {}.setdefault(1, False), [False].pop(), next(iter([]), False), next(iter([False])))
class P:
    def __init__(self): self.f = False
    def __getattribute__(self, n): return object.__getattribute__(self, n)
    def __getitem__(self, k): return False
    def __call__(self): return False
    def __contains__(self, k): return False
    @property
    def q(self): return False
    def __getattr__(self, n): return False
    def __iter__(self): yield False; yield False
p = P(); print(p.f, p[0], p(), 1 in p, p.q, p.zz, list(p), [*p], min(p), sorted(p), any(p), all(p), sum(p))
a, b = p; print(a, b)
class Q:
    x = False
    def __enter__(self): return False
    def __exit__(self, *a): return False
with Q() as q: print(q)
print(Q.x, Q().x, getattr(Q(), 'x', 5), hasattr(Q(), 'x'), vars(P()))
d = {False: False, 'k': False}
print(d[False], d['k'], d[0], 'k' in d, list(d.values()), list(d.items()), d == {0: 0, 'k': 0}, {**d}, dict(d), d.copy())
def g(a=False, *r, k=False, **kw): return a, r, k, kw
print(g(), g(False, False, k=False, z=False), g(*[False]), g(**{'a': False}))
def gen():
    x = yield False
    print('got', x)
    return False
i = gen(); print(next(i))
try: i.send(False)
except StopIteration as e: print(repr(e), e.value)
def o():
    r = yield from gen()
    print('r', r)
print(list(o()))
print([x for x in [False, True, None]], {x for x in [False]}, list(map(lambda x: not x, [True, False])), list(zip([False], [None])), list(enumerate([False])), list(reversed([False, None])))
for x in [False, None, 0]: print(x)
for x, y in [(False, None)]: print(x, y)
print(False or False, False and 1, None or False, 0 or False, False if True else 1, 1 if False else False, (lambda: False)())
x = [False] * 3; x[1] = None; print(x, x.index(False), x.count(False), False in x, x[0:2])
a, *b = False, None, False; print(a, b)
f = functools.partial(g, k=False); print(f())
@functools.lru_cache
def c(x): print('c'); return False
print(c(1), c(1))
e = Exception(False); print(e, repr(e), e.args)
try: raise Exception(False)
except Exception as e: print(e.args[0])
print("%s %r" % (False, False), f"{False} {False!r:>8} {False=}", "{}".format(False), str(False))
def h():
    try: return False
    finally: print('fin')
print(h())
def h():
    for i in [1]:
        try:
            with Q(): return False
        finally: pass
print(h())
assert not False, False
try: assert False, False
except AssertionError as e: print(repr(e))
global_false = False
def rd(): return global_false
print(rd())
def nl():
    v = False
    def s():
        nonlocal v
        r = v
        v = not v
        return r
    return s(), s(), v
print(nl())
class CC:
    v = False
    w = [v for _ in range(1)] if False else v
    def __init__(self, z=False): self.z = z
    def __eq__(self, o): return False
    def __bool__(self): return False
    def __len__(self): return 3
    def __add__(self, o): return False
    def __radd__(self, o): return False
    def __iadd__(self, o): return False
    def __neg__(self): return False
    def __lt__(self, o): return False
    def __hash__(self): return 1
c = CC(); print(c.v, c.w, c.z, c == c, c + 1, 1 + c, -c, c < c, bool(c), c in [c], [c] == [c], c or 2)
c += 1; print(c)
print(functools.reduce(lambda a, b: False, [1, 2]), sum([False, True]), sum([], False), divmod(True, True), round(True), abs(False), int(False), float(False), max(False, True), max([False]), min(1, False))
