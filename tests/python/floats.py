# Floor division, remainders, the sign of 0, NaN, quotients that are rounded once.
print(1.0 // 0.1, -1.0 // float('inf'), float('inf') // 1, -4.0 % 2.0, 4.0 % -2.0, 5.5 // -2, -0.0 // 3.0, 3 % -1.5)
print(9223372036854775807 / 3, 9007199254740993 / 1, 9007199254740993 / 3)
print(-9223372036854775808, [-9223372036854775808])
for v in [1, 0.1, 1e100]: print(divmod(v, 0.1), divmod(-v, 0.3))
nan = float('nan')
print(sorted([3, nan, 1, 2, nan, 0]), sorted([3, nan, 1], reverse=True), sorted([(2, 'a'), (1, 'b'), (2, 'c')], key=lambda t: t[0], reverse=True))
print(round(-0.4, 0), round(-0.04, 1), round(-4.0, -1), float('-0'), (-0.0) ** 3, "%.2f" % -0.0, round(-0.4), round(0.4, 1))
for t in [(2, 0), (2.0, 0), ("a", 1), (True, 2), (-7, 2.5), (-0.0, 1), (1, -0.0)]:
    try: print(divmod(*t))
    except Exception as e: print(type(e).__name__, e)
print(pow(3, -1, 7), pow(2, 5, -7), pow(True, 3, 5))
for t in [(2, -1, 4), (2, 1, 0), (2.0, 1, 3), ("a", 1, 2)]:
    try: print(pow(*t))
    except Exception as e: print(type(e).__name__, e)
print(--9223372036854775807, -9223372036854775808 // 2, -9223372036854775808 % 10)
for a, b in [(9007199254740993, 2), (-4611686018427387905, 7), (9223372036854775807, 9223372036854775805), (1, 9223372036854775807), (-123456789012345678, 1000000007)]:
    print(a / b, b / a)
