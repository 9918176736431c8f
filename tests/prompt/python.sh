# Python at the prompt: recognised, run, its results as Python shows them, one set of variables with Lua.
session() { echo "--- $1"; shift; "$MOONTILE" -i -t cpu --color never "$@" 2>&1; }

session "results" <<'END'
x = [1, 2.5, "a", None, True]
x
x[-1]
None
'it' + "'s"
7 // 2, 7 / 2, -7 // 2
{1: (2,)}; {3}
x[0];
_
print
range(3)
END

session "blocks end at an empty line, a line further left, a command, the end" <<'END'
def f(a, b=2):
    c = a

    if c:
        return b

    else:
        return a

f(0), f(1)
for i in range(2): print(i)

for i in range(2):
    pass
i
if not i:
    print("no")
:lua
i
class A:
    def __repr__(self): return "an A"
A()
with open("/dev/null") as g:
    print(g.read() == "")
END

session "help for a function" <<'END'
def g(a, b=1, *, c=2):
    """doc of g"""
    return a

?g
??g
END

session "which language" <<'END'
x = 7
x / 2, x // 2
:python
x / 2, x // 2
:lua
x = 3 if x else 4
x
[x]
x
t = {5, 6}
#t
# a comment
#t + 1
local y = x
y
import math
y
y // 2
local z = 1
z != 1
for k = 1, 2 do print(k) end
END

session "one set of variables" <<'END'
local n = 3
M = {k = 4}
function M.f(a) return a + 1 end
items = {10, 20}
def double(xs, by=2):
    return [v * by for v in xs], {"n": len(xs)}

M.f(n), M.k, items, items[0], double(items)[1]["n"]
string = "mine"
import math as table
string, table.pi > 3
:lua
double({1, 2})[2]
double({1, 2}, 3)[1]
string.rep("a", 2) .. table.concat({"b"})
n = 5
:python
n, double([n])
n = n + 1
del items
:lua
n, items
t = {1, 2}
:python
t.append(3)
import json
:reset
json
:lua
:vars
END

session "a kernel of Python's in both" <<'END'
import tilelang
import tilelang.language as T

@tilelang.jit(
    out_idx=[-1],
)
def add(N, by=1):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 64), threads=64) as bx:
            # a tile

            for i in T.Parallel(64):
                B[bx * 64 + i] = A[bx * 64 + i] + by

    return main

k = add(70)
k(tl.ones((70,)))[69].item()
:lua
local c = add(3, 2)(tl.ones {3})
c
k:check {sizes = {{N = 70}}} and nil
??add
:plot k
:python
k2 = tl.jit(lambda A: None)
import nothing
k.nothing
add(70).get_kernel_source()[:8]
END

session "mistakes" <<'END'
def f(x):
    return x +

f(1)
print(undefined)
x = (1,
2
)
x
if x:
print(x)
for i in range(3)
    print(i)

f = lambda:
1 / 0
raise ValueError("a")
def g():
  x = 1
    y = 2

:python
print(undefined)
END

session "an empty line where a block should begin" <<'END'
def f():

    return 1

f()
def g(x):
    # nothing yet

@staticmethod


def h(x):
    return x +

    y = 2

try:
    1 / 0

except ZeroDivisionError:
    print("0")

END

session "tensors" <<'END'
import torch
x = torch.ones(3)
x.to("float99")
x.to("cuda:0").dtype, x.to(torch.float16).dtype
x > 0
print(x > 0, [x < 0])
x.sum
END

session "Chinese" --lang zh <<'END'
:python
:lua
:help :python
print(1 / 0)
x = [1
END

session "leaving" <<'END'
import sys
sys.exit("by")
END
echo "exit $?"
printf ':python\nexit(3)\n' | "$MOONTILE" -i -t cpu; echo "exit $?"

echo "--- saved"
"$MOONTILE" -i -t cpu 2>&1 <<END | sed "s#$TMP#DIR#"
def f(x):
    return x * 2

f(3)
y = [f(1)];
:lua
local z = 5
z
:save $TMP/s.py
:save $TMP/s.lua
END
sed "s|$TMP|DIR|" "$TMP/s.py"; echo "--- and"; cat "$TMP/s.lua"
"$MOONTILE" "$TMP/s.py"; "$MOONTILE" "$TMP/s.lua"
echo "--- tables of Lua's are fixed in Python"
"$MOONTILE" -i -t cpu --color never 2>&1 <<'END'
:lua
t = {a = 1, b = {c = {1, 2}}}
:python
t["a"] = 5
t["b"]["c"] = 5
t.update(c=3)
del t["a"]
t.clear()
u = dict(t)
u["a"] = 7
u, t
END
