-- A solution in Python has no machine around it, and limits as one in Lua.
local sandbox = require "moontile.puzzles.judge.sandbox"

local kernel = [[
import tilelang
import tilelang.language as T

@tilelang.jit
def f(A, BLOCK: int = 4):
    N = T.const("N")
    A: T.Tensor((N,), T.float32)
    B = T.empty((N,), T.float32)
    with T.Kernel(T.ceildiv(N, BLOCK)) as bx:
        for i in T.Parallel(BLOCK):
            B[bx * BLOCK + i] = A[bx * BLOCK + i]
    return B

]]

local traces = {{kernel = "f", args = {{shape = {10}, dtype = "float32"}}, config = {BLOCK = 4}, sizes = {N = 10}}}

local function try(what, text, limits)
  local r, why = sandbox.evaluate {text = text, chunk = "@05-row-sum.py", lang = "en", target = "sim", traces = traces,
    limits = limits}
  local e = r and (r.error or r.results[1] and r.results[1].error) or why and why.error
  print(("%s: %s%s%s"):format(what, e and e.text:gsub("\nhelp:.*", "") or "compiles, of " .. table.concat(r.kernels, " "),
    why and why.reason and " [" .. why.reason .. "]" or "", r and r.output ~= "" and "\nprints " .. r.output or ""))
end

try("as it is", kernel)
try("printing, and what only the main program does", kernel .. [[
print("seen", 1 / 4)
if __name__ == "__main__":
    open("/etc/passwd")
]])
for _, line in ipairs {"import os", "from os import environ", "import sys", "from pathlib import Path", "import subprocess",
  "import helper", "from . import helper", "open('/etc/passwd')", "input()", "f.tune()", "f.get_kernel_source()",
  "f.compile(N=8).bench()", "tilelang.load('x.npy')", "tilelang.set_target('cpu')", "tilelang.ops.gemm()",
  "tilelang.nothing()", "T.import_source('x')"} do
  try(line, kernel .. line)
end
try("its own modules", kernel .. "import math, itertools, functools\nimport torch\nprint(math.pi, torch.zeros(2).shape)")
try("caught", kernel .. "try:\n    import os\nexcept Exception as e:\n    print(type(e).__name__)")
try("an autotuner's configuration is the judge's", (kernel:gsub("@tilelang.jit", [[@tilelang.autotune(configs=[{"BLOCK": 2}])
@tilelang.jit]])))
try("a program of T.prim_func", [[
import tilelang
import tilelang.language as T

@tilelang.jit(out_idx=[-1])
def f(N, BLOCK):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(T.ceildiv(N, BLOCK)) as bx:
            for i in T.Parallel(BLOCK):
                B[bx * BLOCK + i] = A[bx * BLOCK + i]
    return main
]])
try("a syntax error", kernel .. "def g(:\n    pass\n")
try("a name that is not there", (kernel:gsub("A%[bx", "AA[bx")))
try("a call of a launch", kernel .. "import torch\nf(torch.zeros(4))")
try("no end", kernel .. "while True:\n    pass\n", {seconds = 60, memory = 64 << 20, instructions = 20 * 1000 * 1000})
try("no end that catches", kernel .. "while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass\n",
  {seconds = 60, memory = 64 << 20, instructions = 20 * 1000 * 1000})
try("no end of a generator", kernel .. [[
def count():
    while True:
        yield 1
for x in count():
    pass
]], {seconds = 60, memory = 64 << 20, instructions = 20 * 1000 * 1000})
try("all memory", kernel .. "x = []\nwhile True:\n    x.append('a' * 100000)\n    x.append([0] * 100000)\n",
  {seconds = 5, memory = 64 << 20, instructions = 200 * 1000 * 1000})

-- C of one's own is no solution, on any target: it goes to a compiler as it is.
local run = require "moontile.puzzles.judge.run"
local own = sandbox.evaluate {text = kernel, chunk = "@05-row-sum.py", lang = "en", target = "sim", traces = traces}
local text = own.results[1].ir:gsub("(launch[^\n]*\n)", '%1    import_source "#include \\"/etc/passwd\\""\n')
for _, target in ipairs {"sim", "cuda -build -arch=sm_80"} do
  print(target, select(2, pcall(run.kernel, text, target)))
end
