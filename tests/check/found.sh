# A kernel in which something was found is not "ok", whatever its results; `arg` is not the command's.
cat >"$TMP/zero.lua" <<'EOF'
local k = tl.jit(function(A)
  A: T.Tensor({4}, "int32")
  local B = T.empty({4}, "int32")
  for _ in T.Kernel(1) do
    for i in T.Parallel(4) do B[i] = 5 // A[i] end
  end
  return B
end)
k(tl.ones({4}, "int32"))
EOF
cat >"$TMP/arg.lua" <<'EOF'
io.stderr:write(#arg, " ", arg[0], "\n")
tl.jit(function(A)
  A: T.Tensor({1}, "int32")
  for _ in T.Kernel(1) do A[0] = 1 end
end):compile {}
EOF
cd "$TMP"
"$MOONTILE" check zero.lua 2>/dev/null
echo "status $?"
"$MOONTILE" check zero.lua --json 2>/dev/null
"$MOONTILE" check arg.lua 2>&1
"$MOONTILE" compile arg.lua --emit ir -o . 2>&1
"$MOONTILE" explain arg.lua 2>&1 | head -1
"$MOONTILE" arg.lua --emit cuda 2>&1
