# Numbers to the last digit, formats to the last character, and `global` inside of a function with a local of that name.
import json
import math


def tried(f):
    try:
        print(f())
    except (ValueError, TypeError, OverflowError) as e:
        print(type(e).__name__, e)


x = 10


def outer():
    x = 5

    def inner():
        global x
        x = 6
        return lambda: x

    def deeper():
        def write():
            global x
            x += 1

        write()
        return x

    print(inner()(), x, deeper(), x)


outer()
print(x)

for name in ["expm1", "log1p", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "cbrt", "exp2", "degrees", "radians"]:
    print(name, [getattr(math, name)(v) for v in [1e-9, 0.3, 2.7, 12.125]])
print(math.hypot(0.30000000000000004, -5), math.hypot(1e200, 1e200), math.hypot(), math.dist((1, 2), (4, 6.5)))
print(math.fsum([0.1] * 10), math.fsum([1e16, 1, 1e-16]), math.fsum([2, float("inf")]), math.fsum([-0.0]), math.fsum([]))
print(math.comb(5, 2), math.comb(2, 5), math.perm(5, 2), math.perm(4), math.perm(2, 3), math.copysign(1, float("nan")))
for f in [lambda: math.comb(-4, 2), lambda: math.comb(4, -2), lambda: math.perm(-4, 2), lambda: math.perm(2, -1),
          lambda: math.fsum([float("inf"), float("-inf")])]:
    tried(f)
print([v.hex() for v in [2.0, -0.5, 0.0, -0.0, 5e-324, 1e15, 0.1, float("inf"), float("nan")]])
print((0.75).as_integer_ratio(), (-6.0).as_integer_ratio(), (0.1).as_integer_ratio())
tried(lambda: float("nan").as_integer_ratio())

for spec in ["#.0e", "#.0f", "#.0g", "#.1", "#.3g", "#g", "+#12,.0e", "#0,.0e"]:
    print(repr(format(123456.789, spec)), repr(format(1.0, spec)))
for text in ["%+12.6x", "%-+7.3i|", "%5.2d|", "%#12.6x", "% 3.6i", "%#5.0E", "%08.3d|", "%.0f", "%#.0f"]:
    print(repr(text % 42), repr(text % -7))
for spec in [",x", ",b", "_x", "_b", ",n", "_n", ",c", "+c", "#c", ",d", "_d", ",%", ",s"]:
    tried(lambda: repr(format(70000, spec)))
tried(lambda: format(1.5, "_n"))
tried(lambda: "%5%" % ())
tried(lambda: "100%%" % ())
print(json.dumps("\x00\x1f\x7f\x80é"), json.dumps("\x7fé", ensure_ascii=False) == '"\x7fé"')
