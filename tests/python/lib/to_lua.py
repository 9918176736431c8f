"""Prints the Lua form of a Python text for the tests of the run-time: calls of moontile.python.

    python3 lib/to_lua.py x.py >x.lua

Statement by statement, not line by line as moontile's own printer does; no kernels.  Module
variables are fields of G, those of functions are locals declared at the top."""
import ast
import sys

BIN = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod",
       ast.Pow: "pow", ast.MatMult: "matmul", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "bor",
       ast.BitXor: "bxor", ast.BitAnd: "band"}
CMP = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Is: "is",
       ast.IsNot: "isnot", ast.In: "contains", ast.NotIn: "notcontains"}
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "no"}
WORDS = set("and break do else elseif end false for function goto if in local nil not or repeat return then true "
            "until while P G B".split())


def text(s):
    data = s.encode("utf-8", "surrogatepass") if isinstance(s, str) else s
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in (34, 92) else "\\%03d" % c for c in data) + '"'


def safe(name):
    return name + "_" if name in WORDS else name


class Scope:
    def __init__(self, kind, parent, names=()):
        self.kind, self.parent, self.names = kind, parent, set(names)


def targets(node, out, nonlocals):
    """Names that a function's body assigns, without nested scopes."""
    for n in ast.iter_child_nodes(node):
        if isinstance(n, (ast.FunctionDef, ast.ClassDef)):
            out.add(n.name)
            for d in n.decorator_list:
                targets(d, out, nonlocals)
            continue
        if isinstance(n, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            for w in ast.walk(n):
                if isinstance(w, ast.NamedExpr):
                    out.add(w.target.id)
            continue
        if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del)):
            out.add(n.id)
        elif isinstance(n, (ast.Nonlocal, ast.Global)):
            nonlocals[0 if isinstance(n, ast.Nonlocal) else 1].update(n.names)
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            out.update((a.asname or a.name).split(".")[0] for a in n.names)
        elif isinstance(n, ast.ExceptHandler) and n.name:
            out.add(n.name)
        targets(n, out, nonlocals)


def has_yield(body):
    todo = list(body)
    while todo:
        n = todo.pop()
        if isinstance(n, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(n, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            todo.extend(ast.iter_child_nodes(n))
    return False


class Printer:
    def __init__(self):
        self.scope = Scope("module", None)
        self.out, self.n = [], 0
        self.ctx = []  # innermost last: "loop", ("cont", label), "try", "function"
        self.classes, self.quals = [], []

    def fresh(self, name="t"):
        self.n += 1
        return "__%s%d" % (name, self.n)

    def emit(self, s):
        self.out.append(s)

    # Names -----------------------------------------------------------------
    def find(self, name):
        s, first = self.scope, True
        while s:
            if name in s.names and (s.kind != "class" or first):
                return s
            first = False if s.kind != "comp" else first
            s = s.parent
        return None

    def load(self, name):
        s = self.find(name)
        if s is None or s.kind == "module":
            return "(G.%s == nil and B.%s or G.%s)" % (safe(name), name, safe(name)) if False else 'V("%s")' % name
        if s.kind == "class":
            return '(ns.%s ~= nil and ns.%s or V("%s"))' % (name, name, name)
        return 'L(%s, "%s")' % (safe(name), name) if s.kind == "function" else safe(name)

    def store_name(self, name):
        s = self.scope
        while s.kind == "comp" and name not in s.names:
            s = s.parent
        if s.kind == "class":
            return "ns." + safe(name) if name not in WORDS else 'ns["%s"]' % name
        s = self.find(name)
        if s is None or s.kind == "module":
            return 'G["%s"]' % name
        return safe(name)

    # Expressions -----------------------------------------------------------
    def e(self, n):
        return getattr(self, "e_" + type(n).__name__)(n)

    def es(self, ns):
        return ", ".join(self.e(x) for x in ns)

    def e_Constant(self, n):
        v = n.value
        if v is None:
            return "P.None"
        if v is ...:
            return "P.Ellipsis"
        if v is True or v is False:
            return str(v).lower()
        if isinstance(v, str):
            return text(v)
        if isinstance(v, bytes):
            return "P.call(B.bytes, %s)" % text(v)
        if isinstance(v, float):
            return "(1/0)" if v == float("inf") else repr(v)
        return str(v)

    def e_Name(self, n):
        return self.load(n.id)

    def e_BinOp(self, n):
        return "P.%s(%s, %s)" % (BIN[type(n.op)], self.e(n.left), self.e(n.right))

    def e_UnaryOp(self, n):
        return "P.%s(%s)" % (UNARY[type(n.op)], self.e(n.operand))

    def e_BoolOp(self, n):
        f = "land" if isinstance(n.op, ast.And) else "lor"
        r = self.e(n.values[-1])
        for v in reversed(n.values[:-1]):
            r = "P.%s(%s, function() return %s end)" % (f, self.e(v), r)
        return r

    def e_IfExp(self, n):
        return "P.choose(%s, function() return %s end, function() return %s end)" % (
            self.e(n.test), self.e(n.body), self.e(n.orelse))

    def e_Compare(self, n):
        if len(n.ops) == 1:
            return 'P["%s"](%s, %s)' % (CMP[type(n.ops[0])], self.e(n.left), self.e(n.comparators[0]))
        parts, left = [], self.e(n.left)
        decl = []
        for op, c in zip(n.ops, n.comparators):
            t = self.fresh()
            decl.append(t)
            parts.append('(function() %s = %s return P["%s"](%s, %s) end)' % (t, self.e(c), CMP[type(op)], left, t))
            left = t
        r = parts[-1] + "()"
        for p in reversed(parts[:-1]):
            r = "P.land(%s(), function() return %s end)" % (p, r)
        return "(function() local %s return %s end)()" % (", ".join(decl), r)

    def display(self, kind, elts):
        if any(isinstance(x, ast.Starred) for x in elts):
            parts = [self.e(x.value) if isinstance(x, ast.Starred) else "P.tuple{%s}" % self.e(x) for x in elts]
            return 'P.join("%s", %s)' % (kind, ", ".join(parts))
        return "P.%s{%s}" % (kind, ", ".join("(%s)" % self.e(x) for x in elts))

    def e_List(self, n):
        return self.display("list", n.elts)

    def e_Tuple(self, n):
        return self.display("tuple", n.elts)

    def e_Set(self, n):
        return self.display("set", n.elts)

    def e_Dict(self, n):
        if any(k is None for k in n.keys):
            return "P.merge(%s)" % ", ".join(self.e(v) if k is None else "P.dict{%s, (%s)}" % (self.e(k), self.e(v))
                                             for k, v in zip(n.keys, n.values))
        return "P.dict{%s}" % ", ".join("%s, (%s)" % (self.e(k), self.e(v)) for k, v in zip(n.keys, n.values))

    def e_Attribute(self, n):
        return 'P.attr(%s, "%s")' % (self.e(n.value), n.attr)

    def key(self, s):
        if isinstance(s, ast.Tuple) and s.elts and not any(isinstance(x, ast.Starred) for x in s.elts) and len(s.elts) > 1:
            return self.es(s.elts)
        return self.e(s)

    def e_Subscript(self, n):
        return "P.index(%s, %s)" % (self.e(n.value), self.key(n.slice))

    def e_Slice(self, n):
        return "P.slice(%s)" % ", ".join("nil" if x is None else self.e(x) for x in (n.lower, n.upper, n.step))

    def e_Call(self, n):
        if isinstance(n.func, ast.Name) and n.func.id == "super" and not n.args:
            return "P.super(%s, %s)" % (self.classes[-1], self.self_name)
        starred = any(isinstance(a, ast.Starred) for a in n.args) or any(k.arg is None for k in n.keywords)
        method = isinstance(n.func, ast.Attribute)
        head = '%s, "%s"' % (self.e(n.func.value), n.func.attr) if method else self.e(n.func)
        if starred:
            parts = []
            for k in n.keywords:
                parts.append(self.e(k.value) if k.arg is None else "P.dict{%s, (%s)}" % (text(k.arg), self.e(k.value)))
            kw = "P.merge(%s)" % ", ".join(parts) if parts else "nil"
            return "P.%s(%s, %s, %s)" % ("methods" if method else "calls", head, self.display("list", n.args), kw)
        args = [self.e(a) for a in n.args]
        if n.keywords:
            names = ", ".join(text(k.arg) for k in n.keywords)
            args = ["{%s}" % names] + args + [self.e(k.value) for k in n.keywords]
            return "P.%s(%s)" % ("methodk" if method else "callk", ", ".join([head] + args))
        return "P.%s(%s)" % ("method" if method else "call", ", ".join([head] + args))

    def e_JoinedStr(self, n):
        if not n.values:
            return '""'
        return "(%s)" % " .. ".join(text(v.value) if isinstance(v, ast.Constant) else self.e(v) for v in n.values)

    def e_FormattedValue(self, n):
        conv = '"%s"' % chr(n.conversion) if n.conversion != -1 else "nil"
        spec = self.e(n.format_spec) if n.format_spec else "nil"
        return "P.format(%s, %s, %s)" % (self.e(n.value), conv, spec)

    def e_NamedExpr(self, n):
        return "(function() %s = %s return %s end)()" % (self.store_name(n.target.id), self.e(n.value),
                                                         self.load(n.target.id))

    def e_Lambda(self, n):
        return self.function(n, "<lambda>", [ast.Return(n.body)])

    def e_Yield(self, n):
        return "P.yield(%s)" % (self.e(n.value) if n.value else "P.None")

    def e_YieldFrom(self, n):
        return "P.yieldfrom(%s)" % self.e(n.value)

    def comp(self, n, inner, head=""):
        save, self.out = self.out, []
        names, none = set(), (set(), set())
        for g in n.generators:
            targets(ast.Module([ast.Expr(g.target)], []), names, none)
        first = self.e(n.generators[0].iter)
        self.scope = Scope("comp", self.scope, names)
        ends = 0
        for i, g in enumerate(n.generators):
            x = self.fresh("x")
            self.emit("for %s in P.iter(%s) do" % (x, "it" if i == 0 else self.e(g.iter)))
            self.assign(g.target, x)
            ends += 1
            for c in g.ifs:
                self.emit("if P.truth(%s) then" % self.e(c))
                ends += 1
        self.emit(inner(self))
        body = "local %s " % ", ".join(safe(v) for v in sorted(names)) + " ".join(self.out) + " end" * ends
        self.scope = self.scope.parent
        self.out = save
        return first, body

    def e_ListComp(self, n):
        it, body = self.comp(n, lambda p: "P.append(r, %s)" % p.e(n.elt))
        return "(function(it) local r = P.list{} %s return r end)(%s)" % (body, it)

    def e_SetComp(self, n):
        it, body = self.comp(n, lambda p: 'P.method(r, "add", %s)' % p.e(n.elt))
        return "(function(it) local r = P.set{} %s return r end)(%s)" % (body, it)

    def e_DictComp(self, n):
        it, body = self.comp(n, lambda p: "local k = %s P.setindex(r, %s, k)" % (p.e(n.key), p.e(n.value)))
        return "(function(it) local r = P.dict{} %s return r end)(%s)" % (body, it)

    def e_GeneratorExp(self, n):
        it, body = self.comp(n, lambda p: "P.yield(%s)" % p.e(n.elt))
        return "P.generator(function(it) %s end)(P.call(B.iter, %s))" % (body, it)

    # Functions -------------------------------------------------------------
    def function(self, n, name, body):
        a = n.args
        pos = [x.arg for x in a.posonlyargs + a.args]
        every = pos + [x.arg for x in a.kwonlyargs]
        qual = "".join(self.quals) + name
        fields = ["name = %s" % text(name), "qual = %s" % text(qual), "npos = %d" % len(pos)]
        fields += [text(x) for x in every]
        default = ["[%d] = %s" % (len(pos) - len(a.defaults) + i + 1, self.e(d)) for i, d in enumerate(a.defaults)]
        default += ["[%d] = %s" % (len(pos) + i + 1, self.e(d)) for i, d in enumerate(a.kw_defaults) if d is not None]
        fields.append("default = {%s}" % ", ".join(default))
        notes = ["[%d] = function() return %s end" % (i + 1, self.e(x.annotation))
                 for i, x in enumerate(a.posonlyargs + a.args + a.kwonlyargs) if x.annotation]
        if notes:
            fields.append("annotation = {%s}" % ", ".join(notes))
        if getattr(n, "returns", None):
            fields.append("returns = function() return %s end" % self.e(n.returns))
        if a.posonlyargs:
            fields.append("posonly = %d" % len(a.posonlyargs))
        for key, x in (("vararg", a.vararg), ("kwarg", a.kwarg)):
            if x:
                fields.append("%s = %s" % (key, text(x.arg)))
        if isinstance(n, ast.FunctionDef) and ast.get_docstring(n, False) is not None:
            fields.append("doc = %s" % text(ast.get_docstring(n, False)))
        simple = not (a.vararg or a.kwarg or a.kwonlyargs)
        rest = [x.arg for x in (a.vararg, a.kwarg) if x]
        names, none = set(), (set(), set())
        targets(ast.Module(body, []), names, none)
        names -= none[0] | none[1]
        save, self.out = self.out, []
        old, self.scope = self.scope, Scope("function", self.scope, names | set(every) | set(rest))
        if none[1]:
            self.scope.names -= none[1]
        octx, self.ctx = self.ctx, ["function"]
        self.quals.append(name + ".<locals>.")
        oself = getattr(self, "self_name", None)
        if pos and isinstance(n, ast.FunctionDef):
            self.self_name = safe(pos[0])
        params = [safe(x) for x in pos]
        tests = " or ".join(["%s == nil" % p for p in params] + ["(...) ~= nil"])
        if simple and params:
            self.emit("if %s then %s = P.args(__sig, %s) end" % (tests, ", ".join(params), ", ".join(params + ["..."])))
        elif simple:
            self.emit("if (...) ~= nil then P.args(__sig, ...) end")
        else:
            more = [safe(x.arg) for x in a.kwonlyargs] + [safe(x) for x in rest]
            self.emit("local %s" % ", ".join(more))
            self.emit("%s = P.args(__sig, %s)" % (", ".join(params + more), ", ".join(params + ["..."])))
        local = sorted(names - set(every) - set(rest))
        if local:
            self.emit("local %s" % ", ".join(safe(x) for x in local))
        self.body(body)
        if not isinstance(body[-1], ast.Return):
            self.emit("do return P.None end")
        code = "\n".join(self.out)
        self.quals.pop()
        self.out, self.scope, self.ctx, self.self_name = save, old, octx, oself
        inner = "function(%s) %s end" % (", ".join(params + ["..."]), code)
        if has_yield(body):
            inner = "P.generator(%s)" % inner
        return "P.func({%s}, function(__sig) return %s end)" % (", ".join(fields), inner)

    # Statements ------------------------------------------------------------
    def body(self, stmts):
        for s in stmts:
            getattr(self, "s_" + type(s).__name__)(s)

    def assign(self, t, value):
        if isinstance(t, ast.Name):
            self.emit("%s = %s" % (self.store_name(t.id), value))
        elif isinstance(t, ast.Attribute):
            self.emit('P.setattr(%s, "%s", %s)' % (self.e(t.value), t.attr, value))
        elif isinstance(t, ast.Subscript):
            self.emit("P.setindex(%s, %s, %s)" % (self.e(t.value), value, self.key(t.slice)))
        else:
            star = [i for i, x in enumerate(t.elts) if isinstance(x, ast.Starred)]
            tmp = [self.fresh() for _ in t.elts]
            call = "P.unpackstar(%s, %d, %d)" % (value, star[0], len(tmp) - star[0] - 1) if star else \
                "P.unpack(%s, %d)" % (value, len(tmp))
            self.emit("local %s = %s" % (", ".join(tmp), call))
            for x, v in zip(t.elts, tmp):
                self.assign(x.value if isinstance(x, ast.Starred) else x, v)

    def s_Expr(self, n):
        self.emit("local _ = %s" % self.e(n.value) if not isinstance(n.value, ast.Call) else "__stat = " + self.e(n.value))
        if self.out[-1].startswith("local _"):
            self.out[-1] = "do %s end" % self.out[-1]

    def s_Assign(self, n):
        v = self.fresh()
        self.emit("do local %s = %s" % (v, self.e(n.value)))
        for t in n.targets:
            self.assign(t, v)
        self.emit("end")

    def s_AugAssign(self, n):
        op = "i" + BIN[type(n.op)]
        t = n.target
        if isinstance(t, ast.Name):
            self.emit("%s = P.%s(%s, %s)" % (self.store_name(t.id), op, self.load(t.id), self.e(n.value)))
        elif isinstance(t, ast.Attribute):
            self.emit('do local o = %s P.setattr(o, "%s", P.%s(P.attr(o, "%s"), %s)) end' % (
                self.e(t.value), t.attr, op, t.attr, self.e(n.value)))
        else:
            self.emit("do local o, k = %s, %s P.setindex(o, P.%s(P.index(o, k), %s), k) end" % (
                self.e(t.value), self.e(t.slice), op, self.e(n.value)))

    def s_AnnAssign(self, n):
        if self.scope.kind == "class" and isinstance(n.target, ast.Name):
            self.emit('P.annotate(ns, "%s", function() return %s end)' % (n.target.id, self.e(n.annotation)))
        if n.value:
            self.assign(n.target, self.e(n.value))

    def s_If(self, n):
        self.emit("if P.truth(%s) then" % self.e(n.test))
        self.body(n.body)
        if n.orelse:
            self.emit("else")
            self.body(n.orelse)
        self.emit("end")

    def loop(self, n, head, first=None):
        cont, done = self.fresh("c"), self.fresh("done")
        self.emit("local %s = true" % done if n.orelse else "")
        self.emit(head)
        self.emit("do")
        self.ctx.append(("loop", cont, done if n.orelse else None))
        if first:
            first()
        self.body(n.body)
        self.ctx.pop()
        self.emit("end ::%s:: end" % cont)
        if n.orelse:
            self.emit("if %s then" % done)
            self.body(n.orelse)
            self.emit("end")

    def s_For(self, n):
        x = self.fresh("x")
        self.emit("do")
        self.loop(n, "for %s in P.iter(%s) do" % (x, self.e(n.iter)), lambda: self.assign(n.target, x))
        self.emit("end")

    def s_While(self, n):
        self.emit("do")
        self.loop(n, "while P.truth(%s) do" % self.e(n.test))
        self.emit("end")

    def s_Break(self, n):
        c = self.ctx[-1]
        if c == "try":
            self.emit("do return 2 end")
        else:
            self.emit("do %s break end" % ("%s = false" % c[2] if c[2] else ""))

    def s_Continue(self, n):
        self.emit("do return 3 end" if self.ctx[-1] == "try" else "goto %s" % self.ctx[-1][1])

    def s_Return(self, n):
        v = self.e(n.value) if n.value else "P.None"
        self.emit("do return 1, %s end" % v if "try" in self.ctx else "do return (%s) end" % v)

    def s_Pass(self, n):
        pass

    s_Global = s_Nonlocal = s_Pass

    def nested(self, stmts, param=""):
        save, self.out = self.out, []
        self.ctx.append("try")
        self.body(stmts)
        self.ctx.pop()
        code = "\n".join(self.out)
        self.out = save
        return "function(%s) %s end" % (param, code)

    def after(self, call):
        """What a P.try or P.with in this context does with its code."""
        self.emit("do local __c, __v = %s" % call)
        loops = [c for c in self.ctx if c != "function"]
        if "try" in self.ctx:
            inner = self.ctx[-1]
            if inner == "try":
                self.emit("if __c then return __c, __v end end")
                return
            self.emit("if __c == 1 then return 1, __v end")
        elif self.ctx:
            self.emit("if __c == 1 then return __v end")
        if loops and isinstance(self.ctx[-1], tuple):
            c = self.ctx[-1]
            self.emit("if __c == 2 then %s break elseif __c == 3 then goto %s end" % (
                "%s = false" % c[2] if c[2] else "", c[1]))
        self.emit("end")

    def s_Try(self, n):
        handlers = []
        for h in n.handlers:
            of = "function() return %s end" % self.e(h.type) if h.type else "nil"
            body = h.body
            save, self.out = self.out, []
            self.ctx.append("try")
            if h.name:
                self.emit("%s = __e" % self.store_name(h.name))
            self.body(body)
            self.ctx.pop()
            handlers.append("{[1] = %s, [2] = function(__e) %s end}" % (of, "\n".join(self.out)))
            self.out = save
        self.after("P.try(%s, {%s}, %s, %s)" % (
            self.nested(n.body), ", ".join(handlers), self.nested(n.orelse) if n.orelse else "nil",
            self.nested(n.finalbody) if n.finalbody else "nil"))

    def s_With(self, n):
        if len(n.items) > 1:
            inner = ast.With(n.items[1:], n.body)
            return self.s_With(ast.With(n.items[:1], [inner]))
        item = n.items[0]
        save, self.out = self.out, []
        self.ctx.append("try")
        if item.optional_vars:
            self.assign(item.optional_vars, "__x")
        self.body(n.body)
        self.ctx.pop()
        code = "function(__x) %s end" % "\n".join(self.out)
        self.out = save
        self.after("P.with(%s, %s)" % (self.e(item.context_expr), code))

    def s_Raise(self, n):
        args = [self.e(x) for x in (n.exc, n.cause) if x]
        self.emit("P.raise(%s)" % ", ".join(args))

    def s_Assert(self, n):
        m = "function() return %s end" % self.e(n.msg) if n.msg else ""
        self.emit("if P.no(%s) then P.assertion(%s) end" % (self.e(n.test), m))

    def s_Delete(self, n):
        for t in n.targets:
            if isinstance(t, ast.Subscript):
                self.emit("P.delindex(%s, %s)" % (self.e(t.value), self.key(t.slice)))
            elif isinstance(t, ast.Attribute):
                self.emit('P.delattr(%s, "%s")' % (self.e(t.value), t.attr))
            else:
                self.emit("%s = nil" % self.store_name(t.id))

    def s_Import(self, n):
        for a in n.names:
            if a.asname:
                self.emit('%s = P.import_as("%s")' % (self.store_name(a.asname), a.name))
            else:
                self.emit('%s = P.import("%s")' % (self.store_name(a.name.split(".")[0]), a.name))

    def s_ImportFrom(self, n):
        for a in n.names:
            if a.name == "*":
                self.emit('for k, v in pairs(P.star("%s")) do G[k] = v end' % n.module)
            else:
                self.emit('%s = P.import_from("%s", "%s")' % (self.store_name(a.asname or a.name), n.module, a.name))

    def decorated(self, n, value):
        for d in reversed(n.decorator_list):
            value = "P.call(%s, %s)" % (self.e(d), value)
        return value

    def s_FunctionDef(self, n):
        target = self.store_name(n.name)
        self.emit("%s = %s" % (target, self.decorated(n, self.function(n, n.name, n.body))))

    def s_ClassDef(self, n):
        var = self.fresh("cls")
        self.emit("local %s" % var)
        self.classes.append(var)
        kw = ", ".join("%s, (%s)" % (text(k.arg), self.e(k.value)) for k in n.keywords)
        bases = self.display("list", n.bases)
        save, self.out = self.out, []
        names, none = set(), (set(), set())
        targets(ast.Module(n.body, []), names, none)
        self.scope = Scope("class", self.scope, names)
        self.quals.append(n.name + ".")
        doc = ast.get_docstring(n, False)
        if doc is not None:
            self.emit("ns.__doc__ = %s" % text(doc))
        self.body(n.body)
        self.quals.pop()
        self.scope = self.scope.parent
        code = "\n".join(self.out)
        self.out = save
        self.emit("%s = P.class(%s, %s, %s, function(ns) %s end)" % (
            var, text(n.name), bases, "P.dict{%s}" % kw if kw else "nil", code))
        self.classes.pop()
        self.emit("%s = %s" % (self.store_name(n.name), self.decorated(n, var)))


HEAD = """-- Made by lib/to_lua.py from %s: the same program as calls of moontile.python.
local P = require "moontile.python"
local B, G, __stat = P.builtins, {__name__ = "__main__"}
local function V(name)
  local v = G[name]
  if v == nil then v = B[name] end
  if v == nil then P.unbound(name, false) end
  return v
end
local function L(v, name)
  if v == nil then P.unbound(name, true) end
  return v
end
P.main(function()
%s
end)
"""


def main(path):
    tree = ast.parse(open(path).read())
    p = Printer()
    names, none = set(), (set(), set())
    targets(tree, names, none)
    p.scope.names = names
    p.body(tree.body)
    import os
    sys.stdout.write(HEAD % (os.path.basename(path), "\n".join(s for s in p.out if s)))


main(sys.argv[1])
