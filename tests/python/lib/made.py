# Generated programs of Python: program(rng) -> bytes; short ones are a statement or two.  What CPython does not take is rare, and no loss.
NAMES = "a b c x y z self f g T match case type print end _ lo é 变量".split()
NUMBERS = "0 1 2 10 1_000 0xFF 0b101 0o17 1.5 .5 2. 1e3 1e-3 9223372036854775807 -9223372036854775808".split()
STRINGS = ['"s"', "'t'", '""', '"""u\nv"""', "'''w'''", 'r"\\n"', 'b"b"', '"\\n\\x41\\u00e9"', 'u"é"', '"a" "b"']
BINARY = "+ - * / // % ** @ & | ^ << >> and or < <= == != > >= is in".split() + ["is not", "not in"]
AUGMENTED = "+= -= *= /= //= %= **= @= &= |= ^= <<= >>=".split()


class Made:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *of):
        one = self.rng.choice(of)
        return one() if callable(one) else one

    def some(self, make, least=0, most=3):
        return [make() for _ in range(self.rng.randint(least, most))]

    def chance(self, n):
        return self.rng.randrange(n) == 0

    def name(self):
        return self.rng.choice(NAMES)

    def joined(self, parts, tail=True):
        s = self.pick(", ", ",", " , ").join(parts)
        return s + (self.pick("", "", ",") if tail and parts else "")

    def field(self, d):
        v = self.expr(d - 1).replace("\n", " ")
        if any(c in v for c in "\\\"'#\n:!={}") or v.startswith("{"):
            v = self.name()
        return "{" + v + self.pick("", "", "=", " = ") + self.pick("", "", "!r", "!s", "!a") + self.pick("", "", ":>10", ":{x}", ":.{y!r}f") + "}"

    def fstring(self, d):
        quote = self.pick('"', "'", '"""', "'''")
        parts = [self.pick("t", " ", "{{", "}}", "\\n", "é", "%") if self.chance(2) else self.field(d) for _ in range(self.rng.randrange(5))]
        return self.pick("f", "F", "rf", "fR") + quote + "".join(parts) + quote

    def atom(self, d):
        if d <= 0 or self.chance(3):
            return self.pick(self.name(), self.name(), self.rng.choice(NUMBERS), self.rng.choice(STRINGS), "None", "True", "...")
        e = lambda: self.expr(d - 1)
        star = lambda: self.pick("", "", "", "*") + self.bitor(d - 1) if self.chance(4) else self.named(d - 1)
        k = self.rng.randrange(15)
        if k == 0:
            return "(" + self.joined([star(), *self.some(star)], False) + ",)" if self.chance(2) else "()"
        if k == 1:
            return "[" + self.joined(self.some(star)) + "]"
        if k == 2:
            return "{" + self.joined([self.pick(lambda: e() + ": " + e(), lambda: "**" + self.bitor(d - 1)) for _ in range(self.rng.randrange(3))]) + "}"
        if k == 3:
            return "{" + self.joined([star(), *self.some(star)]) + "}"
        if k == 4:
            a, b = self.pick("()", "[]", "{}")
            return a + self.named(d - 1) + self.clauses(d) + b
        if k == 5:
            return "{" + e() + ": " + e() + self.clauses(d) + "}"
        if k == 6:
            return self.fstring(d)
        if k == 7:
            return "(" + self.pick("yield", lambda: "yield " + e(), lambda: "yield from " + e(), lambda: self.named(d - 1)) + ")"
        return "(" + e() + ")"

    def clauses(self, d):
        out = ""
        for _ in range(self.rng.randint(1, 2)):
            out += " for " + self.target(1) + " in " + self.disjunction(d - 1)
            out += "".join(" if " + self.disjunction(d - 1) for _ in range(self.rng.randrange(2)))
        return out

    def call(self, d):
        if self.chance(8):
            return "(" + self.expr(d - 1) + self.clauses(d) + ")"
        positional = [self.pick("", "", "*") + self.expr(d - 1) for _ in range(self.rng.randrange(3))]
        names = self.rng.sample(NAMES, self.rng.randrange(3))
        keywords = [n + "=" + self.expr(d - 1) for n in names] + (["**" + self.expr(d - 1)] if self.chance(6) else [])
        return "(" + self.joined(positional + keywords) + ")"

    def slice(self, d):
        e = lambda: self.pick("", lambda: self.expr(d - 1))
        return self.pick(lambda: self.expr(d - 1), lambda: e() + ":" + e(), lambda: e() + ":" + e() + ":" + e())

    def primary(self, d):
        s = self.atom(d)
        if s[0].isdigit() or s[0] == "." or s[0] == "-":
            s = "(" + s + ")" if self.chance(2) else s
            if s[0] != "(":
                return s
        for _ in range(self.rng.choice((0, 0, 0, 1, 1, 2))):
            k = self.rng.randrange(3)
            if d <= 0:
                break
            s += "." + self.name() if k == 0 else self.call(d) if k == 1 else "[" + self.joined([self.slice(d), *self.some(lambda: self.slice(d), 0, 2)]) + "]"
        return s

    def unary(self, d):
        return self.pick("", "", "", "-", "+", "~", "- ") + self.primary(d)

    def bitor(self, d):
        return self.unary(d) + (self.pick(" | ", "+", " * ", "**") + self.unary(d) if self.chance(3) else "")

    def disjunction(self, d):
        s = self.pick("", "", "", "not ") + self.unary(d)
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3)) if d > 0 else 0):
            op = self.rng.choice(BINARY)
            s += " " + op + " " + (self.pick("", "", "not ") if op in ("and", "or") else "") + self.unary(d - 1)
        return s

    def expr(self, d):
        k = self.rng.randrange(12) if d > 0 else 11
        if k == 0:
            return self.disjunction(d - 1) + " if " + self.disjunction(d - 1) + " else " + self.expr(d - 1)
        if k == 1:
            return "lambda" + (" " + self.parameters(d, False)).rstrip() + ": " + self.expr(d - 1)
        return self.disjunction(d)

    def named(self, d):
        return self.name() + " := " + self.expr(d - 1) if d > 0 and self.chance(10) else self.expr(d)

    def exprs(self, d):
        return self.expr(d) if self.chance(2) else self.joined([self.expr(d), *self.some(lambda: self.pick("", "*") + self.bitor(d - 1))])

    def target(self, d):
        k = self.rng.randrange(8)
        if k == 0 and d > 0:
            return "(" + self.target(d - 1) + ", " + self.pick("", "*") + self.target(0) + ")"
        if k == 1 and d > 0:
            return "[" + self.target(d - 1) + "]"
        if k == 2:
            return self.name() + "." + self.name()
        if k == 3:
            return self.name() + "[" + self.joined([self.slice(1)]) + "]"
        return self.name()

    def targets(self):
        return self.pick(lambda: self.target(2), lambda: self.target(1) + ", " + self.target(1), lambda: "*" + self.name() + ", " + self.target(1))

    def parameters(self, d, types):
        names = self.rng.sample(NAMES, self.rng.randrange(6))
        note = lambda: ": " + self.expr(1) if types and self.chance(2) else ""
        out, default, star = [], False, False
        for i, n in enumerate(names):
            k = self.rng.randrange(8)
            if k == 0 and i and not star and "/" not in out:
                out.append("/")
            if k == 1 and not star:
                star = True
                if self.chance(2):
                    out.append("*" + n + note())
                    continue
                out.append("*")
            default = default and not star or self.chance(3)
            out.append(n + note() + ("=" + self.expr(1) if default else ""))
        if self.chance(5):
            out.append("**" + "kw" + note())
        return ", ".join(out)

    def simple(self, d):
        e = self.expr
        return self.pick(
            lambda: e(d), lambda: self.targets() + " = " + self.exprs(d), lambda: self.name() + " = " + self.name() + "=" + self.exprs(d),
            lambda: self.pick(self.name(), self.name() + ".x", "x[0]") + " " + self.rng.choice(AUGMENTED) + " " + self.exprs(d),
            lambda: self.pick(self.name(), self.name() + ".x", "x[0]", "(x)") + ": " + e(1) + self.pick("", " = " + self.exprs(d)),
            lambda: "pass", lambda: self.pick("break", "continue"), lambda: "return" + self.pick("", " " + self.exprs(d)),
            lambda: "raise" + self.pick("", " " + e(d), " " + e(d) + " from " + e(1)), lambda: "assert " + e(d) + self.pick("", ", " + e(1)),
            lambda: "del " + self.target(0) + self.pick("", ", (a, [b.c])", ", " + self.name()), lambda: self.pick("global ", "nonlocal ") + self.name(),
            lambda: "import " + self.name() + self.pick("", ".x", " as y", ", b as c"), lambda: self.pick("yield", "yield " + self.exprs(1), "x = yield"),
            lambda: "from " + self.pick(".", "..", "a.b", ".a", "...") + " import " + self.pick("*", self.name(), "(a, b as c,)"))

    def block(self, d, indent):
        if self.chance(5):
            return " " + "; ".join(self.some(lambda: self.simple(min(d, 2)), 1, 2)) + self.pick("", ";") + "\n"
        inner = indent + self.pick("  ", "    ", "\t" if indent.strip("\t") == "" else " ")
        return self.pick("", " ", "  # c") + "\n" + "".join(self.some(lambda: self.statement(d - 1, inner), 1, 3))

    def statement(self, d, indent):
        e = self.expr
        b = lambda: ":" + self.block(d, indent)
        k = self.rng.randrange(11) if d > 0 else 10
        if k == 0:
            s = "if " + self.named(2) + b() + "".join(indent + "elif " + e(1) + b() for _ in range(self.rng.randrange(2)))
            s += indent + "else" + b() if self.chance(2) else ""
        elif k == 1:
            s = "while " + self.named(2) + b() + (indent + "else" + b() if self.chance(3) else "")
        elif k == 2:
            s = "for " + self.targets() + " in " + self.exprs(2) + b() + (indent + "else" + b() if self.chance(3) else "")
        elif k == 3:
            items = [e(1) + self.pick("", " as " + self.target(1)) for _ in range(self.rng.randint(1, 3))]
            s = "with " + self.pick(", ".join(items), "(" + self.joined(items) + ")") + b()
        elif k == 4:
            handlers = "".join(indent + "except" + self.pick(" A", " (A, B)", " " + e(1) + " as x") + b() for _ in range(self.rng.randrange(3)))
            last = indent + "finally" + b() if not handlers or self.chance(3) else ""
            s = "try" + b() + handlers + (indent + "else" + b() if handlers and self.chance(3) else "") + last
        elif k in (5, 6):
            s = "".join("@" + e(1) + "\n" + indent for _ in range(self.rng.choice((0, 0, 1, 2))))
            s += "def " + self.name() + "(" + self.parameters(2, True) + ")" + self.pick("", " -> " + e(1)) + b()
        elif k == 7:
            s = "class " + self.name() + self.pick("", "()", "(" + self.joined([e(1), "metaclass=x"]) + ")") + b()
        else:
            s = self.simple(min(d + 1, 3)) + self.pick("", "", "", ";", "  # c") + "\n"
        return self.pick("", "", "", "", "\n", "# c\n", indent + "  # c\n") + indent + s


def program(rng, short=False):
    m = Made(rng)
    text = "".join(m.some(lambda: m.statement(1 if short else 3, ""), 1, 2 if short else 4))
    if rng.randrange(10) == 0:
        text = text.replace("\n", "\r\n")
    return text.encode()
