# dataclasses: what only __init__ takes is no field, slots=True leaves no other names, asdict's dict_factory.
import dataclasses
from dataclasses import dataclass, field, fields, asdict, astuple, replace, InitVar
@dataclass
class Cfg:
    name: str
    bs: int = 1
    seed: InitVar[int] = 0
    tag: str = field(init=False, default="t", compare=False)
    def __post_init__(self, seed): self.rng = seed * 2
c = Cfg("a", bs=2, seed=3)
print(c, c.rng, [f.name for f in fields(c)], asdict(c), astuple(c), replace(c, bs=5), replace(c, seed=7).rng)
print(asdict(c, dict_factory=lambda items: [k for k, v in items]))
@dataclass
class Need:
    a: int
    b: InitVar[int]
    def __post_init__(self, b): self.c = b
for f in (lambda: replace(Need(1, 2), a=3), lambda: replace(c, tag="x")):
    try: f()
    except ValueError as e: print(e)
print(replace(Need(1, 2), b=5).c)
@dataclass(order=True, slots=True)
class V:
    a: int
    b: int = 0
print(V(1, 2) < V(2), sorted([V(3), V(1)]), V(1).__slots__, V.__slots__)
try: V(1).c = 3
except AttributeError as e: print(type(e).__name__)
