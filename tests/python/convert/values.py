# Values: numbers, strings, operators and their precedence.
one, big, hex_, octal, binary = 1, 1_000_000, 0xFF, 0o17, 0b101
pi = 3.14_15
tiny = 1e-5

print("double", 'single', "it's", 'say "hi"')
print("tab\there", "unicode é", "raw:", r"a\nb", "adja" "cent")
print("""two
lines""")

a, b, c = 7, 3, 2
print(a + b * c, (a + b) * c, a - (b - c), (a - b) - c, -a + b, -(a + b))
print(a // b, a % b, -a // b, -a % b, a / b)
print(a & b | c, a ^ b, ~a, a << 2 >> 1, a & (b | c))
print(2**10, 10**3, 2**-1, a**2, 2.0**c, (-2) ** 2)
print(a > b and b > c or not a == b, not (a > b or b > c))
print(1 < b < 5, c <= b <= a != 4)
print(a is None, a is not None, a in (1, 7), a not in [1, 7])
print("x" + str(a), "ab" * 2, "b" in "abc")
print(f"{a} and {pi:.2f}, {a:5d}|{a:<5d}|{a:05d}, {0.25:.1%}, 100% {{}}")
print("{} of {:.1f}".format(a, pi))
print(min(a, b), max(a, b, c), abs(-a), len("four"), float(a), int(pi), str(1.5))
print(big if a > b else tiny, float("inf") > 1)
end = one if not octal else hex_
print(end)
