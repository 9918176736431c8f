# Parses each file; says what of T. and tilelang. it uses.
import ast
import sys

words, functions = set(), 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        tree = ast.parse(f.read(), path)
    functions += sum(isinstance(n, ast.FunctionDef) for n in ast.walk(tree))
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) \
                and n.value.id in ("T", "tilelang"):
            words.add(n.value.id + "." + n.attr)
print("one function a file:", functions == len(sys.argv) - 1)
print(*sorted(words), sep="\n")
