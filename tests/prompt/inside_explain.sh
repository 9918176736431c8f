# :explain of kernels, and moontile explain FILE.
cp lib/inside.lua "$TMP/k.lua"
cd "$TMP"
inside() { "$MOONTILE" -E -t cpu "$@" -i 2>&1; }
inside <<'EOF'
:load k.lua
:explain k {target = "sim -arch=sm_90a", card = "H200"}
:explain {target = "sim -arch=c500"}
:explain nothing
:explain k {cards = 1}
:explain E712
EOF
echo "--- zh"
printf ':load k.lua\n:explain k\n' | inside --lang zh
echo "--- narrow, ASCII"
printf ':load k.lua\nmoontile = nil\nrequire("moontile.config").style = {width = 44, unicode = false}\n:explain k\n' | inside
echo "--- shell"
"$MOONTILE" explain k.lua -t "sim -arch=gfx942"
"$MOONTILE" explain k.lua --json | grep -o '"kernel": "[a-z]*"\|"limit": "[a-z ]*"'
"$MOONTILE" --lang zh explain k.lua | head -3
"$MOONTILE" explain gone.lua; echo "status $?"
echo 'print "nothing here"' >none.lua
"$MOONTILE" explain none.lua; echo "status $?"
