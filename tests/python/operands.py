# Operators on what they do not take, and augmented.
for f in [lambda: 2.0 * 'a', lambda: [1] * 2.0, lambda: 'a' * 'b', lambda: (1,) * None, lambda: [1] * [2]]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class A:
    def __init__(self, *a, **k): super().__init__(*a, **k)
class B:
    pass
class C(A): pass
for f in [lambda: A(), lambda: A(1), lambda: A(k=1), lambda: B(1), lambda: B(k=1), lambda: C(3)]:
    try: print(type(f()).__name__)
    except Exception as e: print(type(e).__name__, e)
def aug(a, b, op):
    try:
        if op == '+': a += b
        elif op == '-': a -= b
        elif op == '*': a *= b
        elif op == '|': a |= b
        elif op == '**': a **= b
        elif op == '<<': a <<= b
        elif op == '%': a %= b
        elif op == '//': a //= b
        elif op == '/': a /= b
        elif op == '@': a @= b
        return a
    except Exception as e: return type(e).__name__ + ' ' + str(e)
for op in '+ - * | ** << % // / @'.split():
    for a in [3, 's', [1], None, True]:
        for b in [3, 2.0, 's', [1], None, True]:
            r = aug(a if not isinstance(a, (list, dict, set)) else a.copy(), b, op)
            print(op, a, b, r)
