# Codes of four digits: what :explain says of them, in both languages.
printf ':explain E1011\n:explain e1005\n' | "$MOONTILE" --lang en -i 2>&1 | grep -v '^moontile'
printf ':explain E1011\n' | "$MOONTILE" --lang zh -i 2>&1 | grep -v '^moontile'
# What a file prints is not what explain prints of its kernels.
cat >"$TMP/k.py" <<'PY'
import sys
import tilelang
import tilelang.language as T
@tilelang.jit
def f(A):
    N = T.const("N")
    A: T.Tensor((N,), T.float32)
    B = T.empty((N,), T.float32)
    with T.Kernel(T.ceildiv(N, 64)) as bx:
        for i in T.Parallel(64):
            B[bx * 64 + i] = A[bx * 64 + i]
    return B
print("before")
f.compile(N=64)
PY
for command in "explain" "compile --emit ir"; do
    # shellcheck disable=SC2086 # words
    "$MOONTILE" -t "cuda -build -arch=sm_90a" $command "$TMP/k.py" 2>"$TMP/said" | grep -c '^before'
    cat "$TMP/said"
done
