# What is said of a name that a loop of the program binds again: a warning, once, and the error, in both languages.
cat >"$TMP/branch.py" <<'P'
import tilelang
import tilelang.language as T

@tilelang.jit
def kernel(A, n):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        anchor = A[n]
        for i in T.serial(8):
            if i < 4:
                B[i] = anchor
            else:
                anchor = A[i] * 10
                B[i] = anchor
    return B

for n in 1, 2:
    print(kernel(tilelang.arange(8, "int32"), n))
P
sed 's/anchor = A\[i\] \* 10/anchor = anchor + 1/' "$TMP/branch.py" >"$TMP/carried.py"
for lang in en zh; do
    for f in branch carried; do
        "$MOONTILE" -t cpu --lang $lang "$TMP/$f.py" 2>&1 | sed "s|$TMP/||"
    done
done
