# foreign.py: what benchmarks time beside the suite's kernels: a name of it is a thing that takes and gives anything.


class Foreign(dict):  # so that it can be given as **options, too
    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Foreign(self.__name__ + "." + name)

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and not kwargs and callable(args[0]) else self

    def __str__(self):
        return self.__name__

    def __hash__(self):
        return hash(self.__name__)
