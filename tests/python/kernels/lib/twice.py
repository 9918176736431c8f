TWO = 2


def twice(x):
    return x * TWO
