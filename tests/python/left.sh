# A generator that nobody ends: a note says so, and what it does last runs where the program ends.
cat >"$TMP/left.py" <<'EOF'
def g(n):
    try:
        yield n
    finally:
        print("f", n)


it = g(1)
print(next(it))


def f():
    x = g(2)
    next(x)


f()
y = g(3)
next(y)
y.close()
print("end")
EOF
cd "$TMP" && "$MOONTILE" --lang en left.py
cat >del.py <<'EOF'
class A:
    def __del__(self):
        print("gone")


A()
print("end")
EOF
"$MOONTILE" --lang en del.py
"$MOONTILE" --lang zh del.py
