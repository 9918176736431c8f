# __dict__ and vars(): what a program writes there is an attribute.
class A:
    k = 1
    def __init__(self, **kw):
        self.__dict__.update(kw)
    def __setattr__(self, name, v): print("set", name); object.__setattr__(self, name, v)
a = A(x=1, y=2)
a.__dict__["z"] = 3
vars(a)["w"] = 4
print(a.x, a.y, a.z, a.w, dict(vars(a)), a.__dict__.pop("x"), hasattr(a, "x"), a.__dict__.get("nope"), a.__dict__.setdefault("q", []), a.q)
del a.__dict__["y"]
a.__dict__ |= {"m": 5}
print(sorted(vars(a)), "z" in a.__dict__, len(a.__dict__), {**a.__dict__, "n": 1}, dict(vars(a)) == vars(a))
b = A()
b.__dict__.update(a.__dict__)
copied = dict(a.__dict__)
copied["only"] = 1
print(b.z, hasattr(a, "only"), a.__dict__ == b.__dict__)
a.__dict__.clear()
print(dict(vars(a)), a.k, b.z)
a.__dict__ = {"p": 1}
print(a.p, vars(a))
try: A.__dict__["k"] = 2
except TypeError as e: print(e)
class D:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, o, owner=None): return self if o is None else o.__dict__.get(self.name, "none")
    def __set__(self, o, v): o.__dict__[self.name] = v * 2
class H: d = D()
h = H()
print(h.d)
h.d = 4
print(h.d, vars(h))
def f(): pass
f.__dict__["tag"] = 7
print(f.tag, f.__dict__)
