# Python is recognised, in a file and at the prompt: a word, and a whole kernel.
cat >"$TMP/k.lua" <<'END'
import tilelang
import tilelang.language as T

@tilelang.jit
def add(A, B):
    N = T.const("N")
    with T.Kernel(T.ceildiv(N, 64), threads=128) as bx:
        for i in T.Parallel(64):
            B[bx * 64 + i] = A[bx * 64 + i]
END
cd "$TMP" || exit 1
"$MOONTILE" k.lua
"$MOONTILE" --lang zh k.lua
echo "--- piped"
"$MOONTILE" -i <k.lua 2>&1
cat k.lua - <<"END" | "$MOONTILE" -i --lang zh 2>&1
print(add)
END
# Lua behind one line of it is run; a line that comes later is read then.
printf "x != 1\nx = 3\nx\nimport os\nlocal y = 4\ny\ndef f(x):" | "$MOONTILE" -i 2>&1 | grep -v "^ "
{ printf "import os\nx = "; sleep 0.3; echo 5; echo x; } | "$MOONTILE" -i 2>&1 | grep -v "^ "
for line in 'def f(x):' 'import tilelang' 'class A:' 'elif x:' 'x = [1, 2]' 'f = lambda x: x' '# a comment'; do
    echo "--- $line"
    echo "$line" | "$MOONTILE" -i 2>&1 | grep -e error -e help
    printf 'local y = 1\n%s\n' "$line" >one.lua
    "$MOONTILE" one.lua 2>&1 | grep -e error -e help
done
