# Lists and tuples are tables from 1; a dict's keys stay what they are.
xs = [10, 20, 30, 40]
pair = (1, 2)
print(xs[0], xs[-1], xs[-2], xs[1 + 1], len(xs), pair[1])
for i in range(len(xs)):
    print(i, xs[i], xs[i - 1] if i > 0 else 0)

xs.append(50)
tail = xs[2:]
middle = xs[1:-1]
head = xs[:2]
print(len(tail), tail[0], len(middle), middle[-1], head[1])

xs[0] = 11
xs[1] += 5
first, second = pair
p, q = second, first
print(xs[0], xs[1], first, second, p, q)

squares = [x * x for x in xs if x > 20]
print(squares[0], len(squares))
grid = [[i * j for j in range(3)] for i in range(2)]
print(grid[1][2])
both = [1, 2] + xs
more = xs + [60, 70]
zeros = [0] * 3
many = [1] * len(xs)
print(len(both), both[2], len(more), more[-1], len(zeros), len(many))

d = {"name": "gemm", "size": 3, 4: "four"}
d["more"] = d["size"] + 1
e = dict(a=1, b=2)
print(d["name"], d["more"], d[4], e["b"])

for x in xs:
    if x == 30:
        continue
    print(x)

for i, x in enumerate(xs):
    print(i, x)

for m, n in [(1, 2), (3, 4)]:
    print(m * n)
