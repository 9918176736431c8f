# Signature.bind and bind_partial: what each parameter gets, and what is refused.
import inspect
def f(a, /, b, c: int = 3, *rest, d, e="x", **more) -> None: pass
def g(a, b=2): pass
def h(*, k): pass
def only(a, b=None, /): pass
print(inspect.signature(f), inspect.signature(only))
def tell(how, *args, **kwargs):
    try:
        b = how(*args, **kwargs)
        print(b, b.args, b.kwargs)
        b.apply_defaults()
        print("   ", b, b.args, b.kwargs)
    except TypeError as e:
        print(type(e).__name__, e)
for fn in (f, g, h, only, lambda: 0, lambda *args: 0, lambda **kw: 0):
    s = inspect.signature(fn)
    for how in (s.bind, s.bind_partial):
        tell(how)
        tell(how, 1)
        tell(how, 1, 2)
        tell(how, 1, 2, 4, 5, 6)
        tell(how, 1, 2, 4, 5, d=7)
        tell(how, 1, b=3)
        tell(how, 1, 2, b=3)
        tell(how, 1, 2, d=8, z=9, y=None)
        tell(how, a=1, b=2)
        tell(how, a=1)
        tell(how, b=1, d=2)
        tell(how, k=1)
        tell(how, 1, k=False)
s = inspect.signature(g)
b = s.bind(1)
b.arguments["b"] = 5
print(b, b.args, b.kwargs, b.signature is s, type(b).__name__, isinstance(b, inspect.BoundArguments))
b.arguments = {"b": 7}
print(b.args, b.kwargs, list(b.arguments.items()))
print(g(*s.bind(1, b=4).args), s.bind(*(1,), **{"b": False}))
try:
    b.signature = None
except AttributeError as e:
    print("AttributeError")
class A:
    def m(self, x: "A", self_=1): pass
    class In: pass
def k(a: A, b: A.In, c: "A" = 1) -> A: pass
print(inspect.signature(A().m).bind(3), inspect.signature(k))
