# CPython's trees in the format of py_dump() (lua/python/python_dump.c), compared with those of
# tests/unit/python_ast, which is TOOL.
#
#     python3 tree.py TOOL files FILE..           each whole file
#     python3 tree.py TOOL cases FILE..           the cases of a file, divided by lines of ====
#     python3 tree.py TOOL made SEED COUNT        generated programs (made.py)
#     python3 tree.py TOOL broken SEED COUNT FILE..  such cases and made ones with a few tokens out of place:
#                                                 both must take them, with equal trees, or neither
#
# Positions are bytes of the text.  Those within f-strings are left out on both sides: before 3.12 they were
# not what is written.
import ast
import random
import re
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
CONSTS = {type(None): "None", bool: "", type(...): "Ellipsis", int: "int", float: "float", str: "str", bytes: "bytes"}


class Dump:
    def __init__(self, data):
        self.out = []
        self.starts = [0]
        for m in re.finditer(rb"\r\n|\r|\n", data):
            self.starts.append(m.end())
        if data.startswith(b"\xef\xbb\xbf"):
            self.starts[0] = 3
        self.data = data

    def offset(self, line, col):
        return self.starts[line - 1] + col

    def place(self, n):
        if not hasattr(n, "end_lineno"):
            return ""
        return " @%d-%d" % (self.offset(n.lineno, n.col_offset), self.offset(n.end_lineno, n.end_col_offset))

    def quoted(self, b):
        return '"' + "".join(chr(c) if 32 <= c <= 126 and c not in (34, 92) else "\\x%02x" % c for c in b) + '"'

    def constant(self, v):
        if v is None or v is ... or isinstance(v, bool):
            return "None" if v is None else "Ellipsis" if v is ... else str(v)
        if isinstance(v, int):
            if not -2**63 <= v < 2**63:
                raise OverflowError
            return "int %d" % v
        if isinstance(v, float):
            return "float %.17g" % v
        if isinstance(v, str):
            return "str " + self.quoted(v.encode("utf-8", "surrogatepass"))
        if isinstance(v, bytes):
            return "bytes " + self.quoted(v)
        raise OverflowError

    def line(self, level, field, text, place):
        self.out.append("  " * level + (field + " " if field else "") + text + place)

    def many(self, nodes, field, level, quiet):
        for n in nodes:
            self.node(n, field, level, quiet)

    def args(self, a, level, quiet):
        positional = a.posonlyargs + a.args
        defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
        rows = [("posonly" if i < len(a.posonlyargs) else "pos", n, d) for i, (n, d) in enumerate(zip(positional, defaults))]
        if a.vararg:
            rows.append(("vararg", a.vararg, None))
        rows += [("kwonly", n, d) for n, d in zip(a.kwonlyargs, a.kw_defaults)]
        if a.kwarg:
            rows.append(("kwarg", a.kwarg, None))
        for kind, n, default in rows:
            self.line(level, "args", "Arg %s %s" % (kind, n.arg), "" if quiet else self.place(n))
            if n.annotation:
                self.node(n.annotation, "annotation", level + 1, quiet)
            if default:
                self.node(default, "default", level + 1, quiet)

    def arguments(self, n, first, field, level, quiet):
        nodes = first + n.keywords
        self.many(sorted(nodes, key=lambda x: (x.lineno, x.col_offset)), field, level, quiet)

    def node(self, n, field, level, quiet, elif_=False):
        kind = type(n).__name__
        down = level + 1
        place = "" if quiet else self.place(n)
        if kind == "UnaryOp" and isinstance(n.op, ast.USub) and isinstance(n.operand, ast.Constant) and n.operand.value == 2**63 \
                and type(n.operand.value) is int:
            return self.line(level, field, "Constant int %d" % -2**63, place)
        if kind == "Constant":
            return self.line(level, field, "Constant " + self.constant(n.value), place)
        if kind == "comprehension":
            if n.is_async:
                raise OverflowError
            self.line(level, field, "Comprehension", place)
            self.node(n.target, "target", down, quiet)
            self.node(n.iter, "iter", down, quiet)
            return self.many(n.ifs, "ifs", down, quiet)
        if kind == "withitem":
            self.line(level, field, "WithItem", place)
            self.node(n.context_expr, "context", down, quiet)
            if n.optional_vars:
                self.node(n.optional_vars, "target", down, quiet)
            return
        if kind == "keyword":
            self.line(level, field, "Keyword" + (" " + n.arg if n.arg else ""), place)
            return self.node(n.value, "value", down, quiet)
        if kind == "alias":
            return self.line(level, field, "Alias " + n.name + (" as " + n.asname if n.asname else ""), place)
        if kind in ("Global", "Nonlocal"):
            self.line(level, field, kind, place)
            for name in n.names:
                self.line(down, "names", "Name " + name, "")
            return
        if kind == "Dict":
            self.line(level, field, kind, place)
            for k, v in zip(n.keys, n.values):
                self.line(down, "items", "DictItem", "")
                if k:
                    self.node(k, "key", down + 1, quiet)
                self.node(v, "value", down + 1, quiet)
            return
        if kind == "Compare":
            self.line(level, field, kind, place)
            self.node(n.left, "left", down, quiet)
            for op, right in zip(n.ops, n.comparators):
                self.line(down, "rest", "Comparison " + type(op).__name__, "")
                self.node(right, "right", down + 1, quiet)
            return
        if kind in ("FunctionDef", "Lambda"):
            self.line(level, field, kind + (" " + n.name if kind == "FunctionDef" else ""), place)
            self.args(n.args, down, quiet)
            if kind == "Lambda":
                return self.node(n.body, "body", down, quiet)
            self.many(n.body, "body", down, quiet)
            self.many(n.decorator_list, "decorators", down, quiet)
            if n.returns:
                self.node(n.returns, "returns", down, quiet)
            return
        if kind == "ClassDef":
            self.line(level, field, kind + " " + n.name, place)
            self.arguments(n, n.bases, "bases", down, quiet)
            self.many(n.body, "body", down, quiet)
            return self.many(n.decorator_list, "decorators", down, quiet)
        if kind == "Call":
            self.line(level, field, kind, place)
            self.node(n.func, "func", down, quiet)
            return self.arguments(n, n.args, "args", down, quiet)
        if kind == "JoinedStr":
            self.line(level, field, kind, place)
            return self.many(n.values, "values", down, True)
        if kind == "FormattedValue":
            self.line(level, field, kind + " " + (chr(n.conversion) if n.conversion > 0 else "-"), place)
            self.node(n.value, "value", down, True)
            if n.format_spec:
                self.node(n.format_spec, "spec", down, True)
            return
        if kind in ("AsyncFunctionDef", "AsyncFor", "AsyncWith", "Await", "Match", "TryStar"):
            raise OverflowError
        fields = FIELDS.get(kind)
        if fields is None:
            raise OverflowError(kind)
        text = ""
        if hasattr(n, "op"):
            text += " " + type(n.op).__name__
        if kind == "ImportFrom":
            text += " %d" % n.level + (" " + n.module if n.module else "")
        elif kind == "Name":
            text += " " + n.id
        elif kind == "Attribute":
            text += " " + n.attr
        elif kind == "ExceptHandler" and n.name:
            text += " " + n.name
        if kind == "Module":
            place = " @0-%d" % len(self.data)
        self.line(level, field, kind + text, place)
        for name, attr in fields:
            v = getattr(n, attr)
            if isinstance(v, list):
                self.many(v, name, down, quiet)
            elif v is not None:
                self.node(v, name, down, quiet)


FIELDS = {
    "Module": [("body",) * 2], "Return": [("value",) * 2], "Delete": [("targets",) * 2],
    "Assign": [("targets",) * 2, ("value",) * 2], "AugAssign": [("target",) * 2, ("value",) * 2],
    "AnnAssign": [("target",) * 2, ("annotation",) * 2, ("value",) * 2],
    "For": [("target",) * 2, ("iter",) * 2, ("body",) * 2, ("orelse",) * 2],
    "While": [("test",) * 2, ("body",) * 2, ("orelse",) * 2], "If": [("test",) * 2, ("body",) * 2, ("orelse",) * 2],
    "With": [("items",) * 2, ("body",) * 2], "Raise": [("exc",) * 2, ("cause",) * 2],
    "Try": [("body",) * 2, ("handlers",) * 2, ("orelse",) * 2, ("finalbody",) * 2],
    "ExceptHandler": [("type",) * 2, ("body",) * 2], "Assert": [("test",) * 2, ("msg",) * 2],
    "Import": [("names",) * 2], "ImportFrom": [("names",) * 2], "Expr": [("value",) * 2],
    "Pass": [], "Break": [], "Continue": [], "BoolOp": [("values",) * 2],
    "NamedExpr": [("target",) * 2, ("value",) * 2], "BinOp": [("left",) * 2, ("right",) * 2],
    "UnaryOp": [("operand",) * 2], "IfExp": [("test",) * 2, ("body",) * 2, ("orelse",) * 2],
    "Set": [("elts",) * 2], "ListComp": [("elt",) * 2, ("generators",) * 2], "SetComp": [("elt",) * 2, ("generators",) * 2],
    "GeneratorExp": [("elt",) * 2, ("generators",) * 2],
    "DictComp": [("key",) * 2, ("value",) * 2, ("generators",) * 2], "Yield": [("value",) * 2], "YieldFrom": [("value",) * 2],
    "Attribute": [("value",) * 2], "Subscript": [("value",) * 2, ("index", "slice")], "Starred": [("value",) * 2],
    "Name": [], "List": [("elts",) * 2], "Tuple": [("elts",) * 2],
    "Slice": [("lower",) * 2, ("upper",) * 2, ("step",) * 2],
}


def tree(data):
    """The lines, or None and why: CPython refuses it, or it has what is not supported."""
    try:
        d = Dump(data)
        module = ast.parse(data)
        d.node(module, "", 0, False)
        return "\n".join(d.out) + "\n", ""
    except OverflowError as e:
        return None, "unsupported"
    except RecursionError:
        return None, "unsupported"
    except (SyntaxError, ValueError) as e:
        return None, "refused: %s" % e


def plain(lines):
    """The dump of ours without the places that CPython does not have."""
    out, inside = [], None
    for line in lines.split("\n"):
        level = len(line) - len(line.lstrip(" "))
        if inside is not None and level <= inside:
            inside = None
        words = line.split()
        kind = words[1] if len(words) > 1 and words[0].islower() else words[0] if words else ""
        if inside is not None or kind in ("Comprehension", "WithItem", "DictItem", "Comparison"):
            line = re.sub(r" @\d+-\d+$", "", line)
        elif words[:2] == ["names", "Name"]:
            line = re.sub(r" @\d+-\d+$", "", line)
        if inside is None and kind == "JoinedStr":
            inside = level
        out.append(line)
    return "\n".join(out)


MARK = b"====\n"
OURS = re.compile(r"error\[(E10(?:23|24|30))\]|\\\\N|names of characters")


def divided(path):
    text = open(path, "rb").read()
    return [c for c in re.split(rb"(?:^|(?<=\n))====\n", text)]


def ours(tool, texts):
    """What the tool says of each: its output, and whether it is a tree."""
    with tempfile.NamedTemporaryFile() as f:
        f.write(MARK.join(texts))
        f.flush()
        r = subprocess.run([tool, "cases", f.name], capture_output=True)
    if r.returncode not in (0, 1):
        print("the tool ended with", r.returncode, r.stderr.decode("utf-8", "replace")[-2000:])
        sys.exit(1)
    return re.split(r"(?:^|(?<=\n))====\n", r.stdout.decode("utf-8", "surrogateescape"))[:-1]


def differs(got, want):
    a, b = plain(got).split("\n"), want.split("\n")
    i = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return "ours:\n    " + "\n    ".join(a[max(i - 1, 0):i + 2]) + "\n  CPython:\n    " + "\n    ".join(b[max(i - 1, 0):i + 2])


def compare(tool, texts, names, lenient):
    """Compares them; lenient: what is refused by both, or only where later steps of CPython look, is right."""
    count = {"same": 0, "refused": 0, "not compared": 0}
    bad = []
    if len(texts) > 1:
        texts = [t if t.endswith(b"\n") else t + b"\n" for t in texts]
    for text, name, got in zip(texts, names, ours(tool, texts)):
        want, why = tree(text)
        taken = got.startswith("Module ")
        if want is None and why == "unsupported":
            count["not compared"] += 1
        elif want is None:
            if taken and not (lenient and ("f-string" in why or "unterminated" in why and re.search(rb"[fF][rR]?[\"']", text))):
                bad.append((name, "CPython does not take it: " + why, text))
            count["refused"] += 1
            if not lenient:
                bad.append((name, "refused: " + why, text))
        elif not taken and OURS.search(got):
            count["not compared"] += 1
        elif not taken:
            if lenient:
                try:
                    compile(text, "x", "exec")
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    count["refused"] += 1
                    continue
            bad.append((name, got.strip(), text))
        elif plain(got) != want:
            bad.append((name, differs(got, want), text))
        else:
            count["same"] += 1
    return count, bad


def report(count, bad, shown):
    for name, why, text in bad[:20]:
        print("%s: %s" % (name, why))
        if shown:
            print("  | " + text.decode("utf-8", "replace")[:400].replace("\n", "\n  | "))
    print(", ".join("%d %s" % (n, what) for what, n in count.items() if n) or "nothing")
    return bool(bad)


TOKENS = re.compile(rb'[A-Za-z_]\w*|\d[\w.]*|"[^"\n]*"|\'[^\'\n]*\'|[-+*/%@&|^~<>=!]+|[^\w\s]|\n[ \t]*|[ \t]+', re.A)
PIECES = b"""( ) [ ] { } , : ; . = == := * ** -> @ + - not in is and or if else for lambda yield await async def class x 1 "s" f"{x}"
return import from as with try except finally while pass del global nonlocal raise assert elif break continue None ... / ~ !
""".split() + [b"\n", b"\n    ", b" ", b"\n        ", b"\\\n", b"# c\n"]


def broken(rng, text):
    tokens = TOKENS.findall(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not tokens:
            break
        i = rng.randrange(len(tokens))
        how = rng.randrange(5)
        if how == 0:
            del tokens[i]
        elif how == 1:
            tokens.insert(i, b" " + rng.choice(PIECES) + b" ")
        elif how == 2:
            j = rng.randrange(len(tokens))
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif how == 3:
            tokens[i] = rng.choice(PIECES)
        else:
            tokens.insert(i, b" " + tokens[rng.randrange(len(tokens))] + b" ")
    return b"".join(tokens)


def main():
    tool, mode, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    if mode == "files":
        texts = [open(f, "rb").read() for f in rest]
        total, bad = {"same": 0, "refused": 0, "not compared": 0}, []
        for f, text in zip(rest, texts):
            count, b = compare(tool, [text], [f], False) if b"\n====\n" not in text else ({"not compared": 1}, [])
            bad += b
            for k in count:
                total[k] += count[k]
        return report(total, bad, False)
    if mode == "cases":
        texts = [c for f in rest for c in divided(f)]
        return report(*compare(tool, texts, ["case %d" % i for i in range(len(texts))], False), True)
    import made
    rng = random.Random(int(rest[0]))
    texts = [made.program(rng, mode == "broken") for _ in range(int(rest[1]))]
    if mode == "broken":
        texts += [c for f in rest[2:] for c in divided(f)]
        texts = [broken(rng, rng.choice(texts)) for _ in range(int(rest[1]))]
        texts = [t for t in texts if b"====\n" not in t]
    return report(*compare(tool, texts, ["seed %s, %d" % (rest[0], i) for i in range(len(texts))], mode == "broken"), True)


if __name__ == "__main__":
    sys.exit(main())
