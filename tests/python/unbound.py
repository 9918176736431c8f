# Names that lose their value, or never get one.
def a():
    x = 1
    for i in range(2):
        print(x)
        del x
try: a()
except Exception as e: print(type(e).__name__, e)
def b():
    e = 5
    try: 1/0
    except ZeroDivisionError as e: print('c', e)
    print(e)
try: b()
except Exception as e: print(type(e).__name__, e)
try: print(e)
except NameError as q: print(q)
class S:
    def __enter__(self): return self
    def __exit__(self, *a): return True
def g(): raise ValueError
def c():
    with S():
        g()
        x = 1
    print(x)
try: c()
except Exception as e: print(type(e).__name__, e)
def free():
    def inner():
        return late
    try: print(inner())
    except NameError as e: print(e)
    late = 1
    print(inner())
    del late
    try: print(inner())
    except NameError as e: print(e)
free()
def loop():
    for i in range(3):
        if i: del y
        y = i
    del y
    try: y
    except UnboundLocalError as e: print(e)
loop()
def early():
    for i in range(2):
        try: 1 / i
        except ZeroDivisionError as e: continue
    print(i)
    return e
try: early()
except UnboundLocalError as e: print(e)
def f(c):
    if c and (x := 5): pass
    return x
for c in (1, 0):
    try: print(f(c))
    except Exception as e: print(type(e).__name__, e)
def g():
    while (i := i + 1) < 4: pass
try: g()
except Exception as e: print(type(e).__name__, e)
