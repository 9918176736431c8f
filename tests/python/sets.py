# The order of sets of numbers, and of tuples of numbers: CPython 3.11's, after all that changes them; hash() of such.
import copy

print({3, 1, 2}, {8, 1}, {16, 8}, {8, 16}, {-1, 5, -2}, {100, 33, 1, 7, 64}, set(range(20, 0, -3)))
print(hash(-1), hash(2**61 - 1), hash(-2**62 * 2), hash(2**62), hash(0.1), hash(-2.5e10), hash(5e-324), hash(1e300))
print(hash(float("-inf")), hash((1, 2)), hash(((), (0,), (1.5, True))), hash(frozenset([1, 2, 3])), hash(frozenset()), hash(-1.0))


class Point:
    def __init__(self, x): self.x = x
    def __hash__(self): return hash((self.x, 1))
    def __eq__(self, other): return self.x == other.x
    def __repr__(self): return f"P{self.x}"


print({Point(i) for i in range(9)}, {(i, j) for i in range(3) for j in range(4)})
s = {5, 9, 17}
s |= {33}
print(s, s.pop(), s.pop(), s)
for x in {17, 1, 9, 33, 65}: # a frozenset of constants, from which the display below is filled
    print(x, end=" ")
print({17, 1, 9, 33, 65}, {x for x in {33, 17, 1}}, {17, 1, 9, 33, int("65")}, {*s, 8, 0, *range(3)})
print({"b", "a"} - {"a"}, {1, "x"} & {"x"}) # of texts the order is CPython's secret

seed = 1
def draw(n):
    global seed
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % n


def some():
    return [draw(90) - 6 if draw(5) else (draw(3), draw(3)) for _ in range(draw(14))]


a, b = set(), {1, 2, 3}
for i in range(400):
    k, x = draw(20), some()
    if k == 0: a.update(x)
    elif k == 1: a |= set(x)
    elif k == 2: a = a | b
    elif k == 3: a &= set(x + list(b))
    elif k == 4: b = set(x) - a
    elif k == 5: b -= a
    elif k == 6: a ^= set(x)
    elif k == 7: b = a ^ set(x)
    elif k == 8: b.difference_update(x)
    elif k == 9: a = a.symmetric_difference(x)
    elif k == 10: b.symmetric_difference_update(x)
    elif k == 11: a = a.union(x, b, range(draw(30)))
    elif k == 12: b = b.intersection(x) or set(dict.fromkeys(x))
    elif k == 13: a = copy.deepcopy(a)
    elif k == 14: b = set(a)
    elif k == 15: a = a.difference(x, b)
    elif k == 16 and b: print("pop", b.pop())
    elif k == 17:
        for v in list(a)[: draw(9)]: a.remove(v)
    elif k == 18: b.add(draw(1000))
    elif k == 19: a, b = b, a
    if i % 8 == 0:
        print(i, a, b, hash(frozenset(a)))
