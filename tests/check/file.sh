# moontile check FILE: exit statuses, text, JSON, in both languages.
cat >"$TMP/good.lua" <<'EOF'
local copy = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 64}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = A[bx * BLOCK + i]
    end
  end
  return C
end)
copy(tl.randn {1 << 20}, 256)
copy(tl.randn {1000}, 256)
copy:compile {N = 65, BLOCK = 64}:check()
EOF
sed 's/T.ceildiv(N, BLOCK)/N \/\/ BLOCK/' "$TMP/good.lua" >"$TMP/bad.lua"
echo 'print "nothing here"' >"$TMP/none.lua"
cd "$TMP"
for f in good bad none gone; do
  "$MOONTILE" check $f.lua
  echo "status $?"
done
"$MOONTILE" --lang zh check bad.lua
echo "status $?"
"$MOONTILE" check good.lua -t "sim -arch=gfx942" --json
"$MOONTILE" check bad.lua --json
echo "status $?"
