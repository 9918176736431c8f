# Values: numbers, texts, containers as Python prints them.
print(1, 2.5, -3, 1e16, 1e-5, 123456789.0, 1e15, 0.1 + 0.2, 5e-324, 2**-44, 1/3, 1e300*10, float("inf"), -float("inf"), float("nan"))
print(100.0, 1e22, 1.5e-7, 0.0001, 0.00001, 12345678901234567.0, -0.0, 2.0**53)
print(7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, 7.5 // 2, -7.5 % 2, 2 ** 10, 2 ** -1, 2 ** 0.5, 10 / 4, 4 / 2)
print(True + 1, -True, True & False, True | False, True ^ True, ~5, 5 & 3, 5 | 3, 5 ^ 3, 1 << 10, -8 >> 1)
print(1 == 1.0, True == 1, "a" < "b", [1, 2] < [1, 3], (1, 2) == (1, 2), [1] == (1,), None == 0, 1 < 2 < 3, 1 < 3 < 2)
print("it's", 'say "hi"', repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("tab\tnl\n\\ \x01 é 中"), ascii("é中"))
print([1, "a", None, True, 2.0], (1,), (), [], {}, {"a": 1, 2: [3]}, {1}, set(), frozenset([1]), range(3), range(1, 10, 2))
a = [1]
a.append(a)
print(a)
d = {}
d["d"] = d
print(d)
print(len("héllo"), "héllo"[1], "héllo"[-1], "héllo"[1:3], "hello"[::-1], "hello"[::2], "abc" * 2, "a" in "abc", "x" not in "abc")
l = list(range(10))
print(l[2:5], l[:3], l[-3:], l[::3], l[::-2], l[8:2:-2], l[100:], l[-100:2])
l[2:4] = ["x", "y", "z"]
print(l)
l[::2] = [0] * len(l[::2])
print(l)
del l[0], l[-1]
del l[1:3]
print(l)
l += [1, 2]
l *= 2
print(l)
x, *y, z = range(5)
print(x, y, z)
(p, q), r = (1, 2), 3
print(p, q, r)
print({1: "a", 1.0: "b", True: "c"}, {(1, 2): 3}[1, 2], hash((1, 2)) == hash((1, 2)), {1, 2} | {3}, {1, 2} & {2}, {1, 2} - {2}, {1} ^ {2}, {1} < {1, 2})
print({**{"a": 1}, "b": 2}, [*[1, 2], 3], (*"ab", 1), {"a": 1} | {"b": 2})
print(round(0.5), round(1.5), round(2.5), round(2.675, 2), round(1234, -2), round(1250, -2), round(-2.5), round(3.14159, 3), round(1e15))
print(int("42"), int("-0x1f", 16), int("0b101", 0), int(3.9), int(-3.9), int("1_000"), float("1e3"), float(" 2.5 "), bool([]), bool("a"), str(1.0), int(True))
print(min(3, 1, 2), max([1, 5, 2]), min("abc"), max([1, -5], key=abs), sum([1, 2.5]), sum([[1], [2]], []), min([], default=7))
print(divmod(7, 2), divmod(-7, 2), pow(2, 10), pow(3, 4, 5), abs(-3), abs(-2.5), hex(255), oct(8), bin(5), hex(-1), chr(97), ord("a"), chr(20013))
print(sorted([3, 1, 2]), sorted("bca", reverse=True), sorted([(1, "b"), (0, "a")], key=lambda t: t[1]), list(reversed([1, 2, 3])))
print(list(zip([1, 2], "ab")), list(enumerate("ab", 1)), list(map(lambda a, b: a + b, [1, 2], [3, 4])), list(filter(None, [0, 1, 2])), all([1, 2]), any([0, 0]), all([]))
print(isinstance(1, int), isinstance(True, int), isinstance("a", (int, str)), type(1), type("a"), type(None), type([]), type(print), type(lambda: 0), issubclass(bool, int), type(1.0).__name__)
print(1 if [] else 2, [] or 3, 0 and 1, "" or "d", not 1, None is None, len("a") is not None)
print("%d %5.2f %s %r %05d %-5s| %x %% %+d %e %g" % (3, 2.5, "s", "r", 42, "ab", 255, 7, 12345.678, 0.0001))
print("%(a)s-%(b)03d" % {"a": 1, "b": 2}, "%s" % (1,), "%s" % [1], "%c" % 65, "%.3s" % "abcdef", "%10.4f|" % 3.14159)
print("{} {1}".format(1) if False else "{0} {1} {0}".format("a", "b"), "{:>5}|{:<5}|{:^5}|".format(1, 2, 3), "{x} {y[0]} {z.real}".format(x=1, y=[5], z=3) if False else "{x} {y[0]}".format(x=1, y=[5]))
print(f"{3.14159:.2f} {42:05d} {42:>6} {'a':<4}| {1234567:,} {1234567.891:,.2f} {255:#x} {255:b} {0.25:.0%} {1e10:g} {1.0} {'x'!r} {12:_} {-5:+d} {5:+} {3:e}")
w = 10
print(f"{'ab':>{w}}|{3.5:{w}.2f}|{'c':*^{w}}|{1234:{w},}|{True:d}|{True}|{None}|{[1, 'a']}")
print(f"{0.1:.3g} {1e-10:.3g} {123456789:.3g} {1.5:.3} {100000.0:.3} {1e16} {float('inf'):.2f} {float('nan'):5} {1234.5:012,.1f} {-1234:08d} {65:c} {1.0:.0f} {0.5:.0f} {1.5:.0f} {2.5:.0f}")
print("a,b,,c".split(","), " a  b ".split(), "a b c".split(None, 1), "a,b,c".rsplit(",", 1), "a\nb\r\nc".splitlines(), "abc".partition("b"), "abcb".rpartition("b"), "x".join(["a", "b"]))
print("  a ".strip(), "xxaxx".strip("x"), "abc".lstrip("ab"), "abc".rstrip("c"), "abc".replace("b", "d"), "aaa".replace("a", "b", 2), "abc".startswith(("x", "a")), "abc".endswith("c"), "7".zfill(3), "-7".zfill(4), "a".ljust(3) + "|", "a".rjust(3, "."), "ab".center(5, "*"))
print("Hello".upper(), "Hello".lower(), "hello world".title(), "hello".capitalize(), "Ab".swapcase(), "abcabc".find("c"), "abcabc".rfind("c"), "abcabc".index("b"), "abcabc".count("bc"), "12".isdigit(), "1a".isalnum(), "ab".isalpha(), " ".isspace(), "aB".isupper(), "a".islower(), "ab_1".isidentifier())
print("abc".encode(), b"ab\x00\xff", b"abc".decode(), b"abc"[0], len(b"abc"), "tEst".casefold(), "a\tb".expandtabs(4), "prefix_x".removeprefix("prefix_"), "abc".translate(str.maketrans("ab", "xy")))
print(1_000_000, 0xff, 0b11, 0o17, 1e3, .5, 10 ** 18, -2 ** 2)
print(print.__name__, len.__name__, (lambda x: x).__name__, int.__name__, [].__class__, type(range(3)))
print(*[1, 2], *(3,), sep="-", end="!\n")
print("a" "b", "x" if 1 else "y", [i for i in range(5) if i % 2], {i: i * i for i in range(3)}, {i % 2 for i in range(5)}, sum(i for i in range(4)), [(i, j) for i in range(2) for j in "ab"])
print(slice(1, 2), slice(None, 3, 2), (1, 2) + (3,), (1, 2) * 2, (1, 2, 3).index(2), [1, 2, 2].count(2), "ab" == "ab", 3 in range(5), 7 in range(0, 10, 2), list(range(5, 0, -2)), range(10)[2:5], len(range(0, 10, 3)))
