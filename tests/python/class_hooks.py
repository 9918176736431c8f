# __init_subclass__ through super(), what it adds to an abstract class, and a metaclass that calls otherwise.
from abc import ABC, abstractmethod


class A:
    def __init_subclass__(cls, **kw):
        print("A", cls.__name__, kw)


class B(A):
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        print("B", cls.__name__, tag)


class C(B, tag=3):
    pass


class D(B, tag=4):
    @classmethod
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        print("D", cls.__name__)


class E(D):
    pass


class Filled(ABC):
    def __init_subclass__(cls):
        cls.missing = lambda self: "filled in " + cls.__name__

    @abstractmethod
    def missing(self):
        pass


class Whole(Filled):
    pass


print(Whole().missing())
try:
    Filled()
except TypeError:
    print("Filled is abstract")


class Decorator(type):
    def __call__(cls, f, twice=False):
        return (cls.__name__, f, twice)


class Once(metaclass=Decorator):
    pass


class Again(Once):
    pass


print(Once(3), Again(4, twice=True))


@Again
def decorated():
    pass


print(decorated[0])

print(type(Once).__name__, isinstance(Once, Decorator), isinstance(3, Decorator), type(int).__name__)
