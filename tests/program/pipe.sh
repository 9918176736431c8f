# `moontile -i` with its input from a pipe: results on stdout, errors on
# stderr, no prompts; the exit status is that of the last input.
session() { echo "--- $*"; "$MOONTILE" -i "$@" 2>&1; echo "[$?]"; }

session <<'X'
1 + 1
x = 3
x
local y = 4
x + y
1, nil, "three"
print(x)
X
session <<'X'
error "last"
X
session <<'X'
error "not last"
"fine"
X
printf '2 + 3' | session
session -e 'z = 8' <<'X'
z
X
session <<'X'
f(
X
session <<'X'
:quit 4
never()
X
