# Where variables are declared: by their first assignment, if all that speak of them is in its block.
def choose(c):
    if c:
        x = 1
    else:
        x = 2
    return x


def apart(n):
    for i in range(n):
        at = i * 2
        print(at)
    for i in range(n):
        at = i * 3
        print(at)


def carried(n):
    for i in range(n):
        if i == 0:
            last = 10
        print(last)
        last = i


def shadow(print_, local):
    table = local
    end = [table]
    for not_ in end:
        print(not_, print_)


def late():
    return helper() + offset


def helper():
    return 1


offset = 2
print(choose(True), choose(False), late())
apart(2)
carried(3)
shadow(5, 6)
