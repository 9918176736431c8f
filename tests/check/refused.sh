# A kernel that no size makes right: the check says in full why it is refused, once.
cat >"$TMP/refused.lua" <<'LUA'
local f = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N, 64}, T.float32)
  local C = T.empty({N, 64}, T.float32)
  for bx in T.Kernel(N, {threads = 64}) do
    local t = T.get_thread_binding()
    for j in T.Parallel(64) do
      if t%2 == 0 then C[bx, j] = X[bx, j] end
    end
  end
  return C
end)
f(tl.zeros {64, 64})
LUA
cd "$TMP" && "$MOONTILE" check refused.lua
echo "exit $?"
"$MOONTILE" --lang zh check refused.lua || true
