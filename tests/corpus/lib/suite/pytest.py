# pytest.py: as much of pytest as a test suite needs here: run(module) calls a module's tests, each with a few of
# its parameters, and lets none of them stop the others.
import inspect
import itertools

marked = []  # [test, what parametrize gave it: a list of (names, values)]


class Skipped(Exception):
    pass


class Param:
    def __init__(self, values, marks):
        self.values = values
        self.smoke = any(getattr(m, "name", "") == "smoke" for m in marks)


def param(*values, id=None, marks=()):
    return Param(values, marks if isinstance(marks, (tuple, list)) else [marks])


def skip(reason="", allow_module_level=False):
    raise Skipped(reason)


fail = skip
xfail = skip
Failed = Skipped


def importorskip(name, minversion=None, reason=None):
    raise Skipped(name)


def row_of(test):
    for row in marked:
        if row[0] is test:
            return row
    marked.append([test, []])
    return marked[-1]


class Mark:
    def __init__(self, name):
        self.name = name

    def __call__(self, *args, **kwargs):
        if self.name == "skip" or (len(args) == 1 and not kwargs and callable(args[0])):
            return args[0] if args and callable(args[0]) else (lambda test: test)
        if self.name == "parametrize":
            names, values = args[0], args[1]
            names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)

            def decorate(test):
                row_of(test)[1].append((names, list(values)))
                return test

            return decorate
        if self.name in ("skipif", "usefixtures", "filterwarnings", "xfail"):
            return lambda test: test
        return self


class Marks:
    def __getattr__(self, name):
        return Mark(name)


mark = Marks()
fixtures = {}


def fixture(f=None, **kwargs):
    def keep(g):
        fixtures[g.__name__] = g
        return g

    return keep(f) if f is not None else keep


class Raises:
    def __init__(self, kind):
        self.kind = kind
        self.value = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.value = value
        return True


def raises(kind, *args, match=None, **kwargs):
    return Raises(kind)


def warns(*args, **kwargs):
    return Raises(None)


def approx(value, rel=None, abs=None, nan_ok=False):
    return value


def main(*args, **kwargs):
    return 0


class Patch:
    """monkeypatch: what it sets stays, for the process ends with its file."""

    def setattr(self, target, name, value=None, raising=True):
        setattr(target, name, value)

    def setitem(self, table, key, value):
        table[key] = value

    def setenv(self, name, value, prepend=None):
        pass

    def delenv(self, name, raising=True):
        pass


# The values of one parametrize, those marked smoke first, at most `most`.
def chosen(values, most):
    smoke = [v for v in values if isinstance(v, Param) and v.smoke]
    rest = [v for v in values if not (isinstance(v, Param) and v.smoke)]
    return (smoke + rest)[:most]


def arguments(row, most):
    lists = [[(names, v) for v in chosen(values, most)] for names, values in row[1]]
    for combination in itertools.islice(itertools.product(*lists), most):
        given = {}
        for names, v in combination:
            values = v.values if isinstance(v, Param) else v if len(names) > 1 else (v,)
            for n, value in zip(names, values):
                given[n] = value
        yield given


def fill(test, given, depth=0):
    for name, p in inspect.signature(test).parameters.items():
        if name in given or name == "self" or p.default is not inspect.Parameter.empty:
            continue
        if name == "monkeypatch":
            given[name] = Patch()
        elif name in fixtures and depth < 4:
            f = fixtures[name]
            given[name] = f(**fill(f, {}, depth + 1))
        else:
            raise Skipped("no fixture " + name)
    return given


def call(name, test, most, tell):
    for given in arguments(row_of(test), most):
        try:
            test(**fill(test, given))
        except Skipped:
            pass
        except BaseException as e:  # also where a value is asked for that only a run gives
            tell(name, type(e).__name__ + ": " + str(e)[:200])


# Tests that compare with a reference only run what they test: kernels give no results here.
def without_references():
    try:
        from tests.test_base import TestBase
    except ImportError:
        return
    TestBase.check = lambda self, op, *inputs, **kwargs: op(*inputs)


# Benchmarks call the suite's operators, with a configuration that needs no search ..
def without_search():
    try:
        from tileops.kernels.kernel_base import Kernel
    except ImportError:
        return

    def default(self, *args, **kwargs):
        self.config = self.default_config

    Kernel.autotune = default


# .. and nothing of others.
def without_baselines():
    try:
        from benchmarks.benchmark_base import BenchmarkBase
    except ImportError:
        return

    figures = {"device_busy_ms": 1.0, "latency_ms": 1.0, "gap_ms": 0.0}

    def compare(self, functors, *inputs, record_as=None, params=None):
        for tag, value in functors.items():
            if str(tag).startswith("tileops"):
                f, args = value if isinstance(value, tuple) else (value, inputs)
                f(*args)
        return {tag: figures for tag in functors}

    BenchmarkBase.compare = compare
    def profile(self, f, *inputs):
        f(*inputs)
        return figures

    BenchmarkBase.profile = profile


def run(module, most, tell):
    for name in dir(module):
        test = getattr(module, name)
        if name.startswith("test") and callable(test):
            call(name, test, most, tell)
        elif name.startswith("Test") and isinstance(test, type) and getattr(test, "__test__", True):
            for part in dir(test):
                if part.startswith("test"):
                    try:
                        bound = getattr(test(), part)
                    except Exception:
                        continue
                    row_of(bound)[1].extend(row_of(getattr(test, part))[1])
                    call(name + "." + part, bound, most, tell)
