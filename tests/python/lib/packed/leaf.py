print("leaf runs once")
value = 3


def late():
    from .inner.deep import up
    return up
