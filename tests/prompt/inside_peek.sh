# :peek at tiles of the last kernel, of a named one, and what it refuses.
cp lib/inside.lua "$TMP/k.lua"
cd "$TMP"
inside() { "$MOONTILE" -E -t cpu "$@" -i 2>&1; }
cat >in <<'EOF'
:peek
:load k.lua
:peek
:peek k As {block = {0, 1}, iteration = -1, rows = {0, 3}, cols = {0, 5}}
a = tl.ones({128, 100}, "float16")
b = (tl.arange(0, 9600) % 7 - 3):reshape {100, 96}:astype "float16"
c = k(a, b)
:peek Cl {iteration = {ko = 1}, rows = {0, 1}, cols = {0, 4}}
:peek k Bs {line = 12, iteration = 0, rows = {0, 2}, cols = {0, 2}}
:peek k Cl {target = "sim -arch=sm_90a", rows = {63, 63}, cols = {20, 35}, block = {1, 1}}
:peek k Cl
:peek k Bl
:peek k
:peek nokernel Cl
:peek k Cl {line = 17, iteration = 2}
t, info = k:peek("As", {line = 7})
info.undefined, t.shape, info.loops
t, info = k:peek("Cl", {iteration = 2, rows = {0, 0}, cols = {1, 2}})
t, info.heading
EOF
inside <in
echo "--- zh"
inside --lang zh <in | sed -n 5,40p
echo "--- heat map"
printf ':load k.lua\n:peek k Cl {rows = {0, 7}, cols = {0, 15}, plot = true}\n' | inside | sed -n 2p
