# Generators that are left early: what stands in `finally` and behind `with` runs.
log = []


class R:
    def __enter__(self):
        log.append("enter")
        return self

    def __exit__(self, *a):
        log.append(("exit", a[0].__name__ if a[0] else None))


def g(n=3):
    with R():
        try:
            for i in range(n):
                yield i
        finally:
            log.append("fin")


def show(name):
    print(name, log)
    log.clear()


for v in g():
    break
show("break")


def first():
    for v in g():
        return v


print(first())
show("return")
try:
    for v in g():
        raise ValueError("x")
except ValueError:
    log.append("handler")
show("raise")
for a in g(2):
    for b in g(2):
        if b == 1:
            break
    log.append("outer")
show("nested")
for a, b in ((x, x) for x in g()):
    break
show("expression")


class C:
    def __iter__(self):
        for v in g():
            yield v


for v in C():
    break
show("class")
for v in g(1):
    pass
else:
    log.append("else")
show("whole")


def outer():
    for v in g():
        yield v


for v in outer():
    break
show("through another")
kept = g()
for v in kept:
    break
show("kept by a name")
print(next(kept), list(kept))
show("goes on")


def stored(c):
    return c["it"]


c = {"it": g()}
for v in stored(c):
    break
show("of a function that is no generator")
print(list(c["it"]))
show("goes on")


def loop():
    for i in range(2):
        for v in g():
            if i == 0:
                continue
            break
        log.append(i)


loop()
show("continue")
