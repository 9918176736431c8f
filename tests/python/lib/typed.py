# Generated kernels with mixed types, and what they must give by TVM's rules of typing, from an interpreter of its own.
#
#     typed.py MOONTILE SEED COUNT [TARGET]
#
# One file of COUNT kernels is run; each prints "ok" or the elements that differ.  The rules (as TileLang 0.1.15 has them):
# an integer written down is an int32, an int64 if it must be; a float a float32; then float beats integer, the wider one
# beats the narrower, unsigned beats signed of one width, float16 beats bfloat16; bitwise operators and shifts give an
# integer written down the type of the other side, and what is stored takes the type of its tensor.
import math
import random
import struct
import subprocess
import sys
import tempfile

N = 16
INT = {"int8": 8, "uint8": 8, "int16": 16, "int32": 32, "uint32": 32, "int64": 64}
FLOAT = {"float16": 16, "bfloat16": 16, "float32": 32}
BITS = {**INT, **FLOAT, "bool": 1}


class Refused(Exception):
    pass


class Unknown(Exception):
    pass


def isint(t):
    return t in INT


def wrap(t, v):
    bits = INT[t]
    v &= (1 << bits) - 1
    return v - (1 << bits) if t[0] == "i" and v >> bits - 1 else v


def rounded(t, v):
    if math.isnan(v):
        raise Unknown
    if math.isinf(v):
        return v
    try:
        if t == "float16":
            return struct.unpack("e", struct.pack("e", v))[0]
        f = struct.unpack("f", struct.pack("f", v))[0]
    except OverflowError:
        return math.copysign(math.inf, v)
    if t == "float32" or math.isinf(f):
        return f
    bits = struct.unpack("I", struct.pack("f", f))[0] # from a float32, to nearest even
    bits = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    return struct.unpack("f", struct.pack("I", bits))[0]


def convert(v, a, b):
    if a == b:
        return v
    if b == "bool":
        return v != 0
    if isint(b):
        if isint(a) or a == "bool":
            return wrap(b, int(v))
        if math.isinf(v) or math.isnan(v) or wrap(b, math.trunc(v)) != math.trunc(v):
            raise Unknown # of the machine
        return math.trunc(v)
    if b == "bfloat16" and (isint(a) or a == "float16"):
        return rounded(b, rounded("float32", float(v)))
    if b == "float16" and isint(a) and INT[a] > 16: # through float32, as machines do
        if rounded(b, float(v)) != rounded(b, rounded("float32", float(v))):
            raise Unknown
    if isint(a) and abs(v) >= 1 << 53:
        raise Unknown # rounded twice here
    return rounded(b, float(v))


# Types --------------------------------------------------------------------------------------------------------------

def common(a, b):
    if a == b:
        return a
    if a == "bool" or b == "bool":
        return b if a == "bool" else a
    if (a in FLOAT) != (b in FLOAT):
        return a if a in FLOAT else b
    if a in FLOAT:
        return "float16" if BITS[a] == BITS[b] else a if BITS[a] > BITS[b] else b
    if INT[a] != INT[b]:
        return a if INT[a] > INT[b] else b
    return a if a[0] == "u" else b


class Lit:
    def __init__(self, v):
        self.v = v
        self.text = repr(v)

    def type(self, other, bitwise):
        if isinstance(self.v, bool):
            return other
        if isinstance(self.v, float):
            return "float32"
        if bitwise:
            if other == "bool" and self.v not in (0, 1) or isint(other) and wrap(other, self.v) != self.v:
                raise Refused
            return other
        if other in FLOAT:
            return other
        if other == "uint32" and self.v < 0:
            raise Refused
        return "int32" if wrap("int32", self.v) == self.v else "int64"


def both(x, y, bitwise=False):
    """The type in which x and y meet."""
    if isinstance(x, Lit) and isinstance(y, Lit):
        raise Refused
    if isinstance(x, Lit):
        return common(x.type(y.t, bitwise), y.t)
    if isinstance(y, Lit):
        return common(x.t, y.type(x.t, bitwise))
    return common(x.t, y.t)


def value(x, env, t):
    if isinstance(x, Lit):
        return convert(x.v, "bool" if isinstance(x.v, bool) else "int64" if isinstance(x.v, int) else "float64", t)
    return convert(x.f(env), x.t, t)


class Ex:
    def __init__(self, t, text, f):
        self.t, self.text, self.f = t, text, f


ARITH = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
COMPARE = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
           "==": lambda a, b: a == b, "!=": lambda a, b: a != b}
BITWISE = {"&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}


def done(t, v):
    return wrap(t, v) if isint(t) else rounded(t, v)


# Generating ---------------------------------------------------------------------------------------------------------

class Gen:
    def __init__(self, rng):
        self.rng = rng
        self.names = []

    def leaf(self):
        r = self.rng.random()
        if r < 0.6:
            t = self.rng.choice(list(INPUTS))
            return Ex(t, f"{INPUTS[t]}[i]", lambda env: env[INPUTS[t]][env["i"]])
        if r < 0.75 and self.names:
            return self.rng.choice(self.names)
        if r < 0.85:
            return Ex("int32", "i", lambda env: env["i"])
        return self.lit()

    def lit(self):
        return Lit(self.rng.choice([0, 1, 2, 3, 7, 15, 100, 127, 200, -1, -5, -128, 1000, 70000, 3000000000, 0.5, 1.5, 0.1,
                                    -2.25, 3.0, True, False]))

    def expr(self, d):
        if d == 0:
            return self.leaf()
        for _ in range(100):
            try:
                e = self.rng.choice([self.arith, self.arith, self.compare, self.bitwise, self.shift, self.divide, self.ternary,
                                     self.cast, self.minmax, self.unary, self.logic, self.clamp])(d - 1)
                if not isinstance(e, Lit):
                    return e
            except Refused:
                pass
        return self.leaf()

    def typed(self, d, ok=lambda t: True):
        for _ in range(50):
            e = self.expr(d)
            if not isinstance(e, Lit) and ok(e.t):
                return e
        raise Refused

    def pair(self, d):
        x, y = self.expr(d), self.expr(self.rng.randint(0, d))
        return (x, y) if self.rng.random() < 0.5 else (y, x)

    def arith(self, d):
        x, y = self.pair(d)
        t, op = both(x, y), self.rng.choice("+-*")
        if t == "bool":
            raise Refused
        return Ex(t, f"({x.text} {op} {y.text})", lambda env: done(t, ARITH[op](value(x, env, t), value(y, env, t))))

    def compare(self, d):
        x, y = self.pair(d)
        t, op = both(x, y), self.rng.choice(list(COMPARE))
        return Ex("bool", f"({x.text} {op} {y.text})", lambda env: COMPARE[op](value(x, env, t), value(y, env, t)))

    def bitwise(self, d):
        x, y = self.pair(d)
        t, op = both(x, y, True), self.rng.choice("&|^")
        if t in FLOAT or isinstance(x, Lit) and isinstance(x.v, float) or isinstance(y, Lit) and isinstance(y.v, float):
            raise Refused
        return Ex(t, f"({x.text} {op} {y.text})", lambda env: BITWISE[op](value(x, env, t), value(y, env, t)))

    def shift(self, d):
        x, op = self.typed(d, isint), self.rng.choice(["<<", ">>"])
        if self.rng.random() < 0.5:
            n = Lit(self.rng.randint(0, 6))
            t = x.t
        else:
            y = self.typed(d, isint)
            n = Ex(y.t, f"({y.text} & 7)", lambda env: y.f(env) & 7)
            t = common(x.t, y.t)

        def f(env):
            a, k = value(x, env, t), value(n, env, t)
            if k >= INT[t]:
                raise Unknown
            return wrap(t, a << k if op == "<<" else a >> k)
        return Ex(t, f"({x.text} {op} {n.text})", f)

    def divide(self, d):
        x = self.typed(d, lambda t: t != "bool")
        if x.t in FLOAT:
            y = Lit(self.rng.choice([2, 3, 0.5, 0.1, -4]))
            t = both(x, y)
            return Ex(t, f"({x.text} / {y.text})", lambda env: rounded(t, value(x, env, t) / value(y, env, t)))
        y = Lit(self.rng.choice([2, 3, 7, 16, -3, 100]))
        t, op = both(x, y), self.rng.choice(["//", "%"])
        return Ex(t, f"({x.text} {op} {y.text})",
                  lambda env: wrap(t, value(x, env, t) // value(y, env, t) if op == "//" else value(x, env, t) % value(y, env, t)))

    def ternary(self, d):
        c, (x, y) = self.typed(d, lambda t: t == "bool"), self.pair(d)
        t = both(x, y)
        return Ex(t, f"({x.text} if {c.text} else {y.text})",
                  lambda env: value(x if c.f(env) else y, env, t))

    def cast(self, d):
        x, t = self.typed(d), self.rng.choice(list(BITS))
        if x.t in FLOAT and t in INT: # what is beyond a type depends on the machine
            t = "int32"
        return Ex(t, f'T.cast({x.text}, "{t}")', lambda env: convert(x.f(env), x.t, t))

    def minmax(self, d):
        x, y = self.pair(d)
        t, name = both(x, y), self.rng.choice(["min", "max"])
        if t == "bool":
            raise Refused

        def f(env):
            a, b = value(x, env, t), value(y, env, t)
            if a == b == 0:
                return a if isint(t) else 0.0 # of either sign
            return min(a, b) if name == "min" else max(a, b)
        return Ex(t, f"T.{name}({x.text}, {y.text})", f)

    def clamp(self, d):
        x = self.typed(d, lambda t: t in FLOAT or t in ("int8", "int16", "int32"))
        lo, hi = self.rng.choice([(-5, 5), (0, 1), (-100, 100)])
        t = both(x, Lit(lo))
        return Ex(t, f"T.clamp({x.text}, {lo}, {hi})", lambda env: convert(min(max(value(x, env, t), lo), hi), "int64" if isint(t) else "float64", t))

    def unary(self, d):
        if self.rng.random() < 0.5:
            x = self.typed(d, lambda t: t != "bool" and t[0] != "u")
            return Ex(x.t, f"(-{x.text})", lambda env: done(x.t, -x.f(env)))
        x = self.typed(d, isint)
        return Ex(x.t, f"(~{x.text})", lambda env: wrap(x.t, ~x.f(env)))

    def logic(self, d):
        x = self.typed(d, lambda t: t == "bool")
        r = self.rng.random()
        if r < 0.3:
            return Ex("bool", f"(not {x.text})", lambda env: not x.f(env))
        y = self.typed(d, lambda t: t == "bool")
        if r < 0.65:
            return Ex("bool", f"({x.text} and {y.text})", lambda env: x.f(env) and y.f(env))
        return Ex("bool", f"({x.text} or {y.text})", lambda env: x.f(env) or y.f(env))


INPUTS = {"int8": "A", "uint8": "B", "int16": "C", "int32": "D", "uint32": "E", "int64": "F", "float16": "G", "bfloat16": "H",
          "float32": "I", "bool": "J"}


def data(rng, t):
    if t == "bool":
        return [rng.random() < 0.5 for _ in range(N)]
    if isint(t):
        bits = INT[t]
        return [wrap(t, rng.choice([rng.getrandbits(bits), rng.randint(-100, 100), rng.choice([0, 1, -1, 127, 128, 255])])) for _ in range(N)]
    return [rounded(t, rng.choice([rng.uniform(-4, 4), rng.uniform(-300, 300), rng.choice([0.0, 1.0, 0.5, -1.0, 65504.0])])) for _ in range(N)]


def target_of(t, rng):
    """A type to store a t in."""
    if t in FLOAT:
        return rng.choice(["float32", "float32", t])
    return rng.choice(["int32", "int64", "int64", "float32", t])


def kernel(rng, number):
    g = Gen(rng)
    inputs = {INPUTS[t]: data(rng, t) for t in INPUTS}
    lines, outs, want = [], [], []
    for s in range(6):
        e = g.typed(rng.randint(1, 3))
        if rng.random() < 0.3:
            name = f"x{s}"
            lines.append(f"{name} = {e.text}")
            g.names.append(Ex(e.t, name, e.f))
            continue
        t = target_of(e.t, rng)
        name, row = f"R{s}", []
        for i in range(N):
            try:
                v = convert(e.f({**inputs, "i": i}), e.t, t)
                row.append("inf" if v == math.inf else "-inf" if v == -math.inf else float(v) if t in FLOAT else int(v))
            except Unknown:
                row.append(None)
        outs.append((name, t))
        want.append(row)
        lines.append(f"{name}[i] = {e.text}")
    if not outs:
        return kernel(rng, number)
    loop = rng.choice(["T.Parallel", "T.serial"])
    text = [f"@tilelang.jit\ndef k{number}({', '.join(INPUTS.values())}):"]
    text += [f"    {n}: T.Tensor(({N},), \"{t}\")" for t, n in INPUTS.items()]
    text += [f"    {n} = T.empty(({N},), \"{t}\")" for n, t in outs]
    text += ["    with T.Kernel(1, threads=32) as bx:", f"        for i in {loop}({N}):"]
    text += ["            " + line for line in lines]
    text += [f"    return {', '.join(n for n, _ in outs)},", ""]
    args = ", ".join(f"torch.tensor({inputs[n]}, dtype=torch.{t})" for t, n in INPUTS.items())
    text += [f"same({number}, k{number}({args}), {want})", ""]
    return "\n".join(text)


HEAD = '''import tilelang, torch
import tilelang.language as T

def same(number, got, want):
    if not isinstance(got, (tuple, list)):
        got = (got,)
    for r, (g, w) in enumerate(zip(got, want)):
        g = g.to(torch.float64).tolist() if g.is_floating_point() else g.tolist()
        for i, (a, b) in enumerate(zip(g, w)):
            b = float(b) if isinstance(b, str) else b
            if b is not None and a != b:
                print("k%d: result %d, element %d: %r, not %r" % (number, r, i, a, b))
                return
    print("k%d ok" % number)

'''


def main():
    moontile, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    text = HEAD + "\n".join(kernel(random.Random(seed * 100003 + k), k) for k in range(count))
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f:
        f.write(text)
    got = subprocess.run([moontile, *(["-t", sys.argv[4]] if len(sys.argv) > 4 else []), f.name], capture_output=True, text=True)
    wrong = [line for line in got.stdout.splitlines() if not line.endswith(" ok")]
    if wrong or got.stderr or got.stdout.count(" ok") != count:
        print("\n".join(wrong + [got.stderr[:3000], f.name]))
        return 1
    print(f"{count} kernels agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
