# What travels along with a launch: parts that are set before it, parts that are told behind
# it; and contents that went with a worker are never read as if they were the newest.
. ./lib/serve.sh
start
open
r POST $S/tensors -d '{"bytes": 400}'
r POST $S/tensors -d '{"bytes": 400}'
r POST $S/kernels --data-binary "@$TMP/add.ir"
one=AACAPwAAgD8= # 1.0, 1.0
launch() { r POST $S/launch -d "{\"kernel\": 1, \"args\": [{\"t\": 1}, {\"t\": 2}, {\"f\": \"0x1p+1\"}, {\"i\": 3}]$1}"; }
echo "--- right"
launch ", \"before\": [{\"t\": 1, \"data\": \"$one\"}], \"after\": [{\"t\": 2, \"at\": 0, \"bytes\": 12}]"
launch ', "before": [{"t": 1, "at": 4, "bytes": 4}, {"t": 2, "bytes": 400}], "after": [{"t": 2, "bytes": 4}, {"t": 2, "at": 4, "bytes": 5}, {"t": 1, "at": 396, "bytes": 4}]'
launch ", \"before\": [{\"t\": 1, \"at\": 3, \"data\": \"$one\"}, {\"t\": 1, \"bytes\": 400}], \"after\": [{\"t\": 1, \"bytes\": 8}]"
launch ', "before": [], "after": []'
launch ', "after": [{"t": 2, "bytes": 8}], "times": 3'
launch ', "after": [{"t": 2, "bytes": 0}], "before": [{"t": 2, "bytes": 0}, {"t": 2, "data": ""}]'
echo "--- wrong: nothing is set"
for parts in '"before": {}' '"before": [1]' '"before": [{"t": 1}]' '"before": [{"t": 3, "bytes": 4}]' \
  '"before": [{"t": 1, "bytes": 401}]' '"before": [{"t": 1, "at": 400, "data": "AAAA"}]' \
  '"before": [{"t": 1, "at": -1, "bytes": 4}]' '"before": [{"t": 1, "data": "A"}]' \
  '"before": [{"t": 1, "data": "AAA!"}]' '"before": [{"t": 1, "data": "AB=="}, {"t": 1, "data": "=AAA"}]' \
  '"before": [{"t": 1, "data": "AAAA", "bytes": 3}]' '"before": [{"t": 1, "data": "AAAA", "x": 3}]' \
  '"before": [{"t": 1, "at": 9223372036854775807, "bytes": 9223372036854775807}]' \
  '"after": [{"t": 1, "data": "AAAA"}]' '"after": [{"t": 1}]' '"after": [{"t": 1, "bytes": 401}]' \
  '"after": [{"t": 1, "at": 9223372036854775807, "bytes": 1}]' '"after": [{"t": 9, "bytes": 1}]'; do
  printf '%s ' "$parts"
  launch ", $parts"
done
many=$(for _ in $(seq 65); do printf '{"t": 1, "bytes": 0}, '; done)
launch ", \"after\": [$many{\"t\": 1, \"bytes\": 0}]"
r POST $S/tensors -d '{"bytes": 20000}'
launch ', "after": [{"t": 3, "bytes": 16384}, {"t": 3, "bytes": 1}]'
launch ', "after": [{"t": 3, "bytes": 16385}]'
launch ', "after": [{"t": 3, "bytes": 9000}, {"t": 3, "bytes": 9223372036854775807}]'
launch ", \"before\": [{\"t\": 3, \"data\": \"$(head -c 16386 /dev/zero | base64 -w 0)\"}]"
launch ', "after": [{"t": 2, "bytes": 12}]'
r POST $S/bench -d '{"kernels": [1], "sets": [[[{"t": 1}, {"t": 2}, {"f": "0x1p+1"}, {"i": 3}]]], "after": []}'
echo "--- a device with memory of its own, whose worker is killed"
open "cpu -devcopy -threads=1"
r POST $S/tensors -d '{"bytes": 400}'
r POST $S/tensors -d '{"bytes": 400}'
r POST $S/kernels --data-binary "@$TMP/add.ir" | cut -c 1-60
last() { tr ' ' '\n' | grep . | tail -n 1; }
worker() { children "$(children $PID | last)" | last; }
dead() { ! grep -q "^State:.[^Z]" "/proc/$1/status"; } # gone, or not yet waited for
murder() {
  w=$(worker)
  kill -9 "$w"
  wait_for dead "$w"
}
launch ', "after": [{"t": 2, "bytes": 4}]'
murder
echo "what was told was read"
r GET "$S/tensors/2?bytes=4" | tr -d '\000'
launch
murder
echo "what was not is gone, and that is said"
r GET "$S/tensors/2?bytes=4" | tr -d '\000'
r GET "$S/tensors/2?bytes=4" | tr -d '\000'
launch
murder
r PUT "$S/tensors/2?at=4" -d 'abcd'
launch
murder
r POST $S/tensors/2/zero -d '{"at": 0, "bytes": 4}'
launch
murder
launch ', "before": [{"t": 2, "bytes": 4}]' | sed 's/, "failed.*//'
launch ', "after": [{"t": 2, "bytes": 4}]'
stop
