# Where an uncaught exception stands: endless recursion in the function's line, a name in its decorator's.
run() {
    cat >"$TMP/case.py"
    (cd "$TMP" && "$MOONTILE" --lang en case.py 2>&1) || echo "exit $?"
}
run <<'P'
def f(n): return f(n)
f(1)
P
run <<'P'
def even(n):
    return odd(n + 1)

def odd(n):
    x = [n]
    return even(x[0])

even(0)
P
run <<'P'
import functools

@functools.lru_cache(maxsize=None)
@nothing(1,
         2)
def f():
    return 1
P
run <<'P'
def d(f):
    return f

@d
class A:
    x = y
P
