# Functions: defaults, names of arguments, several results, closures.
"""A docstring of the module,
in two lines."""


def scale(x, factor=2, offset=None):
    """x times a factor."""
    if offset is None:
        return x * factor
    return x * factor + offset


def both(x):
    return x + 1, x - 1


def total(*values):
    s = 0
    for v in values:
        s += v
    return s


def counter():
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return step


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def many(
    first: int,
    second: int = 5,  # a comment of its own
    third: str = "x",
) -> int:
    print(first, second, third)
    return first


print(scale(3), scale(3, 4), scale(3, offset=1), scale(x=1, factor=3))
up, down = both(5)
pair = both(7)
print(up, down, pair[0], pair[1], both(1)[0])
print(total(1, 2, 3), total(*[4, 5]))
step = counter()
step()
print(step())
print(is_even(4), is_odd(4))
many(1)
many(1, third="y")
add = lambda a, b: a + b
print(add(1, 2))


def main():
    result = scale(limit)
    print(result)


limit = 9

if __name__ == "__main__":
    main()
