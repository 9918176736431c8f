# Names in Python that are misspelt, not imported, of another language or of IPython; what leaves the prompt.
session() { echo "--- $1"; shift; "$MOONTILE" -i -t cpu --color never "$@" 2>&1; echo "exit $?"; }

session "the name that was meant" <<'END'
:python
lenght = 5
lenth
fn = 3
print(fn2.bit_length(), 1)
Ids
lt
true, null
prnit(1)
[].apend(3)
END

session "a name that many programs import" <<'END'
@tilelang.jit(out_idx=[-1])
def f(A): return A

torch.randn(3)
math.pi
product([1], [2])
END

session "modules" <<'END'
import torch, tilelang, tilelang.language as T
torch.rnad(3)
torch.nothing(3)
tilelang.jitt
import tilelang.nothing
import tilelang.engine.phase
from torch import rnad
from torch import nothing
from tilelang import comple
T.gem
"sum" in dir(torch.ones(3)), "randn" in dir(torch), "compile" in dir(tilelang.jit(lambda A: A))
END

session "a decorator's line" <<'END'
@staticmethod
@nothing.jit
def f(): pass

@tilelang.jit
@(lambda f: f / 0)
class C: pass

import tilelang, tilelang.language as T
@tilelang.jit(
    out_idx=[-1],
    execution_backend="cython",
)
def g(N):
    return N

END

session "IPython's and 3.10's" <<'END'
import time
%timeit g
%%bash
%matplotlib inline
match x:
END

session "Chinese" --lang zh <<'END'
import time
%timeit g
%matplotlib inline
lenght = 5
lenth
torch.rnad(3)
from torch import nothing
END

session "leaving" <<'END'
import time
quit
time
END
