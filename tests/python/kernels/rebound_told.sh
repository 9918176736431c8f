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
# Of names that TileLang does not bind as Python would: a type beside a name, := to a var, := in a part of an expression.
cat >"$TMP/odd.py" <<'P'
import tilelang
import tilelang.language as T

@tilelang.jit
def kernel(A):
    A: T.Tensor((8,), "int32")
    B = T.empty((8,), "int32")
    with T.Kernel(1, threads=8):
        half: T.float16 = A[0]
        s = T.alloc_var("int32", init=1)
        B[0] = (s := A[1]) + half
        B[1] = s
    return B

kernel(tilelang.arange(8, "int32"))
P
for part in 'B[0] = v if A[0] > 1 else (v := 3)' 'if A[0] > 1 and (v := A[1]) > 1: B[0] = v' 'while (v := A[0]) > 1: B[0] = v' \
    'B[0] = 1 if 0 < A[0] < (v := 3) else 2'; do
    sed "s/half: .*/v = 1/; s/B\[0\] = .*/$part/" "$TMP/odd.py" >"$TMP/part$((k = ${k:-0} + 1)).py"
done
for lang in en zh; do
    for f in odd part1 part2 part3 part4; do
        "$MOONTILE" -t cpu --lang $lang "$TMP/$f.py" 2>&1 | sed "s|$TMP/||"
    done
done
