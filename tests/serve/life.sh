# The life of sessions: idle, away, ended by themselves; what was queued and is no longer
# wanted; the end of the server.
. ./lib/serve.sh
logged() { grep -q "$1" "$TMP/log"; }
launch() { # NAME: in the background
  : >"$TMP/$1"
  curl -sSN -o "$TMP/$1" "$URL/v1$S/launch" -d "{\"kernel\": 1, \"args\": [{\"t\": 1}]$2}" &
}
spinner() { # a session with the kernel that never ends
  open
  r POST $S/tensors -d '{"bytes": 256}' >/dev/null
  r POST $S/kernels --data-binary "@$TMP/spin.ir" >/dev/null
}
spins() { grep -q '"wait": true\|"alive": true\|"run": true' "$TMP/$1"; }
echo "--- idle and away"
start --idle-s 1 --away-s 60
open
wait_for logged '"outcome": "idle"'
r POST $S/tensors -d '{"bytes": 4}'
stop
start --away-s 1
open
wait_for logged '"outcome": "away"'
r POST $S/tensors -d '{"bytes": 4}'
echo "--- instead of another"
open
old=${S#/sessions/}
r POST /sessions -d "{\"target\": \"cpu -threads=1\", \"instead_of\": \"$old\"}" | cut -c 1-40
r DELETE $S
r POST /sessions -d '{"target": "cpu -threads=1", "instead_of": "x"}' | cut -c 1-40
stop
echo "--- a kernel that takes too long"
start --kernel-s 1 --exclusive-s 4
spinner
r POST $S/launch -d '{"kernel": 1, "args": [{"t": 1}]}' | sed 's/, "failed.*//'
r POST $S/launch -d '{"kernel": 1, "args": [{"t": 1}], "times": 2}' | sed 's/, "failed.*//'
r GET $S/tensors/1 | cut -c 1-40
echo "--- a worker that is killed, a process that is"
seat=$(children $PID)
kill -9 $(children $seat)
r GET $S/tensors/1 | cut -c 1-40
kill -9 $seat
wait_for logged '"outcome": "crashed"'
r GET $S/tensors/1
stop
echo "--- a bench that takes too long in all"
start --kernel-s 60 --exclusive-s 1 --at-once 1
spinner
r POST $S/launch -d '{"kernel": 1, "args": [{"t": 1}], "times": 2}' | sed 's/, "failed.*//'
echo "--- who hangs up ends what runs, and what waits"
spinner
launch one
one=$!
wait_for spins one
A=$S
spinner
launch two
two=$!
waits() { grep -q '"queue": 1' "$TMP/two"; }
wait_for waits
kill $two
wait_for logged '"what": "launch".*"outcome": "cut"'
kill $one
over() { [ "$(grep -c '"what": "launch".*"outcome": "cut"' "$TMP/log")" = 2 ]; }
wait_for over
r POST $S/kernels --data-binary "@$TMP/say.ir" | cut -c 1-60
r POST $S/launch -d '{"kernel": 2, "args": [{"t": 1}]}' | tail -n 1
r POST $A/kernels --data-binary "@$TMP/say.ir" | cut -c 1-60
r POST $A/launch -d '{"kernel": 2, "args": [{"t": 1}]}' | tail -n 1
stop
