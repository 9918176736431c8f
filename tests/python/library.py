# The standard modules.
import math, itertools, functools, operator, collections, json, random, copy, string, time, os, sys
import os.path
from math import sqrt as root
from collections import OrderedDict, Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass, field, asdict, replace, astuple, fields
from enum import Enum, IntEnum, auto, Flag
from typing import List, Optional, Union, NamedTuple, TYPE_CHECKING, Any, Callable, Dict, Tuple, Literal
import contextlib
from contextlib import contextmanager, suppress, nullcontext
from abc import ABC, abstractmethod
from pathlib import Path
import inspect

print(math.sqrt(2), math.floor(-1.5), math.ceil(1.2), math.log2(8), math.log(10), math.gcd(12, 18), math.pi, math.inf, math.prod([1, 2, 3]), math.isqrt(17), math.comb(5, 2), math.factorial(5), math.exp(1), root(4), math.log(8, 2), math.trunc(-2.7), math.hypot(3, 4), math.isclose(0.1 + 0.2, 0.3), math.fabs(-1), math.copysign(1, -0.0), math.lcm(4, 6), math.tanh(0.5), math.erf(0.5), math.fsum([0.1] * 10), math.degrees(math.pi), math.atan2(1, 2), math.isnan(math.nan), math.fmod(-7, 3), math.frexp(8.0), math.modf(2.5))
print(list(itertools.product([1, 2], "ab")), list(itertools.product([0, 1], repeat=2)), list(itertools.permutations([1, 2, 3], 2)), list(itertools.combinations("abc", 2)), list(itertools.chain([1], [2, 3])), list(itertools.chain.from_iterable([[1], [2]])))
print(list(itertools.accumulate([1, 2, 3])), list(itertools.accumulate([1, 2, 3], operator.mul)), list(itertools.islice(itertools.count(5), 3)), list(itertools.islice([0, 1, 2, 3, 4], 1, 4, 2)), list(itertools.repeat("x", 2)), list(itertools.starmap(pow, [(2, 3), (3, 2)])), list(itertools.zip_longest([1, 2], "a", fillvalue="-")), [(k, list(g)) for k, g in itertools.groupby("aabbc")], list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.pairwise([1, 2, 3])))
c = itertools.cycle("ab")
print(next(c), next(c), next(c))
add3 = functools.partial(lambda a, b, c=0: (a, b, c), 1, c=3)
print(add3(2), functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]), functools.reduce(operator.add, [], 7))


@functools.lru_cache(maxsize=None)
def fib(n):
    """fib doc"""
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@functools.cache
def sq(x):
    print("computing", x)
    return x * x


print(fib(50), fib.__name__, fib.__doc__, fib.cache_info().hits, sq(3), sq(3))


def deco(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return ("deco", f(*a, **k))
    return inner


@deco
def g(x, y=1):
    "doc g"
    return x + y


print(g(1), g(1, y=5), g.__name__, g.__doc__)
print(sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)), operator.itemgetter(1)([5, 6]), operator.itemgetter(0, 2)("abc"), operator.attrgetter("real")(5))


@functools.total_ordering
class V:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v

    def __lt__(self, o):
        return self.v < o.v


print(V(1) < V(2), V(1) >= V(2), V(1) <= V(1), V(3) > V(2))
P = namedtuple("P", "x y", defaults=[5])
p = P(1)
print(p, p.x, p[1], p._replace(x=9), p._asdict(), P._fields, p == (1, 5), isinstance(p, tuple), P(y=1, x=2))
x, y = p
print(x, y, [*p])


class Emp(NamedTuple):
    name: str
    id: int = 3

    def hello(self):
        return "hi " + self.name


print(Emp("a"), Emp("b", id=4).id, Emp("z").hello())
print(Counter("abca"), Counter("abca").most_common(1), Counter(a=2)["zz"], Counter("ab") + Counter("b"), sum(Counter("aab").values()))
dd = defaultdict(list)
dd["a"].append(1)
dd["b"]
print(dd, dict(dd), OrderedDict([("a", 1)]), OrderedDict(a=1) == {"a": 1})
dq = deque([1, 2, 3], maxlen=3)
dq.append(4)
dq.appendleft(0)
print(dq, dq.pop(), dq.popleft(), list(dq), len(dq))


@dataclass
class D:
    a: int
    b: str = "x"
    c: list = field(default_factory=list)
    d: int = field(default=4, repr=False)

    def total(self):
        return self.a + self.d


@dataclass(frozen=True, order=True)
class Fz:
    x: int
    y: int = 0


@dataclass
class Sub(D):
    e: float = 1.5

    def __post_init__(self):
        self.f = self.e * 2


d = D(1)
print(d, D(1, "y", [2]), d == D(1), d != D(2), d.total(), asdict(d), replace(d, a=5), astuple(Fz(1, 2)), [f.name for f in fields(D)])
print(Fz(1) < Fz(2), Fz(1) == Fz(1, 0), hash(Fz(1)) == hash(Fz(1)), {Fz(1): "k"}[Fz(1)], Sub(1), Sub(1, e=3.0).f)
for f in [lambda: D(), lambda: setattr(Fz(1), "x", 2), lambda: D(1, q=2), lambda: {D(1): 1}]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)


class Color(Enum):
    RED = 1
    GREEN = "g"
    ALIAS = 1

    def low(self):
        return self.name.lower()


class Pri(IntEnum):
    LOW = auto()
    HIGH = auto()


class Kind(str, Enum):
    A = "a"
    B = "b"


print(Color.RED, repr(Color.RED), Color.RED.name, Color.GREEN.value, Color("g"), Color["RED"], list(Color), Color.ALIAS is Color.RED, Color.RED == 1, Color.RED.low(), len(Color), isinstance(Color.RED, Color), Color.RED in Color)
print(Pri.LOW, repr(Pri.HIGH), Pri.HIGH + 1, Pri.LOW < Pri.HIGH, Pri(2), f"{Pri.HIGH}", Kind.A == "a", Kind.A.value, Kind("b"), {Color.RED: 1}[Color.RED])
try:
    Color(7)
except ValueError as e:
    print(e)
print(json.dumps({"a": [1, 2.5, None, True, "é\n"], "b": {}}), json.dumps([1, {"x": 2}], indent=2), json.dumps({"b": 1, "a": 2}, sort_keys=True, separators=(",", ":")), json.loads('{"a": [1, 2.0, null, true], "s": "x\\u00e9\\n"}'))
try:
    json.loads("{bad}")
except json.JSONDecodeError as e:
    print(e)
random.seed(42)
print(random.random(), random.randint(1, 100), random.uniform(0, 1), random.choice([1, 2, 3]), random.sample(range(100), 5), random.gauss(0, 1), random.getrandbits(40), random.choices("ab", k=3), random.randrange(0, 100, 5))
l = list(range(10))
random.shuffle(l)
print(l)
random.seed("text")
print(random.random(), random.Random(7).random())
a = [1, [2, 3], {"k": [4]}]
b, c2 = copy.copy(a), copy.deepcopy(a)
a[1].append(9)
print(b, c2)
print(string.ascii_lowercase, string.digits, os.path.join("a", "b"), os.path.basename("/x/y.py"), os.path.splitext("y.tar.gz"), os.path.dirname("/x/y"), os.path.exists("/nonexistent"), os.environ.get("NOPE_X", "d"), os.getenv("NOPE_X"), sys.maxsize, sys.version_info >= (3, 8), sys.version_info[0], time.time() > 1e9, isinstance(time.perf_counter(), float))


@contextmanager
def cm(v):
    print("begin", v)
    try:
        yield v + 1
    except ValueError as e:
        print("caught", e)
    finally:
        print("end")


with cm(1) as v:
    print(v)
with cm(2):
    raise ValueError("in body")
with suppress(KeyError):
    {}["x"]
with nullcontext(5) as n:
    print(n)


class Abs(ABC):
    @abstractmethod
    def f(self): ...

    @property
    @abstractmethod
    def p(self): ...


class Con(Abs):
    def f(self):
        return 1

    @property
    def p(self):
        return 2


print(Con().f(), Con().p)
try:
    Abs()
except TypeError as e:
    print(e)
print(List[int], Optional[int], Union[int, str], Dict[str, int], Tuple[int, ...], Callable[[int], str], list[int], dict[str, int], int | None, Literal["a"], Any, TYPE_CHECKING, isinstance(3, int | str))
print(Path("a") / "b.txt", Path("a/b.txt").stem, Path("a/b.txt").suffix, Path("/x/y").parent, repr(Path("q")), Path("a.py").with_suffix(".txt"), Path("a/b").parts)


def fn(a, b: int = 2, *args, c=3, **kw) -> str:
    return ""


print(inspect.signature(fn), list(inspect.signature(fn).parameters), fn.__annotations__, fn.__defaults__)
path = "/tmp/moontile_py_test.txt"
with open(path, "w") as f:
    f.write("line1\nline2\n")
    print("line3", file=f)
with open(path) as f:
    print([s.rstrip() for s in f])
print(open(path).read().split(), Path(path).read_text()[:5])
os.remove(path)
try:
    open("/nonexistent/x")
except FileNotFoundError as e:
    print(e, e.errno)
try:
    import nosuchmodule
except ImportError as e:
    print(type(e).__name__, e)
try:
    from math import nosuch
except ImportError as e:
    print(str(e)[:40])
try:
    sys.exit(3)
except SystemExit as e:
    print("exit", e.code)
