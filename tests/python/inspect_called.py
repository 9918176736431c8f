# The signature of an object that can be called is that of its __call__.
import inspect


class Scale:
    def __call__(self, x, by=2, *rest, **options):
        return x * by


class Not:
    pass


print(inspect.signature(Scale()), list(inspect.signature(Scale()).parameters))
try:
    inspect.signature(Not())
except TypeError as e:
    print("TypeError", str(e).startswith("<__main__.Not object at"))
