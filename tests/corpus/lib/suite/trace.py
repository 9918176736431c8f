# trace.py: TileOPs' tracing of kernels, off: then its markers are nothing, as its own text says.


class Scope:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False


class Trace:
    enabled = False
    output = None

    def group(self, *args, **kwargs):
        return Scope()

    def range(self, *args, **kwargs):
        return Scope()

    def dag(self, *args, **kwargs):
        pass

    record = dag
    disable = dag

    def range_start(self, *args, **kwargs):
        return None

    def range_end(self, *args, **kwargs):
        pass

    def out_idx(self, n_outputs, traced=None):
        return list(range(-n_outputs, 0))

    def finalize(self, primfunc, traced=None, max_events=0):
        return primfunc

    strip = finalize

    def run(self, compiled, inputs, *, stem):
        return compiled(*inputs)


trace = Trace()
