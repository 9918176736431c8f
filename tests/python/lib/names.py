# Generated kernels that bind the same few names again and again: in loops of the program and of Python's, branches,
# macros, closures, comprehensions, with :=, T.alloc_var and T.Ref.  TileLang's own parser says what they mean.
#
#     names.py print SEED COUNT                       the programs
#     names.py MOONTILE SEED COUNT [TARGET]           what each gives, or "refused"
#     names.py MOONTILE SEED COUNT TARGET PYTHON      beside what PYTHON, which has tilelang 0.1.15, makes of them; tir.py
#                                                     runs it.  Lists what differs, and counts, also of what is refused here.
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

NAMES = "abcdefgh"


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.indent, self.depth = [], 0, 0
        self.kinds = {}       # name -> "int" (of Python's), "value", "var", "tuple", "function"
        self.touched = set()  # what was bound in blocks
        self.plain = 0        # no := here
        self.read, self.written = "A", "B"
        self.macros = True

    def put(self, text):
        self.lines.append("    " * self.indent + text)

    def chance(self, p):
        return self.random.random() < p

    def one(self, *kinds):
        those = [n for n, k in self.kinds.items() if k in kinds]
        return self.random.choice(those) if those else None

    def name(self):
        n = self.random.choice(NAMES[:self.random.choice((3, 5, 8))])
        if self.depth:
            self.touched = self.touched | {n}
        return n

    def number(self):
        return self.one("int", "value", "var")

    # Expressions

    def atom(self):
        r = self.random
        kind = r.choices(("name", "tuple", "function", "read", "tile", "number"), (55, 7, 8, 10, 8, 12))[0]
        n = {"name": self.number, "tuple": lambda: self.one("tuple"), "function": lambda: self.one("function")}.get(
            kind, lambda: None)()
        if kind == "name" and n:
            return n
        if kind == "tuple" and n:
            return f"{n}[{r.randrange(2)}]"
        if kind == "function" and n:
            return f"{n}({r.randrange(5)})"
        if kind == "read":
            return f"{self.read}[{r.randrange(4 if self.read == 'X' else 8)}]"
        if kind == "tile":
            return f"X[{r.randrange(4)}]"
        return str(r.randrange(-3, 12))

    def condition(self):
        r = self.random
        a = f"{self.atom()} {r.choice(['<', '>', '==', '!=', '<=', '>='])} {self.atom()}"
        return r.choices((a, f"{self.atom()} < {self.atom()} < {self.atom()}",
                          f"{a} {r.choice(['and', 'or'])} {self.atom()} > {self.atom()}", f"not {self.atom()} < 3",
                          r.choice(["True", "False", "flag", "N > 3"])), (70, 10, 7, 5, 8))[0]

    def expression(self, deep=2):
        r = self.random
        kind = r.choices(("atom", "sum", "choice", "walrus", "comprehension"), (40, 40, 8, 4, 4))[0]
        if deep == 0 or kind == "atom" or kind == "walrus" and self.plain:
            return self.atom()
        if kind == "choice":
            self.plain += 1 # a := there is refused
            e = f"({self.expression(deep - 1)} if {self.condition()} else {self.expression(deep - 1)})"
            self.plain -= 1
            return e
        if kind == "walrus":
            n, e = self.name(), self.expression(deep - 1)
            if n == self.target: # `a = (a := ..)` looks for a behind the inner one
                return e
            self.kinds[n] = "value"
            return f"({n} := {e})"
        if kind == "comprehension":
            n, before = self.name(), dict(self.kinds)
            self.kinds[n] = "int"
            e = self.expression(0)
            self.kinds = before
            return f"sum([{e} for {n} in range({r.randrange(1, 4)})])"
        return f"{self.expression(deep - 1)} {r.choice('+-+*')} {self.expression(0)}"

    target = None

    # Statements

    def bind(self, n, kind):
        if self.kinds.get(n) != "var" or kind not in ("int", "value"):
            self.kinds[n] = kind

    def assign(self):
        n = self.target = self.name()
        e = self.expression()
        self.target = None
        self.put(f"{n} = {e}")
        self.bind(n, "int" if e.lstrip("-").isdigit() else "value")

    def augment(self):
        n = self.target = self.number()
        if n:
            self.put(f"{n} {self.random.choice(['+=', '-=', '*='])} {self.expression(1)}")
        self.target = None

    def several(self):
        a, b = (self.number(), self.number()) if self.chance(.4) else (None, None)
        if a and b:
            self.put(f"{a}, {b} = {b}, {a}")
            return
        self.plain += 1
        a, b = self.name(), self.name()
        self.put(f"{a} = {b} = {self.expression(1)}" if self.chance(.3) else
                 f"{a}, {b} = {self.expression(1)}, {self.expression(1)}")
        self.plain -= 1
        self.bind(a, "value")
        self.bind(b, "value")

    def store(self):
        at = f"X[{self.random.randrange(4)}]" if self.written == "X" or self.chance(.3) else f"B[{self.random.randrange(16)}]"
        self.put(f"{at} {'+=' if at[0] == 'X' and self.chance(.3) else '='} {self.expression()}")

    def var(self):
        n = self.name()
        if self.chance(.5):
            self.put(f'{n} = T.alloc_var("int32", init={self.random.randrange(9)})')
        else:
            self.put(f'{n} = T.alloc_var("int32")')
            self.put(f"{n} = {self.random.randrange(9)}")
        self.kinds[n] = "var"

    def object(self):
        n = self.name()
        self.plain += 1
        if self.chance(.5):
            self.put(f"{n} = ({self.expression(1)}, {self.expression(1)})")
            kind = "tuple"
        else:
            q, before = self.name(), dict(self.kinds)
            self.kinds[q] = "int"
            self.put(f"{n} = lambda {q}: {self.expression(1)}")
            self.kinds, kind = before, "function"
        self.plain -= 1
        self.kinds[n] = kind

    def macro(self):
        kind = self.random.randrange(3)
        if kind == 0:
            n = self.name()
            self.put(f"{n} = m1({self.expression(1)}, X)")
            self.bind(n, "value")
        elif kind == 1:
            self.put(f"m2({self.expression(1)}, X)")
        else:
            self.put(f"m3({self.one('var') or f'X[{self.random.randrange(4)}]'}, {self.expression(0)})")

    def block(self, most):
        before = dict(self.kinds)
        self.indent, self.depth = self.indent + 1, self.depth + 1
        for _ in range(self.random.randrange(1, most)):
            self.statement()
        self.put("pass")
        self.indent, self.depth = self.indent - 1, self.depth - 1
        if self.chance(.98): # what was bound there is gone, mostly
            self.kinds = {n: k for n, k in before.items() if self.kinds.get(n) == k and (n not in self.touched or k == "var")}

    def branch(self):
        self.put(f"if {self.condition()}:")
        self.block(4)
        if self.chance(.2):
            self.put(f"elif {self.condition()}:")
            self.block(3)
        if self.chance(.5):
            self.put("else:")
            self.block(4)

    def loop(self):
        r, n, m = self.random, self.name(), self.name()
        one = (f"T.serial({r.randrange(1, 4)})", f"range({r.randrange(1, 4)})",
               f"range({r.randrange(3)}, {r.randrange(3, 8)}, {r.randrange(1, 3)})", f"T.unroll({r.randrange(1, 4)})")
        plain = (f"[{self.atom()}, {self.atom()}]", f"({r.randrange(5)}, {r.randrange(5)}, 7)")
        pairs = (f"enumerate([{self.atom()}, {r.randrange(9)}])", f"zip([1, {self.atom()}], ({self.atom()}, 4))")
        which = r.choices((one, plain, pairs), (68, 20, 12))[0]
        self.put(f"for {n}{', ' + m if which is pairs else ''} in {r.choice(which)}:")
        before = self.kinds
        self.kinds = dict(before, **{n: "value" if which is one else "int"}, **({m: "int"} if which is pairs and m != n else {}))
        self.block(4)
        if self.chance(.15):
            self.put(f"    if {self.condition()}:")
            self.put("        " + r.choice(["break", "continue"]))
            self.put(f"    X[{r.randrange(4)}] = {r.randrange(50)}")
        self.kinds = {k: v for k, v in before.items() if self.kinds.get(k) == v and k not in (n, m)}

    def repeat(self):
        n = self.one("var")
        if n:
            self.put(f"while {n} < {self.random.randrange(3, 12)}:")
            self.put(f"    {n} += {self.random.randrange(1, 4)}")
            self.put(f"    X[{self.random.randrange(4)}] += {n}")

    def statement(self):
        deep = self.depth > 3
        kinds = ((self.assign, 22), (self.augment, 10), (self.several, 7), (self.store, 21), (self.var, 5), (self.object, 6),
                 (self.macro, 4 if self.macros else 0), (self.branch, 0 if deep else 11), (self.loop, 0 if deep else 11),
                 (self.repeat, 3))
        self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    # Programs

    def write_macro(self, head, kinds, result):
        self.put("@T.macro")
        self.put(head)
        self.kinds, self.read, self.written, self.macros = kinds, "X", "X", False
        self.indent, self.depth = self.indent + 1, 1
        for _ in range(self.random.randrange(1, 4)):
            self.statement()
        self.put(f"return {self.expression(1)}" if result else "pass")
        self.indent, self.depth = self.indent - 1, 0

    def case(self, number):
        r = self.random
        self.put(f"def case_{number}(flag={r.random() < .5}, N={r.randrange(6)}):")
        self.indent = 1
        self.put("X = None")
        self.write_macro("def m1(a, X):", {"a": "value"}, True)
        self.write_macro("def m2(b, X):", {"b": "value"}, False)
        start = len(self.lines)
        self.write_macro("def m3(c: T.Ref, d):", {"c": "var", "d": "value"}, False)
        for i in range(start, len(self.lines)): # it sees no tile
            self.lines[i] = re.sub(r"^(\s*)X\[\d\]", r"\1c", self.lines[i])
            self.lines[i] = re.sub(r"X\[\d\]", "d", self.lines[i])
        self.kinds, self.read, self.written, self.macros, self.touched = {}, "A", "B", True, set()
        for line in ("@T.prim_func", 'def k(A: T.Tensor((8,), "int32"), B: T.Tensor((16,), "int32")):',
                     "    with T.Kernel(1, threads=1):", '        X = T.alloc_local((4,), "int32")',
                     "        for z in T.serial(16):", "            B[z] = -1", "        for z in T.serial(4):",
                     "            X[z] = z * 3 + 100"):
            self.put(line)
        self.indent = 3
        for n in NAMES:
            kind = r.choices(("int", "value", "var", None), (30, 30, 20, 20))[0]
            if kind:
                self.put(f"{n} = " + {"int": f"{r.randrange(9)}", "value": f"A[{r.randrange(8)}] + {r.randrange(9)}",
                                      "var": f'T.alloc_var("int32", init={r.randrange(9)})'}[kind])
                self.kinds[n] = kind
        for _ in range(r.randrange(4, 12)):
            self.statement()
        self.put(f"B[{r.randrange(16)}] = {self.expression(1)}")
        self.put("for z in T.serial(4):")
        self.put("    B[z] = B[z] + X[z]")
        self.indent = 1
        self.put("return k")
        return "\n".join(self.lines) + f"\nrun(case_{number})\n\n"


HEAD = """
import json, sys
import tilelang
import tilelang.language as T
A = [(i * 5 + 3) % 11 for i in range(8)]
def say(*what):
    print(json.dumps(what))
def run(f):
    try:
        give(f)
    except Exception as e:
        say("refused", str(e).split("\\n")[0])
"""

OURS = """
import torch
def give(f):
    say("ok", tilelang.compile(f(), out_idx=[1])(torch.tensor(A, dtype=torch.int32)).tolist())
"""

THEIRS = """
import logging
logging.disable(logging.CRITICAL)
sys.path.insert(0, %r)
from tir import Run, Unknown
def give(f):
    k, B = f(), [None] * 16
    try:
        Run(k, {"A": A, "B": B})
        say("ok", B)
    except Unknown as e:
        say("unknown", str(e))
"""


def text(seed, count):
    return "".join(Program(seed * 1000003 + i).case(i) for i in range(count))


def results(command, head, body):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/names_made.py"
        with open(path, "w") as f:
            f.write(HEAD + head + body)
        p = subprocess.run([*command, path], capture_output=True, text=True)
    lines = [json.loads(line) for line in p.stdout.splitlines() if line.startswith("[")]
    if len(lines) != body.count("def case_"):
        sys.exit(f"only {len(lines)} results of {command[0]}: {p.stderr[-2000:]}")
    return lines


def main(tool, seed, count, target="cpu", python=None):
    body = text(int(seed), int(count))
    if tool == "print":
        print(HEAD + OURS + body)
        return
    ours = results([tool, "-t", target], OURS, body)
    if not python:
        for i, (how, what) in enumerate(ours):
            print(i, what if how == "ok" else how)
        return
    theirs = results(python.split(), THEIRS % os.path.dirname(os.path.abspath(__file__)), body)
    tally, refused = collections.Counter(), collections.Counter()
    for i, (a, b) in enumerate(zip(theirs, ours)):
        how = "same" if a == b else f"{a[0]} there, {b[0]} here"
        tally[how] += 1
        if how == "ok there, ok here":
            print(f"case {i} of seed {seed}: {a[1]} there, {b[1]} here")
        elif how == "ok there, refused here":
            refused[re.sub("`[^`]*`", "`x`", b[1])] += 1
    print(f"seed {seed}:", ", ".join(f"{n} {how}" for how, n in tally.most_common()))
    for why, n in refused.most_common():
        print(f"    {n} {why}")


if __name__ == "__main__":
    main(*sys.argv[1:])
