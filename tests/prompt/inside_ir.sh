# :ir, :passes, and :ir step in a pipe, where lines are the keys.
cp lib/inside.lua "$TMP/k.lua"
cd "$TMP"
inside() { "$MOONTILE" -E -t cpu "$@" -i; }
cat >in <<'EOF'
:ir
:load k.lua
:ir
:ir k thread {target = "sim -arch=sm_80"}
:ir pipeline
:ir k pipelin
:passes
:passes k {target = "sim -arch=sm_90a"}
:ir nothing
:ir k {targt = 1}
EOF
inside <in 2>&1
echo "--- step"
cat >in <<'EOF'
:load k.lua
:ir k step {target = "sim -arch=sm_80"}
n
p
p
shared
f
n
d
99
12
partition
nonsense
?

sync
n
q
:ir k step
q
:ir step
EOF
inside <in 2>&1
echo "--- zh"
printf ':load k.lua\n:ir k step\nn\nn\npeel\n50\nq\n:passes\n' | inside --lang zh 2>&1
