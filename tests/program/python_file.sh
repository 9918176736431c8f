# A file in Python given to the program and to its commands; what the standard input and -e have.
cd "$TMP" || exit 1
cat >k.py <<'END'
import argparse
import sys

import tilelang
import tilelang.language as T


@tilelang.jit
def add(A, by: int = 1):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B = T.empty((N,), "float32")
    with T.Kernel(T.ceildiv(N, 64), threads=64) as bx:
        for i in T.Parallel(64):
            B[bx * 64 + i] = A[bx * 64 + i] + by
    return B


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--n", type=int, default=100)
    n = p.parse_args().n
    kernel = add.compile(N=n)
    return kernel


if __name__ == "__main__":
    main()
    sys.exit(0)
END
"$MOONTILE" k.py --n 3; echo "run: $?"
"$MOONTILE" check k.py
"$MOONTILE" explain -t "sim -arch=sm_90a" k.py | head -n 12
"$MOONTILE" compile -t "cuda -arch=sm_90a" --emit cuda -o . k.py; grep -c __global__ add.cu
"$MOONTILE" plot k.py
"$MOONTILE" bench -t cpu k.py | grep -c '^add'
sed 's/T.ceildiv(N, 64), thr/T.cieldiv(N, 64), thr/' k.py >w.py
for c in check explain "compile --emit c" plot bench; do
    # shellcheck disable=SC2086 # a command and its flags
    "$MOONTILE" $c w.py; echo "$c: $?"
done
printf 'import sys\nsys.exit("said")\n' >e.py; "$MOONTILE" e.py; echo "exit: $?"
printf 'import sys\ndef f():\n    sys.exit(3)\nf()\n' >e.py; "$MOONTILE" e.py; echo "exit: $?"
printf 'import sys\nprint(sys.argv[1:], [1, 2][-1])\n' | "$MOONTILE" - a b
printf 'def f(x):\n    y = 1\n\n    return x + y\n\nprint([f(1)])\n' | "$MOONTILE"
"$MOONTILE" -e 'print([1, 2][0], "a" if None else "b")'
"$MOONTILE" -e 'x = [1' ; echo "-e: $?"
cp e.py lua.lua; "$MOONTILE" lua.lua
