# The server is started anew in the middle: the session comes back by itself, with tensors
# from here; what only the server had is named.
. lib/serve.sh
serve
cat >"$TMP/lost.lua" <<'END'
dofile "lib/twice.lua"
local add = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 4)) do
    for i in T.Parallel(4) do
      x[bx * 4 + i] = x[bx * 4 + i] + 1
    end
  end
end)
local function again()
  assert(os.execute "touch $TMP/stop && until [ -e $TMP/again ]; do sleep 0.02; done; rm $TMP/again")
end
local x = tl.arange(4, "float32")
add(x)
print(x)
again()
print "-- nothing was there only"
add(x)
print(x)
add(x)
again()
print "-- x was"
print(pcall(add, x))
add(x)
print(x)
add(x)
again()
print "-- and came with the answer"
print(x)
add(x)
print(x)
local big = tl.arange(2000, "float32")
add(big)
again()
print "-- too much for that, and is read"
print(select(2, pcall(function() return big[9] end)))
print(big[9])
add(big)
print(big[9])
END
"$MOONTILE" --lang en --connect "$URL" "$TMP/lost.lua" >"$TMP/out" 2>&1 &
client=$!
for _ in 1 2 3 4; do
    n=0
    until [ -e "$TMP/stop" ] || ! kill -0 $client 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 6000 ] || exit 1
        sleep 0.02
    done
    rm -f "$TMP/stop"
    no_more
    serve
    touch "$TMP/again"
done
wait $client
echo "status $?"
brief <"$TMP/out"
