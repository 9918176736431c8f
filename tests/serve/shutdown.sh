# SIGTERM: what runs may finish, what waits and what comes is told; a second signal.
. ./lib/serve.sh
logged() { grep -q "$1" "$TMP/log"; }
spinner() {
  open
  r POST $S/tensors -d '{"bytes": 256}' >/dev/null
  r POST $S/kernels --data-binary "@$TMP/spin.ir" >/dev/null
}
launch() {
  : >"$TMP/$1"
  curl -sN -o "$TMP/$1" "$URL/v1$S/launch" -d '{"kernel": 1, "args": [{"t": 1}]}' &
}
runs() { grep -q '"alive"\|"wait"' "$TMP/one"; }
waits() { grep -q '"queue": 1' "$TMP/two"; }
start --kernel-s 4 --grace-s 60 --at-once 1
spinner
launch one
wait_for runs
spinner
launch two
wait_for waits
kill -TERM $PID
wait_for logged stopping
r POST $S/tensors -d '{"bytes": 4}'
r POST /sessions -d '{"target": "cpu"}'
r GET /hello
curl -sS -D - -o /dev/null "$URL/v1/hello" | grep -i '^Retry-After' | tr -d '\r'
r GET $S/tensors/1 | cut -c 1-40
wait $PID
echo "server: status $?"
wait
for f in one two; do
  tail -n 1 "$TMP/$f" | sed 's/, "failed.*//'
done
logged '"outcome": "in order"' && echo "in order"
echo "--- the limit of what runs"
start --kernel-s 60 --grace-s 1 --at-once 1
spinner
launch one
wait_for runs
stop
wait
tail -n 1 "$TMP/one" | sed 's/, "failed.*//'
echo "--- a second signal"
start --kernel-s 60 --grace-s 60 --at-once 1
spinner
launch one
wait_for runs
kill -INT $PID
wait_for logged stopping
seat=$(children $PID)
worker=$(children $seat)
kill -INT $PID
wait $PID
echo "server: status $?"
dead() { ! kill -0 $seat 2>/dev/null && ! kill -0 $worker 2>/dev/null; }
wait_for dead
echo "its processes are gone"
