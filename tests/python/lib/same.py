# Generated programs (acts.py) in moontile and in CPython: prints where they differ.
#   same.py MOONTILE FROM COUNT [CASES]    programs of the seeds FROM .. FROM + COUNT - 1, of 20 cases each
#   same.py MOONTILE shrink SEED CASE ..   the shortest form of cases that differ
#   same.py print SEED [CASES]             the text of a program
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings

import acts

warnings.simplefilter("ignore")

# What moontile says it does not have: integers beyond 64 bits, complex numbers, what an E-code of its reader names.
REFUSED = re.compile(r"moontile's integers have 64 bits|moontile has no complex numbers|OverflowError|error\[E10[23]")
# Where the two may part: a missing method is named before its arguments are evaluated, an abandoned generator's
# `finally` runs at once, recursion ends at another depth, the values of a set are in another order.
APART = re.compile(r"(! )?(AttributeError .*has no attribute|fin$|.*RecursionError|.*complex|.*OverflowError|TypeError '<' not)")
ADDRESS = re.compile(r"0x[0-9a-f]{9,}")


def outputs(command, path):
    """What a program prints and says; None: it did not end."""
    try:
        r = subprocess.run(command + [path], capture_output=True, text=True, timeout=10, errors="replace")
    except subprocess.TimeoutExpired:
        return None, "it did not end"
    return ADDRESS.sub("0x", r.stdout), r.stderr


def divided(text):
    """The printed lines of each case, by its number."""
    out = {}
    for part in ("\n" + (text or "")).split("\n--- ")[1:]:
        i, _, rest = part.partition("\n")
        out[int(i)] = rest.rstrip("\n")
    return out


def ran(tool, cases, folder):
    """What CPython prints of these cases, what moontile does, and what it says; None: CPython does not end."""
    path = os.path.join(folder, "p.py")
    with open(path, "w", encoding="utf-8") as f:
        f.write(acts.HEAD + "".join(cases))
    want, _ = outputs([sys.executable, "-W", "ignore"], path)
    if want is None:
        return None, None, None
    got, said = outputs([tool], path)
    return divided(want), divided(got), said


def judged(want, got, said):
    """same, refused, apart or different, and the first lines that differ."""
    if want == got and want is not None and not said:
        return "same", "", ""
    a, b = (want or "").split("\n"), (got or "").split("\n")
    at = next((j for j in range(min(len(a), len(b))) if a[j] != b[j]), min(len(a), len(b)))
    a, b = "".join(a[at:at + 1]), "".join(b[at:at + 1])
    if REFUSED.search(said) or REFUSED.search(got or ""):
        return "refused", a, b
    return "apart" if APART.match(a) or "RecursionError" in b else "different", a, b


def alone(tool, text, number, folder):
    """judged() of one case that is run alone."""
    try:
        compile(text, "case", "exec")
    except (SyntaxError, ValueError):
        return "same", "", ""
    want, got, said = ran(tool, [text], folder)
    if want is None:
        return "same", "", ""
    kind, a, b = judged(want.get(number), got.get(number), said)
    return kind, a, b + " " + said[:300] if said else b


def program(tool, seed, n, folder, tally):
    cases = acts.cases(random.Random(seed), n)
    want, got, said = ran(tool, cases, folder)
    if want is None:
        return
    for i, text in enumerate(cases):
        kind, a, b = judged(want.get(i), got.get(i), "")
        if kind != "same" or said and i == n - 1:
            kind, a, b = alone(tool, text, i, folder)
        tally[kind] += 1
        if kind == "different":
            print(f"seed {seed} case {i}:\n{text}CPython:  {a}\nmoontile: {b}")


def indent(line):
    return len(line) - len(line.lstrip())


def shorter(lines, i):
    """The text without the statement at line i, without its head, or with `pass` instead."""
    j = i + 1
    while j < len(lines) - 1 and indent(lines[j]) > indent(lines[i]):
        j += 1
    yield lines[:i] + lines[j:]
    if j > i + 1:
        yield lines[:i] + [line[4:] for line in lines[i + 1:j]] + lines[j:]
    elif lines[i].strip() != "pass":
        yield lines[:i] + [" " * indent(lines[i]) + "pass"] + lines[j:]


def shrink(tool, text, number, folder):
    lines, tries, again = text.rstrip("\n").split("\n"), 300, True
    while again and tries > 0:
        again, i = False, 1
        while i < len(lines) - 1 and tries > 0:
            for form in shorter(lines, i):
                tries -= 1
                if alone(tool, "\n".join(form) + "\n", number, folder)[0] == "different":
                    lines, again = form, True
                    break
            else:
                i += 1
    return "\n".join(lines) + "\n"


def main(argv):
    if argv[1] == "print":
        sys.stdout.write(acts.program(random.Random(int(argv[2])), int(argv[3]) if len(argv) > 3 else 20))
        return 0
    tool, tally = os.path.abspath(argv[1]), {"same": 0, "refused": 0, "apart": 0, "different": 0}
    with tempfile.TemporaryDirectory() as folder:
        if argv[2] == "shrink":
            for case in argv[4:]:
                text = shrink(tool, acts.cases(random.Random(int(argv[3])), 20)[int(case)], int(case), folder)
                print(text, *alone(tool, text, int(case), folder), sep="\n")
            return 0
        for seed in range(int(argv[2]), int(argv[2]) + int(argv[3])):
            program(tool, seed, int(argv[4]) if len(argv) > 4 else 20, folder, tally)
    print(*("%d %s" % (n, kind) for kind, n in tally.items()), sep=", ", file=sys.stderr)
    return tally["different"] > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
