# Ctrl-C while a run waits in the queue: the place is given up, nothing is lost.
. lib/bad.sh
bad queue
cat >"$TMP/wait.lua" <<'END'
local f = assert(loadfile "lib/twice.lua")
print(pcall(f))
print(tl.arange(3, "float32"):sum())
END
"$MOONTILE" --lang en --connect "$URL" "$TMP/wait.lua" >"$TMP/out" 2>&1 &
pid=$!
wait_line "$TMP/log" launch
kill -INT $pid
wait $pid
echo "status $?"
brief <"$TMP/out"
sed -e 's# /v1/sessions/[0-9a-f]*# #' "$TMP/log" | grep -c launch
no_more
echo "== while a tensor is on its way: it is given up, and nothing else"
bad hold
cat >"$TMP/move.lua" <<'END'
local f = assert(loadfile "lib/twice.lua")
arg = {"4000"}
print(pcall(f))
print(tl.arange(3, "float32"):sum())
END
"$MOONTILE" --lang en --connect "$URL" "$TMP/move.lua" >"$TMP/out" 2>&1 &
pid=$!
wait_line "$TMP/log" PUT
kill -INT $pid
wait $pid
echo "status $?"
brief <"$TMP/out"
no_more
echo "== and while it runs: the server ends the run, and the session goes on"
. lib/serve.sh
PORT=
serve
cat >"$TMP/hang.lua" <<'END'
local hang = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.int32)
  for bx in T.Kernel(1) do
    while x[0] >= 0 do
      x[1] = x[1] + 1
    end
  end
end)
local x = tl.arange(3, "int32")
print(pcall(hang, x))
print(x[2])
assert(loadfile "lib/twice.lua")()
END
"$MOONTILE" --lang en --connect "$URL" "$TMP/hang.lua" >"$TMP/out" 2>&1 &
pid=$!
wait_line "$TMP/serve.log" '"what": "kernel"'
kill -INT $pid
wait $pid
echo "status $?"
brief <"$TMP/out"
wait_line "$TMP/serve.log" '"what": "launch".*"cut"'
