# o.__dict__ kept in a variable follows o, and o it; several objects may share one.
class A:
    def __init__(self):
        self.x = 1
        self.y = 2
a = A()
d = a.__dict__
a.x = 5
a.z = 7
print(d, d is a.__dict__, d is vars(a))
del a.y
print(d, "y" in d)
d["w"] = 3
print(a.w, a.__dict__)
d.pop("x")
print(hasattr(a, "x"), d)
setattr(a, "q", 1); object.__setattr__(a, "r", 2); delattr(a, "q")
print(d)
old = d
a.__dict__ = {"n": 1}
a.m = 2
print(old, a.__dict__)
old["lost"] = 1
print(hasattr(a, "lost"), a.__dict__)
def f():
    a.n += 1
for i in range(3): f()
print(vars(a))
class Borg:
    shared = {}
    def __init__(self):
        self.__dict__ = self.shared
p, q = Borg(), Borg()
p.x = 1
q.y = 2
print(p.y, q.x, Borg.shared, p.__dict__ is q.__dict__)
Borg.shared["z"] = 3
del q.x
print(p.z, hasattr(p, "x"), vars(q))
