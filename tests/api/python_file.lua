-- tl.python and require: a file in Python for a program in Lua.
local dir = os.tmpname()
os.remove(dir)
os.execute("mkdir -p " .. dir .. "/sub")

local function write(name, text)
  local f <close> = io.open(dir .. "/" .. name, "w")
  f:write(text)
end

write("sub/helper.py", "def scale(x):\n    return 2 * x\n")
write("sub/kernels.py", [[
import math
import tilelang
import tilelang.language as T
from helper import scale

SIZES = [1, 2, (3, 4)]
NAMES = {"a": None, "b": [1.5]}
__hidden__ = 1


def double(xs, by=2):
    return [x * by for x in xs], {"n": len(xs)}


def apply(f, x):
    return f(x) + 1


@tilelang.jit(out_idx=[-1])
def add(N, threads=128, dtype="float32"):
    @T.prim_func
    def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype), C: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            for i in T.Parallel(threads):
                C[bx * threads + i] = A[bx * threads + i] + scale(B[bx * threads + i])
    return main
]])

local g = tl.python(dir .. "/sub/kernels.py")
print(#g.SIZES, g.SIZES[3][2], g.NAMES.a, g.NAMES.b[1], g.math, g.__hidden__, g.T)
local list, about = g.double({5, 6}, 3)
print(list[2], about.n, g.apply(function(x) return x * 10 end, 4))
local a = tl.ones {5}
print(g.add(5)(a, a), g.add(5, 32)(a, a)[4])

package.path = dir .. "/sub/?.lua"
print(require("kernels").SIZES[2], require("kernels") == require "kernels", require "kernels.py".SIZES[1])
print(tl.python(dir .. "/sub/helper").scale(4))

local function wrong(f, ...)
  local ok, e = pcall(f, ...)
  print(ok, (tostring(e):gsub(dir, "DIR")))
end
wrong(tl.python, dir .. "/none.py")
wrong(tl.python, 3)
print(select(2, pcall(require, "none")):gsub(dir, "DIR"):match "[^\n]*none%.py'")
write("bad.py", "x = 1\ndef f(:\n")
wrong(tl.python, dir .. "/bad.py")
write("raises.py", "def f():\n    return 1 / 0\n")
local r = tl.python(dir .. "/raises.py")
wrong(r.f)
os.execute("rm -r " .. dir)
