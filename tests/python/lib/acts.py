# Generated programs that do things and print them: program(rng, n) -> text of n cases.
# Expressions have a type, so that most work; one in some has another type, for the exceptions.  Every case prints what
# it does and catches what it raises.  `p(n, v)` prints n and returns v: it shows the order of evaluation.
TYPES = "int float bool str list tuple dict set".split()
INTS = "0 1 2 3 5 7 10 -1 -2 -3 -7 8 100 255 0x1F 1_000 4611686018427387904 9223372036854775807 -9223372036854775808".split()
FLOATS = "0.0 -0.0 1.0 -1.5 2.5 0.1 3.75 1e16 1e-7 123456.789 -7.25 1e22 0.5 100.0 1e300 2.675 float('inf') float('nan')".split()
STRS = ["''", "'a'", "'abc'", "'Hello World'", "'  x y '", "'aXbXc'", "'12'", "'-3'", "'é变'", "'a\\tb\\n'", "'it\\'s'", "'\"'", "'a,b,,c'",
        "'\\\\'", "'{}'", "'%d'", "'zz'", "'1.5'", "'True'"]
KEYS = ["'a'", "'b'", "'k'", "1", "2", "0", "True", "1.0", "None", "(1, 2)", "'é'", "-1"]
FORMATS = {
    "int": ["", "d", "5d", "<5", ">6d", "^7", "05d", "+d", " d", ",", "x", "#x", "X", "b", "#b", "o", "08b", ".2f", "e", "g", "%", "*^9", "_", "=+6d", "c", "n", ",d", "10,.1f", "s"],
    "float": ["", "f", ".2f", "8.3f", "<9.1f", "e", ".3e", "g", ".3g", "%", ".1%", "+.2f", "010.2f", ",.2f", "*^12.2f", ".0f", "G", "E", "#.0f", " .1f", "_.1f", "d", ".10g", "=+9.1f", "-.1f", "z.0f", "n"],
    "str": ["", "s", "5", "<5", ">5", "^6", ".2", "*^7.1", "5s", "x>4", "d", "=5", "05", "+"],
    "bool": ["", "d", "5", ">6", "s", ".1f", "x"],
    "list": ["", "", ">30", "s"], "tuple": ["", ""], "dict": ["", ""], "set": [""],
}


class Acts:
    def __init__(self, rng):
        self.rng = rng
        self.names = [{}]
        self.count = 0
        self.loops = 0
        self.marks = 0

    # --- choosing
    def one(self, *of):
        of = self.rng.choice(of)
        return of() if callable(of) else of

    def of(self, seq):
        return self.rng.choice(seq)

    def chance(self, n):
        return self.rng.randrange(n) == 0

    def few(self, make, least=0, most=3):
        return [make() for _ in range(self.rng.randint(least, most))]

    def new(self, stem="v"):
        self.count += 1
        return f"{stem}{self.count}"

    def kind(self):
        return self.of(TYPES)

    # --- names in view
    def have(self, t):
        return [n for level in self.names for n, k in level.items() if k == t]

    def bind(self, n, t):
        self.names[-1][n] = t

    # --- expressions
    def expr(self, t, d=2):
        if self.chance(60): # the order of a set's values is its own
            t = self.of(TYPES[:-1])
        e = self.raw(t, d)
        if self.chance(9):
            self.marks += 1
            e = f"p({self.marks}, {e})"
        return e

    def raw(self, t, d):
        if d <= 0 or self.chance(5):
            known = self.have(t)
            if known and not self.chance(3):
                return self.of(known)
            return getattr(self, t + "_leaf")()
        if self.chance(10):
            return self.any(t, d - 1)
        return getattr(self, t + "_of")(d - 1)

    def any(self, t, d):
        e = lambda: self.expr(t, d)
        k = self.rng.randrange(9)
        if k == 0:
            return f"({e()} if {self.cond(d)} else {e()})"
        if k == 1:
            return f"({e()} or {e()})"
        if k == 2:
            return f"({e()} and {e()})"
        if k == 3:
            n = self.new("w")
            s = f"({n} := {e()})"
            return s
        if k == 4:
            return f"(lambda q={e()}: {self.one('q', e)})()"
        if k == 5:
            return f"[{', '.join([e(), e()])}][{self.of(['0', '1', '-1', '-2', 'False', 'True', '2'])}]"
        if k == 6:
            return f"({e()}, {self.expr(self.kind(), d)})[{self.of(['0', '0', '-2', '1'])}]"
        if k == 7:
            return f"{{{self.of(KEYS)}: {e()}}}.get({self.of(KEYS)}, {e()})"
        return f"max({e()}, {e()})" if t not in ("dict", "set") else f"copy({e()})"

    def cond(self, d=1):
        k = self.rng.randrange(9)
        t = self.of(["int", "float", "str", "int", "list", "tuple"])
        e = lambda t=t: self.expr(t, d - 1)
        if k < 3:
            return f"{e()} {self.of(['<', '<=', '>', '>=', '==', '!='])} {e()}"
        if k == 3:
            ops = ["<", "<=", ">", ">=", "==", "!="]
            return f"{e()} {self.of(ops)} {e()} {self.of(ops)} {e()}"
        if k == 4:
            return f"not {self.expr(self.kind(), d - 1)}"
        if k == 5:
            return f"{self.expr(self.one('int', 'str', 'float'), d - 1)} {self.of(['in', 'not in'])} {self.expr(self.of(['list', 'tuple', 'set', 'dict', 'str']), d - 1)}"
        if k == 6:
            return f"{self.expr(self.kind(), d - 1)} {self.of(['is None', 'is not None', '== None'])}"
        if k == 7:
            return f"isinstance({self.expr(self.kind(), d - 1)}, {self.of(['int', 'float', 'str', '(int, str)', 'bool', 'list', 'tuple', 'object', 'dict'])})"
        return self.expr("bool", d - 1)

    int_leaf = lambda s: s.of(INTS[:13]) if not s.chance(12) else s.of(INTS)
    float_leaf = lambda s: s.of(FLOATS)
    bool_leaf = lambda s: s.of(["True", "False"])
    str_leaf = lambda s: s.of(STRS)

    def list_leaf(self):
        return "[" + ", ".join(self.few(self.int_leaf, 0, 5)) + "]"

    def tuple_leaf(self):
        it = self.few(lambda: self.one(self.int_leaf, self.str_leaf, self.float_leaf), 0, 3)
        return "(" + ", ".join(it) + ("," if len(it) == 1 else "") + ")"

    def dict_leaf(self):
        return "{" + ", ".join(self.of(KEYS) + ": " + self.int_leaf() for _ in range(self.rng.randrange(4))) + "}"

    def set_leaf(self):
        return self.one("set()", lambda: "{" + ", ".join(self.few(self.int_leaf, 1, 4)) + "}", "set((3, 1, 3))", "frozenset((1, 2))")

    def int_of(self, d):
        e = lambda t="int": self.expr(t, d)
        k = self.rng.randrange(26)
        if k < 8:
            return f"({e()} {self.of(['+', '-', '*', '//', '%', '&', '|', '^', '+', '-'])} {self.one(e, e, lambda: e('bool'))})"
        if k == 8:
            return f"({e()} {self.of(['<< 1', '<< 3', '<< 20', '<< 0', '<< -1', '>> 1', '>> 2', '>> 31', '>> 63', '>> 70', '>> -1'])})"
        if k == 9:
            return f"({e()} ** {self.of(['0', '1', '2', '3', '-1', 'True'])})"
        if k == 10:
            return f"{self.of('-+~')}{e()}"
        if k == 11:
            return f"len({e(self.of(['list', 'str', 'tuple', 'dict', 'set']))})"
        if k == 12:
            return f"int({e(self.of(['float', 'str', 'bool', 'int']))})"
        if k == 13:
            return f"sum({self.iter(d)})"
        if k == 14:
            return f"{self.of(['min', 'max'])}({self.iter(d)}{self.of(['', '', ', default=9', ', key=lambda q: -q'])})"
        if k == 15:
            return f"{e('list')}.{self.of(['index', 'count'])}({e()})"
        if k == 16:
            return f"{e('str')}.{self.of(['find', 'count', 'rfind', 'index', 'rindex'])}({e('str')})"
        if k == 17:
            return f"{e('list')}[{e()}]"
        if k == 18:
            return f"round({e(self.of(['float', 'int']))})"
        if k == 19:
            return f"divmod({e()}, {e()})[{self.of('01')}]"
        if k == 20:
            return f"abs({e()})"
        if k == 21:
            return f"pow({e()}, {self.of('0123')}, {self.of(['7', '-5', '1', '10', '0'])})"
        if k == 22:
            return f"ord({e('str')}[0])"
        if k == 23:
            return f"{e('dict')}[{self.of(KEYS)}]"
        if k == 24:
            return f"int({self.of(['0x1f', 'ff', '101', '-7', '1_0', 'z', '08'])!r}, {self.of(['10', '16', '2', '0', '36'])})"
        return f"{e()}.{self.of(['bit_length()', 'real', 'numerator', 'conjugate()', 'bit_count()'])}"

    def float_of(self, d):
        e = lambda t="float": self.expr(t, d)
        k = self.rng.randrange(14)
        if k < 5:
            return f"({e()} {self.of(['+', '-', '*', '/', '//', '%', '**'])} {self.one(e, lambda: e('int'), lambda: e('bool'))})"
        if k < 7:
            return f"({e('int')} {self.of(['/', '/', '*', '%', '//', '-'])} {e(self.of(['int', 'float']))})"
        if k == 7:
            return f"float({e(self.of(['int', 'str', 'bool', 'float']))})"
        if k == 8:
            return f"round({e(self.of(['float', 'int']))}, {self.of(['0', '1', '2', '-1', '-2', '3', 'None'])})"
        if k == 9:
            return f"({e('int')} ** {self.of(['-1', '-2', '0.5', '-0.5', '2.0'])})"
        if k == 10:
            return f"sum([{e()}, {e()}, {e('int')}], {self.of(['0', '0.0', '1'])})"
        if k == 11:
            return f"{self.of('-+')}{e()}"
        if k == 12:
            return f"math.{self.of(['sqrt', 'floor', 'ceil', 'fabs', 'trunc', 'exp', 'log2', 'isnan'])}({e(self.of(['float', 'int']))})"
        return f"abs({e()})"

    def bool_of(self, d):
        e = lambda t: self.expr(t, d)
        k = self.rng.randrange(8)
        if k < 4:
            return f"({self.cond(d + 1)})"
        if k == 4:
            return f"bool({e(self.kind())})"
        if k == 5:
            return f"{self.of(['any', 'all'])}({self.iter(d)})"
        if k == 6:
            return f"{e('str')}.{self.of(['startswith', 'endswith'])}({self.of([e('str'), '(' + e('str') + ', ' + e('str') + ')'])})"
        return f"{e('str')}.{self.of(['isdigit', 'isalpha', 'isupper', 'islower', 'isspace', 'isalnum', 'isidentifier', 'istitle', 'isnumeric', 'isdecimal'])}()"

    def str_of(self, d):
        e = lambda t="str": self.expr(t, d)
        k = self.rng.randrange(22)
        if k == 0:
            return f"({e()} + {e()})"
        if k == 1:
            return f"({e()} * {self.of(['0', '2', '-1', '3', 'True'])})"
        if k == 2:
            return f"{e()}{self.slice(d)}"
        if k == 3:
            return f"{e()}[{e('int')}]"
        if k < 6:
            return f"{e()}.{self.of(['upper', 'lower', 'strip', 'title', 'capitalize', 'swapcase', 'lstrip', 'rstrip', 'casefold', 'expandtabs'])}()"
        if k == 6:
            return f"{e()}.replace({e()}, {e()}{self.of(['', ', 1', ', -1', ', 0'])})"
        if k == 7:
            return f"{e()}.join({self.of(['[' + e() + ', ' + e() + ']', e(), '(' + e() + ',)', 'map(str, ' + e('list') + ')', e('list')])})"
        if k < 10:
            t = self.kind()
            return f"{self.of(['str', 'repr', 'str', 'ascii'])}({e(t)})" if t != "set" else e()
        if k < 14:
            return self.fstring(d)
        if k == 14:
            return f"{e()}.{self.of(['center', 'ljust', 'rjust', 'zfill'])}({self.of(['5', '8', '0', '-1'])})"
        if k == 15:
            return f"{e()}.{self.of(['strip', 'lstrip', 'rstrip', 'removeprefix', 'removesuffix'])}({e()})"
        if k == 16:
            t = self.of(["int", "float", "str", "bool"])
            f = self.of({"int": ["%d", "%5d", "%-5d|", "%05d", "%x", "%#x", "%+d", "%s", "%r", "%i", "%o", "%c", "%.3d", "%e", "% d"],
                         "float": ["%f", "%.2f", "%8.3f", "%g", "%e", "%d", "%s", "%r", "%-9.1f|", "%+.1f", "%G", "%5.0f", "%i", "%x"],
                         "str": ["%s", "%r", "%5s", "%-5s|", "%.2s", "%d", "%a", "%c"], "bool": ["%s", "%d", "%r", "%5s", "%x"]}[t])
            return self.of([f"(\"{f}\" % {e(t)})", f"(\"<{f}>%%\" % ({e(t)},))", f"(\"{f} {f}\" % ({e(t)}, {e(t)}))", f"(\"%(k){f[1:]}\" % {{'k': {e(t)}}})"])
        if k == 17:
            t = self.of(["int", "float", "str"])
            return f"\"{self.of(['{}', '{0}', '{:' + self.of(FORMATS[t]) + '}', '{0!r}', '{{{}}}', '{0}{0}', '{1}', '{k}', '{0:>{1}}', '{!s:>5}', '{k!r:^9}', '{0[0]}'])}\".format({e(t)}, {self.of(['3', '7'])}, k={e(t)})"
        if k == 18:
            return f"format({e('int')}, {self.of(FORMATS['int'])!r})"
        if k == 19:
            return f"{self.of(['chr', 'hex', 'bin', 'oct'])}({e('int')})"
        if k == 20:
            return f"{e()}.{self.of(['partition', 'rpartition'])}({e()})[{self.of('012')}]"
        return f"type({e(self.kind())}).__name__"

    def fstring(self, d):
        parts = []
        for _ in range(self.rng.randint(1, 3)):
            t = self.kind()
            v = self.expr(t, d)
            if t == "set" or any(c in v for c in "\\'\"#{}:!=") or "lambda" in v or "set" in v:
                t = self.of(["int", "float", "str"])
                known = self.have(t)
                v = self.of(known) if known else "1"
            f = self.of(FORMATS[t])
            if self.chance(5) and t in ("int", "float", "str"):
                f = self.of(["{w}", "{w}.{1}", ">{w}", "{'<'}{w}", "{w + 1}"])
            parts.append(self.of(["", "x", " ", "{{", "}}", "\\n", "é"]) + "{" + v + self.of(["", "", "", "="]) + self.of(["", "", "", "!r", "!s"]) + (":" + f if f else "") + "}")
        return 'f"' + "".join(parts) + '"'

    def slice(self, d):
        part = lambda: self.one("", "", lambda: self.expr("int", min(d, 1)), "-1", "1", "2")
        return "[" + part() + ":" + part() + self.one("", "", lambda: ":" + self.of(["", "1", "2", "-1", "-2", "3", "0"])) + "]"

    def iter(self, d):
        e = lambda t: self.expr(t, d)
        k = self.rng.randrange(9)
        if k == 0:
            return f"range({', '.join(self.few(lambda: e('int') if self.chance(4) else self.of(['0', '3', '5', '-2', '1', '2', '10']), 1, 3))})"
        if k == 1:
            return e("tuple") if self.chance(3) else e("list")
        if k == 2:
            return f"(q for q in {e('list')} if {self.of(['q', 'q > 0', 'q % 2', 'not q', 'q != 3'])})"
        if k == 3:
            return f"[q {self.of(['+ 1', '* 2', '// 2', '% 3', '** 2', '- 5'])} for q in {e('list')}]"
        if k == 4:
            return f"map(lambda q: q * 2, {e('list')})"
        if k == 5:
            return f"filter(None, {e('list')})"
        if k == 6:
            return f"{e('dict')}.values()"
        if k == 7:
            return f"reversed({e('list')})"
        return e("list")

    def list_of(self, d):
        e = lambda t="list": self.expr(t, d)
        k = self.rng.randrange(16)
        if k == 0:
            return f"({e()} + {e()})"
        if k == 1:
            return f"({e()} * {self.of(['0', '2', '-1', 'True'])})"
        if k < 4:
            return f"{e()}{self.slice(d)}"
        if k == 4:
            return f"sorted({self.iter(d)}{self.of(['', ', reverse=True', ', key=lambda q: -q', ', key=abs', ', key=lambda q: q % 3, reverse=True', ', key=str'])})"
        if k == 5:
            return f"list({self.iter(d)})"
        if k == 6:
            return f"[*{e()}, {e('int')}, *{self.iter(d)}]"
        if k == 7:
            return f"[{self.of(['q', 'q + r', '(q, r)', 'q * r'])} for q in {e()} for r in {self.of(['range(q)', '(1, 2)', e(), '[q]'])}{self.of(['', ' if r', ' if q > r', ' if q if r'])}]"
        if k == 8:
            return f"{e('str')}.split({self.of(['', self.expr('str', d), chr(39) + ',' + chr(39), 'None', chr(39) + 'X' + chr(39) + ', 1', 'None, 1', 'maxsplit=1'])})"
        if k == 9:
            return f"list({self.of(['enumerate(' + e() + ')', 'enumerate(' + e() + ', 1)', 'zip(' + e() + ', ' + e() + ')', e('dict') + '.items()', 'zip(*[' + e() + ', ' + e() + '])', 'zip(' + e() + ', ' + e() + ', strict=True)'])})"
        if k == 10:
            return f"list({e(self.of(['str', 'tuple', 'dict', 'list']))})"
        if k == 11:
            return f"sorted({e('set')})"
        if k == 12:
            return f"[[{e('int')}] * 2 for _ in range({self.of('012')})]"
        if k == 13:
            return f"[{', '.join(self.few(lambda: e(self.kind() if self.chance(5) else 'int'), 0, 4))}]"
        if k == 14:
            return f"{e('str')}.{self.of(['splitlines()', 'rsplit(None, 1)', 'rsplit(' + chr(39) + 'X' + chr(39) + ')'])}"
        return f"list({e('dict')}.{self.of(['keys()', 'values()', 'items()'])})"

    def tuple_of(self, d):
        e = lambda t="tuple": self.expr(t, d)
        k = self.rng.randrange(7)
        if k == 0:
            return f"({e()} + {e()})"
        if k == 1:
            return f"({e()} * {self.of(['0', '2', '-1'])})"
        if k == 2:
            return f"{e()}{self.slice(d)}"
        if k == 3:
            return f"tuple({self.iter(d)})"
        if k == 4:
            return f"divmod({e(self.of(['int', 'float']))}, {e(self.of(['int', 'float']))})"
        if k == 5:
            return f"(*{e()}, {e('int')})"
        return f"({e('int')}, {e('str')}, {e(self.of(['float', 'bool', 'tuple']))})"

    def dict_of(self, d):
        e = lambda t="dict": self.expr(t, d)
        k = self.rng.randrange(8)
        if k == 0:
            return f"{{**{e()}, {self.of(KEYS)}: {e('int')}}}"
        if k == 1:
            return f"({e()} | {e()})"
        if k == 2:
            return f"{{q: {self.of(['q', 'q * 2', 'str(q)', '-q'])} for q in {e('list')}{self.of(['', ' if q'])}}}"
        if k == 3:
            return f"dict({self.of(['a=' + e('int'), e(), 'zip(' + e('str') + ', ' + e('list') + ')', '[(1, ' + e('int') + ')], b=2', e('list'), '**' + e()])})"
        if k == 4:
            return f"dict.fromkeys({self.of([e('str'), e('list'), e('tuple')])}{self.of(['', ', 0'])})"
        if k == 5:
            return "{" + ", ".join(self.of(KEYS) + ": " + e(self.kind() if self.chance(4) else "int") for _ in range(self.rng.randrange(4))) + "}"
        if k == 6:
            return f"{{v: k for k, v in {e()}.items()}}"
        return f"{{{e('int')}: {e('int')}, {e('bool')}: {e('int')}, {e('float')}: {e('int')}}}"

    def set_of(self, d):
        e = lambda t="set": self.expr(t, d)
        k = self.rng.randrange(5)
        if k < 2:
            return f"({e()} {self.of('|&-^')} {e()})"
        if k == 2:
            return f"set({self.iter(d)})"
        if k == 3:
            return f"{{q % 3 for q in {e('list')}}}"
        return f"{e()}.{self.of(['union', 'intersection', 'difference', 'symmetric_difference'])}({self.of([e(), e('list')])})"

    # --- statements: lists of lines
    def show(self, t=None, d=2):
        t = t or self.kind()
        e = self.expr(t, d)
        return [f"print(s({e}))"]

    def block(self, d, least=1, most=3):
        # What a block binds may be unbound after it; that is part of the test, one time in some.
        self.names.append({})
        lines = [line for some in self.few(lambda: self.stmt(d), least, most) for line in some]
        level = self.names.pop()
        if self.chance(4):
            self.names[-1].update(level)
        return ["    " + line for line in lines]

    def stmt(self, d):
        if d <= 0:
            return self.one(self.show, self.assign, self.assign, self.augment, self.escape, self.raising)
        return self.one(self.show, self.show, self.assign, self.assign, self.unpack, self.augment, self.change, self.change, self.delete, lambda: self.branch(d - 1),
                        lambda: self.loop(d - 1), lambda: self.loop(d - 1), lambda: self.attempt(d - 1), lambda: self.attempt(d - 1), lambda: self.function(d - 1),
                        lambda: self.function(d - 1), lambda: self.generator(d - 1), lambda: self.klass(d - 1), lambda: self.managed(d - 1), self.escape, self.raising,
                        lambda: self.late(d - 1), lambda: self.decorated(d - 1), lambda: self.matching(d - 1))

    def assign(self):
        t = self.kind()
        e = self.expr(t)
        if self.chance(3) and self.have(t):
            n = self.of(self.have(t))
        else:
            n = self.new()
        if self.chance(12):
            m = self.new()
            self.bind(m, t)
            self.bind(n, t)
            return [f"{m} = {n} = {e}"]
        self.bind(n, t)
        return [f"{n}{self.of(['', '', ': int'])} = {e}"]

    def unpack(self):
        a, b, c = self.new(), self.new(), self.new()
        k = self.rng.randrange(7)
        out = f"print(s({a}), s({b}), s({c}))"
        if k == 0:
            return [f"{a}, *{b}, {c} = {self.expr(self.of(['list', 'tuple', 'str']))}", out]
        if k == 1:
            return [f"{a}, {b}, {c} = {self.expr(self.of(['list', 'tuple', 'str', 'dict', 'int']))}", out]
        if k == 2:
            return [f"({a}, {b}), {c} = {self.expr('tuple', 1)}, {self.expr(self.kind())}", out]
        if k == 3:
            return [f"{a} = {b} = {c} = {self.expr('list')}", f"{a}.append(1)", f"{b} += [2]", f"{c} = {c} + [3]", out]
        if k == 4:
            return [f"{a} = {self.expr('list')}", f"{b} = {c} = 0", f"{b}, {a}[{b}] = {self.expr('int')}, {self.expr('int')}", f"{c}, {a}[0], {b} = {b}, {c}, {a}[-1]", out]
        if k == 5:
            return [f"[{a}, [{b}, *{c}]] = [{self.expr('int')}, {self.expr(self.of(['str', 'list']))}]", out]
        return [f"{a} = [[0, 0], [0, 0]]", f"{b} = {c} = 1", f"{a}[p(1, {b})][p(2, 0)], {a}[p(3, 0)][p(4, {c})] = p(5, {self.expr('int', 1)}), p(6, {self.expr('int', 1)})", out]

    def augment(self):
        t = self.of(["int", "float", "str", "list", "set", "dict", "tuple", "bool"])
        known = self.have(t)
        if not known:
            return self.assign()
        n = self.of(known)
        op = self.of({"int": ["+=", "-=", "*=", "//=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=", "/="], "float": ["+=", "-=", "*=", "/=", "//=", "%="],
                      "str": ["+=", "*="], "list": ["+=", "*="], "set": ["|=", "&=", "-=", "^="], "dict": ["|="], "tuple": ["+="], "bool": ["&=", "|=", "^=", "+="]}[t])
        right = self.of("123") if op in ("*=", "**=", "<<=", ">>=") else self.expr(t, 1)
        return [f"{n} {op} {right}", f"print(s({n}))"]

    def change(self):
        t = self.of(["list", "list", "dict", "set"])
        known = self.have(t)
        first = []
        if not known or t == "set": # a frozenset has no such methods
            n = self.new()
            first = [f"{n} = {'set(' + self.expr(t) + ')' if t == 'set' else self.expr(t)}"]
            self.bind(n, t)
        else:
            n = self.of(known)
        i = lambda d=1: self.expr("int", d)
        if t == "list":
            line = self.of([f"{n}[{i()}] = {self.expr(self.kind(), 1)}", f"{n}{self.slice(1)} = {self.iter(1)}", f"{n}.append({i()})", f"{n}.extend({self.iter(1)})", f"{n}.insert({i()}, {i()})",
                            f"print({n}.pop({self.of(['', '0', '-1', i()])}))", f"{n}.remove({i()})", f"{n}.sort({self.of(['', 'reverse=True', 'key=lambda q: -q', 'key=lambda q: q % 2'])})",
                            f"{n}.reverse()", f"{n}[p(1, {i()})] {self.of(['+=', '-=', '*='])} p(2, {i()})", f"{n}[p(1, {i(0)}) % 2] = p(2, {n})[0]", f"{n}.clear()", f"{n} = {n}.copy()",
                            f"del {n}[{i()}]", f"del {n}{self.slice(1)}", f"{n}[:] = {n}[::-1]", f"{n}[1:1] = {n}", f"{n}[0], {n}[-1] = {n}[-1], {n}[0]"])
        elif t == "dict":
            key = lambda: self.of(KEYS)
            line = self.of([f"{n}[{key()}] = {i()}", f"{n}[{key()}] += {i()}", f"print({n}.pop({key()}{self.of(['', ', None'])}))", f"{n}.update({self.of(['{' + key() + ': 1}', 'a=1', '[(1, 2)]', 'b=2, **{}'])})",
                            f"print({n}.setdefault({key()}, {i()}))", f"del {n}[{key()}]", f"print({n}.popitem())", f"{n}[p(1, {key()})] = p(2, {i()})", f"print(list({n}), {key()} in {n})", f"print({n} == {self.expr('dict', 1)})",
                            f"for q in {n}: {n}[q] = 0", f"for q in {n}: {n}[str(q) + 'n'] = 0", f"{n}[[]] = 1", f"print(next(iter({n})), len({n}))"])
        else:
            line = self.of([f"{n}.add({i()})", f"{n}.discard({i()})", f"{n}.remove({i()})", f"{n}.update({self.expr('list', 1)})", f"print({n} <= {self.expr('set', 1)}, {n} == {self.expr('set', 1)}, {n}.isdisjoint({self.expr('list', 1)}))",
                            f"{n}.add([])", f"print(len({n}), {i()} in {n})", f"{n}.clear()", f"print({n} < {self.expr('set', 1)}, {n} > set())"])
        return first + [line, f"print(s({n}))"]

    def delete(self):
        n = self.new()
        return [f"{n} = {self.expr(self.kind(), 1)}", f"del {n}"] + ([f"print({n})"] if self.chance(2) else [f"{n} = 1", f"print({n})"])

    def branch(self, d):
        lines = [f"if {self.cond()}:"] + self.block(d)
        for _ in range(self.rng.randrange(2)):
            lines += [f"elif {self.cond()}:"] + self.block(d)
        if self.chance(2):
            lines += ["else:"] + self.block(d)
        return lines

    def loop(self, d):
        n = self.new("i")
        self.loops += 1
        if self.chance(3):
            lines = [f"{n} = 0", f"while {self.of([f'{n} < 3', f'({n} := {n} + 1) < 4', 'True', f'{n} < 2 and {self.cond()}'])}:", f"    {n} += 1", f"    if {n} > 5: break"]
        else:
            t = self.of([f"{n}", f"{n}", f"{n}, {n}b"])
            seq = self.iter(1) if "," not in t else self.of([f"enumerate({self.iter(1)})", f"zip({self.iter(1)}, {self.iter(1)})", f"{self.expr('dict', 1)}.items()"])
            lines = [f"for {t} in islice({seq}, 4):" if self.chance(2) else f"for {t} in {seq}:"]
            lines += [f"    if tick(): break"]
        self.names.append({n: "int"})
        lines += self.block(d, 1, 3)
        self.names.pop()
        self.loops -= 1
        if self.chance(2):
            lines += ["else:"] + self.block(d, 1, 2)
        if self.chance(3):
            lines += [f"print('after', s({n}))"]
        return lines

    def escape(self):
        if self.loops > 0:
            return [self.of(["break", "continue", f"if {self.cond()}: break", f"if {self.cond()}: continue", "pass"])]
        return [self.of([f"if {self.cond()}: return s({self.expr(self.kind(), 1)})", "pass", "return", f"assert {self.cond()}, {self.expr('str', 1)}", f"assert {self.cond()}"])]

    def raising(self):
        kinds = ["ValueError('v')", "KeyError('k')", "IndexError", "TypeError('t', 1)", "RuntimeError()", "ZeroDivisionError('z')", "StopIteration(3)", "Own('own')", "Own2(7)", "AttributeError('x')", "Exception((1, 2))", "OSError(2, 'no')"]
        r = "raise " + self.of(kinds)
        if self.chance(3):
            r += " from " + self.of(["None", "ValueError('cause')", "Own('c')"])
        return [f"if {self.cond()}: {r}" if not self.chance(3) else r]

    def attempt(self, d):
        lines = ["try:"] + self.block(d, 1, 3)
        kind = self.rng.randrange(4)
        if kind < 3:
            for _ in range(self.rng.randint(1, 2)):
                names = self.of(["ValueError", "(ValueError, KeyError)", "TypeError", "LookupError", "ArithmeticError", "Own", "Exception", "IndexError", "NameError", "KeyError"])
                if self.chance(4):
                    lines += [f"except {names}:"] + self.block(d, 1, 2)
                else:
                    n = self.new("e")
                    lines += [f"except {names} as {n}:", f"    print(type({n}).__name__, {n}, {n}.args, repr({n}), type({n}.__cause__).__name__, type({n}.__context__).__name__)"]
                    lines += self.block(d, 0, 2)
                    if self.chance(5):
                        lines += ["    " + self.of(["raise", f"raise Own({n})", f"raise Own('w') from {n}"])]
            if self.chance(3):
                lines += ["else:"] + self.block(d, 1, 2)
        if kind == 3 or self.chance(3):
            lines += ["finally:"] + self.block(d, 1, 2)
        return lines

    def params(self):
        """The parameters of a function, with their types, and calls that fit."""
        ps, call, types = [], [], {}
        for _ in range(self.rng.randrange(3)):
            n, t = self.new("a"), self.kind()
            types[n] = t
            ps.append(n)
            call.append(self.one(lambda: self.expr(t, 1), lambda: self.expr(t, 1), lambda: f"*[{self.expr(t, 1)}]"))
        defaults = False
        for _ in range(self.rng.randrange(3)):
            n, t = self.new("a"), self.kind()
            types[n] = t
            ps.append(f"{n}={self.expr(t, 1)}")
            defaults = True
            if self.chance(2):
                call.append(self.expr(t, 1) if all("=" not in c.split("(")[0] for c in call) else f"{n}={self.expr(t, 1)}")
        star = self.rng.randrange(4)
        if star == 0:
            n = self.new("r")
            types[n] = "tuple"
            ps.append("*" + n)
            if self.chance(2):
                call.append(f"*{self.expr('tuple', 1)}")
        if star <= 1:
            if star == 1:
                ps.append("*")
            n, t = self.new("k"), self.kind()
            types[n] = t
            ps.append(f"{n}={self.expr(t, 1)}" if self.chance(2) else n)
            if self.chance(5) is False:
                call.append(f"{n}={self.expr(t, 1)}")
        if self.chance(5):
            n = self.new("kw")
            types[n] = "dict"
            ps.append("**" + n)
            if self.chance(2):
                call.append(self.of(["extra=1", "**{'u': 1, 'v': 2}", "**{}"]))
        if self.chance(10):
            call.append(self.of(["nope=1", "*(1, 2, 3)", "**{'nope': 2}"]))
        if self.chance(12) and call:
            call.pop()
        return ps, call, types

    def function(self, d):
        f = self.new("f")
        ps, call, types = self.params()
        outer = [n for level in self.names for n in level]
        if self.chance(3) and outer and d > 0 and self.depth > 0:
            n = self.of(outer)
            if n not in types and n in self.local:
                inner = [f"    nonlocal {n}"]
            else:
                inner = []
        else:
            inner = []
        save, self.loops = self.loops, 0
        self.depth += 1
        self.names.append(dict(types))
        t = self.kind()
        body = self.block(d, 1, 3) + [f"    return {self.expr(t, 1)}"]
        self.names.pop()
        self.depth -= 1
        self.loops = save
        lines = [f"def {f}({', '.join(ps)}):"] + inner + body
        calls = [f"print(s({f}({', '.join(call)})))"]
        if self.chance(2):
            calls *= 2
        return lines + calls

    depth = 0
    local = ()

    def generator(self, d):
        g, n = self.new("g"), self.new("n")
        save, self.loops = self.loops, 0
        self.names.append({n: "int"})
        body = []
        for _ in range(self.rng.randint(1, 3)):
            body += self.block(d, 0, 1)
            body += self.of([[f"    yield {self.expr(self.kind(), 1)}"], [f"    got = yield {n}", "    print('got', s(got))"], [f"    yield from {self.iter(1)}"], [f"    r = yield from {g}({n} - 1) if {n} > 0 else ()", "    print('r', s(r))"],
                             ["    try:", f"        yield {self.expr('int', 1)}", "    except ValueError as e:", "        print('in', e)", "        yield 'v'", "    finally:", "        print('fin')"],
                             [f"    for j in range({n}):", f"        yield j, {n}"]])
        if self.chance(2):
            body += [f"    return {self.expr(self.kind(), 1)}"]
        self.names.pop()
        self.loops = save
        a = self.new("it")
        use = self.of([[f"print(s(list({g}(2))))"], [f"for q in {g}(1): print(s(q))"], [f"{a} = {g}(1)", f"print(s(next({a})))", f"print(s(next({a}, 'end')))", f"print(s(list({a})))", f"print(next({a}, 'end'))"],
                       [f"{a} = {g}(2)", f"print(s(next({a})))", f"print(s({a}.send(5)))", f"{a}.close()", f"print(next({a}, 'none'))"], [f"{a} = {g}(0)", f"next({a})", f"print(s({a}.throw(ValueError('thrown'))))"],
                       [f"x, *y = {g}(1)", "print(s(x), s(y))"], [f"print(s(tuple(islice({g}(2), 3))))"], [f"{a} = {g}(1)", "try:", "    while True: print(s(next(" + a + ")))", "except StopIteration as e:", "    print('stop', s(e.value))"],
                       [f"{a} = {g}(1)", f"{a}.send(3)"]])
        return [f"def {g}({n}):"] + body + use

    def klass(self, d):
        A, B = self.new("A"), self.new("B")
        save, self.loops = self.loops, 0
        e = lambda t, d=1: self.expr(t, d)
        lines = [f"class {A}:", f"    n = {e('int')}", "    all = []"]
        bits = {
            "init": [f"    def __init__(self, x={e('int')}, *r, k=1):", "        self.x = x", "        self.k = k", "        self.all.append(x)"],
            "repr": ["    def __repr__(self):", f"        return f'{A}({{self.x!r}})'"],
            "str": ["    def __str__(self):", "        return 'str' + str(self.n)"],
            "eq": ["    def __eq__(self, o):", "        print('eq')", "        return isinstance(o, type(self)) and self.x == o.x"],
            "lt": ["    def __lt__(self, o):", "        print('lt')", "        return self.x < o.x"],
            "add": ["    def __add__(self, o):", "        print('add')", f"        return {self.of(['NotImplemented', 'self.x + 1', f'{A}(self.x)', 'o'])}"],
            "radd": ["    def __radd__(self, o):", "        print('radd')", f"        return {self.of(['NotImplemented', '(o, self.x)'])}"],
            "iadd": ["    def __iadd__(self, o):", "        self.x += 1", "        return self"],
            "len": ["    def __len__(self):", f"        return {self.of(['0', '2', 'self.x', '3'])}"],
            "getitem": ["    def __getitem__(self, i):", "        print('get', i)", "        if isinstance(i, int) and i > 2: raise IndexError(i)", "        return i"],
            "setitem": ["    def __setitem__(self, i, v):", "        print('set', i, v)"],
            "contains": ["    def __contains__(self, v):", "        return v == 1"],
            "call": ["    def __call__(self, *a, **k):", "        return a, k"],
            "iter": ["    def __iter__(self):", "        yield self.x", "        yield 5"],
            "prop": ["    @property", "    def p(self):", "        return self.x * 2", "    @p.setter", "    def p(self, v):", "        print('setting')", "        self.x = v"],
            "static": ["    @staticmethod", "    def st(a, b=2):", "        return a, b", "    @classmethod", "    def cl(cls, *a):", "        return cls.__name__, a"],
            "bool": ["    def __bool__(self):", f"        return {self.of(['True', 'False', 'self.x > 0', '1'])}"],
            "getattr": ["    def __getattr__(self, n):", "        print('getattr', n)", "        if n == 'nope': raise AttributeError(n)", "        return 4"],
            "hash": ["    def __hash__(self):", "        return 7"],
            "neg": ["    def __neg__(self):", "        return -self.x", "    def __abs__(self):", "        return 9", "    def __int__(self): return 3", "    def __index__(self): return 1", "    def __float__(self): return 1.5"],
            "format": ["    def __format__(self, f):", "        return '<' + f + '>'"],
            "enter": ["    def __enter__(self):", "        print('enter')", "        return self", "    def __exit__(self, t, v, b):", "        print('exit', t and t.__name__, v)", f"        return {self.of(['True', 'False', 'None'])}"],
            "method": ["    def m(self, y=1):", f"        return self.x, self.n, y, {self.of(['type(self).__name__', '__class__.__name__', 'self.__class__.__name__'])}"],
            "del": ["    def __delitem__(self, i):", "        print('del', i)"],
            "mul": ["    def __mul__(self, o):", "        return self.x, o", "    def __rmul__(self, o):", "        return o, self.x", "    def __floordiv__(self, o):", "        return 'fd'", "    def __pow__(self, o):", "        return 'pow'", "    def __rsub__(self, o): return 'rsub'"],
        }
        chosen = ["init"] * (not self.chance(6)) + [k for k in bits if k != "init" and self.chance(3)] + ["method"]
        for k in dict.fromkeys(chosen):
            lines += bits[k]
        lines += [f"class {B}({A}):"]
        lines += self.of([["    pass"], [f"    n = {A}.n + 1 if True else 0"], ["    def __init__(self, *a, **k):", "        super().__init__(*a, **k)", "        self.y = self.x"],
                          ["    def m(self, y=5):", f"        return ('B', super().m(y), super({B}, self).m())"], [f"    def __repr__(self):", "        return 'B' + super().__repr__()[:2]"],
                          ["    def __add__(self, o):", "        print('Badd')", "        return super().__add__(o)"], [f"    all = {A}.all + [9]", "    q = [n for n in all]"], ["    def __radd__(self, o):", "        return 'Bradd'"]])
        o = self.new("o")
        self.loops = save
        lines += [f"{o} = {self.of([A, B])}({self.of(['', e('int'), '4', '2, k=3'])})"]
        uses = [f"print(s({o}.m()))", f"print({o}.n, {A}.n, {B}.n)", f"{o}.n += 1; print({o}.n, {A}.n)", f"{A}.n = 5; print({o}.n)", f"print({o} == {A}(4), {o} != {o}, {o} == 3)", f"print({o} + 1)", f"print(1 + {o})",
                f"{o} += 2; print(isinstance({o}, {A}))", f"print(len({o}))", f"print({o}[1], {o}[1:2], {o}[1, 2])", f"{o}[0] = 1", f"{o}[0] += 1", f"print(1 in {o}, 7 in {o})", f"print({o}(1, *[2], z=3))", f"print(s(list({o})))",
                f"print({o}.p); {o}.p = 6; print({o}.x)", f"print({o}.st(1), {A}.st(1, b=3), {o}.cl(1), {B}.cl())", f"print(bool({o}), not {o}, {o} and 1)", f"print({o}.zzz)", f"print({o}.nope)", f"print(-{o}, abs({o}), int({o}), [1, 2, 3][{o}])",
                f"print(f'{{{o}:>5}}')", f"with {o} as q: raise ValueError('w')", f"with {o}: print('body')", f"del {o}[1]", f"print(2 * {o}, {o} * 3, {o} // 1, {o} ** 2, 3 - {o})", f"print(sorted([{A}(3), {A}(1)])[0].x)", f"print({o} < {A}(9), {o} > {A}(9))",
                f"print(hasattr({o}, 'p'), getattr({o}, 'q', 3), hasattr({o}, 'm'))", f"del {o}.x; print({o}.x)", f"setattr({o}, 'n2', 3); print(vars({o}))", f"print({A}.all, {o}.all is {A}.all)", f"print(type({o}).__name__, isinstance({o}, {A}), issubclass({B}, {A}), issubclass({A}, {B}))",
                f"print({o}.m(y=2), {A}.m({o}, 3))", f"f = {o}.m; print(f(8))", f"print(callable({o}), callable({A}))", f"print({o} in [{o}], [{o}] == [{o}], {o} is {o})", f"print(s({{{o}: 1}}[{o}]))", f"print({A}.m())", f"print({o}.m(1, 2))", f"{o}.z = 4; print({o}.z, {o}.__dict__)",
                f"print(str({o})[:3], repr({o})[:1])" if "repr" in chosen else "pass", f"print({o} + {o})", f"x = {o}; x += x; print(type(x).__name__)", f"print([*{o}])", f"a, b = {o}; print(a, b)", f"print(max({A}(1), {A}(2)).x)", f"print({o}.x.real, {A}.__name__, {o}.__class__ is {A})"]
        for u in self.rng.sample(uses, self.rng.randint(3, 7)):
            lines += ["try:", "    " + u, "except Exception as e:", "    print(type(e).__name__, e)"] if "\n" not in u else [u]
        return lines

    def managed(self, d):
        n = self.new("m")
        first = self.of([f"with Ctx({self.of(['1', '2', '0'])}) as {n}:", f"with Ctx(1) as {n}, Ctx(2):", f"with Ctx({self.expr('int', 1)}):", f"with (Ctx(1) as {n}, Ctx(0)):"])
        return [first] + self.block(d, 1, 3)

    def late(self, d):
        """Closures that see later values."""
        f, n = self.new("fs"), self.new()
        k = self.rng.randrange(6)
        if k == 0:
            return [f"{f} = [lambda{self.of(['', ' q=q', ' q=q + 1'])}: q for q in {self.iter(1)}]", f"print(s([g() for g in {f}]))"]
        if k == 1:
            return [f"{f} = []", f"for {n} in {self.iter(1)}:", "    if tick(): break", f"    {f}.append(lambda z={n}: ({n}, z))", f"print(s([g() for g in {f}]))", f"{n} = 7", f"print(s([g() for g in {f}]))"]
        if k == 2:
            return [f"{n} = 1", f"def {f}():", f"    return {n}", f"print({f}())", f"{n} = 2", f"print({f}())", f"del {n}", f"print({f}())"]
        if k == 3:
            return [f"def {f}(a, acc=[]):", "    acc.append(a)", "    return acc", f"print({f}(1), {f}(2), {f}(3, []), {f}(4))", f"print({f}.__name__, {f}.__defaults__)"]
        if k == 4:
            return [f"def {f}():", f"    {n} = 0", "    def inc(by=1):", f"        nonlocal {n}", f"        {n} += by", f"        return {n}", "    def get():", f"        return {n}", "    return inc, get", f"i, g = {f}()", "print(i(), i(5), g(), i(), g())", f"i2, g2 = {f}()", "print(g2(), g())"]
        return [f"def {f}():", f"    print({n})", f"    {n} = 1", f"{f}()"]

    def decorated(self, d):
        w, f = self.new("d"), self.new("f")
        head = self.of([[f"def {w}(g):", "    print('decorating', g.__name__)", "    def inner(*a, **k):", "        print('call', a, k)", "        return g(*a, **k)", "    return inner"],
                        [f"def {w}(g):", "    return 5"], [f"def {w}(g):", "    g.tag = 3", "    return g"]])
        return head + [f"@p(1, {w})", f"@p(2, {w})" if self.chance(3) else "@p(3, lambda g: g)", f"def {f}(a=p(4, {self.expr('int', 1)}), *, k={self.expr('str', 1)}):", "    return a, k", f"print({f}(1, k=2), {f}.__name__)" if not self.chance(3) else f"print({f}({self.of(['', '1', '1, 2', 'k=1', 'a=3'])}), getattr({f}, 'tag', 0))"]

    def matching(self, d):
        return [f"g{self.count} = lambda *a, k=1, **kw: (a, k, kw)", f"print(g{self.count}(p(1, 1), *p(2, [2]), k=p(3, 3), **p(4, {{'z': 1}})))", f"print(p(5, {{p(6, 1): p(7, 2), p(8, 3): p(9, 4)}}), p(1, 1) < p(2, {self.int_leaf()}) < p(3, 3))"]

    def case(self, i):
        self.__init__(self.rng)
        body = [line for some in self.few(lambda: self.stmt(3), 1, 4) for line in some]
        return [f"def case_{i}():", "    w = 6"] + ["    " + line for line in body] + [f"run({i}, case_{i})"]


HEAD = """\
import math
from itertools import islice
from copy import copy
class Own(Exception):
    pass
class Own2(Own):
    def __init__(self, n):
        super().__init__('own', n)
        self.n = n
class Ctx:
    def __init__(self, n):
        self.n = n
    def __enter__(self):
        print('in', self.n)
        return self
    def __exit__(self, kind, value, back):
        print('out', self.n, kind and kind.__name__)
        return self.n == 2
ticks = 0
def tick():
    global ticks
    ticks += 1
    return ticks > 40
def p(n, v):
    print('p', n)
    return v
def s(v):
    if isinstance(v, (set, frozenset)):
        return 'set' + str(sorted(v, key=str))
    if isinstance(v, (list, tuple)):
        return [type(v).__name__[0]] + [s(x) for x in v]
    if isinstance(v, dict):
        return ['d'] + [(s(k), s(x)) for k, x in v.items()]
    if isinstance(v, (int, float, str)) or v is None:
        return v if not isinstance(v, str) else repr(v)
    return type(v).__name__
def run(i, f):
    global ticks
    ticks = 0
    print('---', i)
    try:
        print('=', s(f()))
    except Exception as e:
        print('!', type(e).__name__, e)
"""


def cases(rng, n):
    """n cases that CPython compiles."""
    acts, out = Acts(rng), []
    while len(out) < n:
        text = "\n".join(acts.case(len(out))) + "\n"
        try:
            compile(text, "case", "exec")
        except (SyntaxError, ValueError, OverflowError, RecursionError):
            continue
        out.append(text)
    return out


def program(rng, n):
    return HEAD + "".join(cases(rng, n))
