# Signatures, parameters and bound arguments are equal by what they say.
import inspect
def f(a, b: int = 3, *, k=1, l=2): pass
def g(a, b: int = 3, *, l=2, k=1): pass
def h(b, a: int = 3, *, k=1, l=2): pass
s, t, u = map(inspect.signature, (f, g, h))
print(s == t, s == u, s != t, s == 3, hash(s) == hash(t), len({s, t, u}))
p, q = s.parameters["b"], t.parameters["b"]
print(p == q, p == s.parameters["k"], hash(p) == hash(q), p in [q], p == p.replace(default=4))
print(inspect.signature(lambda x: x) == inspect.signature(lambda x: 1), inspect.signature(lambda x: x) == inspect.signature(lambda y: 1))
print(s.bind(1) == t.bind(1), s.bind(1) == s.bind(2), s.bind(1) == t.bind(1, 2))
try:
    hash(s.bind(1))
except TypeError as e:
    print(e)
