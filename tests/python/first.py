def fib(n):
    a, b = 0, 1
    while a < n:
        print(a, end=" ")
        a, b = b, a + b
    print()

fib(100)
x = [i * 2 for i in range(10) if i % 2]
print(x, x[-1], x[1:3], {k: v for k, v in zip("abc", x)})
print(f"{x[0]:>5} {'hi'!r} {3.14159:.2f}")
class A:
    n = 3
    def __init__(self, v=1): self.v = v
    def __repr__(self): return f"A({self.v})"
class B(A):
    def __init__(self, v):
        super().__init__(v + 1)
print(B(4), A(), [B(1), A(2)])
try:
    x[100]
except IndexError as e:
    print("caught", e)
for i in range(5):
    if i == 2: continue
    if i == 4: break
    print(i)
else:
    print("never")
print(1 < 2 < 3, 7 // -2, 7 % -2, 2 ** 10, 2 ** -1, not [], None or 5)
