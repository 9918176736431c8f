# Signatures that are made of others.
import inspect
def f(a, b=2, *, c: int = 3): pass
s = inspect.signature(f)
p = s.parameters["b"]
print(p.replace(name="z"), p.replace(default=5), p)
t = s.replace(parameters=[q.replace(name="z") if q.name == "b" else q for q in s.parameters.values()])
print(t, list(t.parameters), s)
