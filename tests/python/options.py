import argparse, sys
sys.stderr = sys.stdout
def run(argv, f):
    try:
        print(f().parse_args(argv))
    except SystemExit as e:
        print("exit", e.code, flush=True)
def p1():
    p = argparse.ArgumentParser(prog="prog", description="A description of the program.")
    p.add_argument("--m", type=int, default=1024, help="M dimension")
    p.add_argument("--n", type=int, default=512)
    p.add_argument("--tune", action="store_true", help="tune configs")
    p.add_argument("--no-cache", action="store_false", dest="cache")
    p.add_argument("--dtype", type=str, choices=["float16", "bfloat16"], default="float16", help="element type (default %(default)s)")
    p.add_argument("-v", "--verbose", action="count", default=0)
    p.add_argument("--shape", type=int, nargs=3, metavar=("A", "B", "C"))
    p.add_argument("--list", nargs="+", type=float)
    p.add_argument("--opt", nargs="?", const="c", default="d")
    p.add_argument("--app", action="append")
    p.add_argument("--long-name-of-an-option", default=None, help="a help that is so long that it does not fit into one line of the terminal and is wrapped")
    return p
def p2():
    p = argparse.ArgumentParser(prog="prog")
    p.add_argument("file")
    p.add_argument("rest", nargs="*")
    p.add_argument("--req", required=True)
    g = p.add_mutually_exclusive_group()
    g.add_argument("--a", action="store_true")
    g.add_argument("--b", action="store_true")
    return p
for a in [[], ["--m", "5", "--n=6", "--tune"], ["--no-cache", "-vvv", "--shape", "1", "2", "3"], ["--list", "1", "2.5", "--opt"], ["--opt", "x", "--app", "1", "--app", "2"], ["--m", "x"], ["--dtype", "f"], ["--bad"], ["--m"], ["extra"], ["--ver"], ["--shape", "1"], ["-h"], ["--m", "-5"], ["--lo", "x"], ["--list"]]:
    run(a, p1)
for a in [["f", "--req", "1"], ["f", "a", "b", "--req", "1"], [], ["f"], ["f", "--req", "1", "--a", "--b"], ["--help"], ["--req=1", "--", "-f", "x"]]:
    run(a, p2)
print(p1().parse_known_args(["--m", "3", "--zz", "1", "q"]))
