# The queue: clients in turn, each one's in order; timed runs alone.
. ./lib/serve.sh
for n in ann bob eve; do
  eval "$n=\$(\"$MOONTILE\" serve token $n --teacher 2>/dev/null)"
done
start --kernel-s 60 --at-once 1
# The first kernel is ended; all that waited for it end too.
finish() {
  kill $spin
  { wait $jobs; } 2>/dev/null
  jobs=
}
# The log has so many launches that went well.
went() { [ "$(grep -c '"what": "launch".*"outcome": "ok"' "$TMP/log")" = "$1" ]; }
# session NAME: S, with both kernels
session() {
  eval "token=\$$1"
  open "cpu -threads=1" -H "Authorization: Bearer $token"
  r POST $S/tensors -d '{"bytes": 256}' -H "Authorization: Bearer $token" >/dev/null
  r POST "$S/kernels?name=spin" --data-binary "@$TMP/spin.ir" -H "Authorization: Bearer $token" >/dev/null
  r POST "$S/kernels?name=say" --data-binary "@$TMP/say.ir" -H "Authorization: Bearer $token" >/dev/null
}
# launch OWNER SESSION KERNEL FILE [MORE]
launch() {
  : >"$TMP/$4"
  eval "token=\$$1"
  curl -sSN -o "$TMP/$4" -H "Authorization: Bearer $token" "$URL/v1$2/launch" \
    -d "{\"kernel\": $3, \"args\": [{\"t\": 1}]$5}" &
  jobs="$jobs $!"
}
status() { curl -sS -H "Authorization: Bearer $ann" "$URL/v1/status"; }
queued() { [ "$(status | sed 's/.*"queue": \[//; s/\].*//' | grep -o '"token"' | wc -l)" = "$1" ]; }
runs() { status | grep -q '"running": {"what": "run", "kernel": "spin"'; }
jobs=
session ann; a1=$S
session ann; a2=$S
session bob; b=$S
session eve; e=$S
launch ann $a1 1 spin
spin=$!
wait_for runs
# Three of ann's come before the others' and do not go before them.
i=0
for x in "ann $a2 2 A1" "ann $a2 2 A2" "ann $a2 2 A3" "bob $b 2 B1" "bob $b 2 B2" "eve $e 2 E1"; do
  # shellcheck disable=SC2086
  launch $x
  i=$((i + 1))
  wait_for queued $i
done
status | sed 's/.*"queue": //; s/, "totals.*//; s/"waits_s": [0-9.]*, //g; s/}, /},\n/g; s/\$/\n/'; echo
told() { grep -q '"queue"' "$TMP/$1"; }
for f in A1 A2 A3 B1 B2 E1; do wait_for told $f; done
finish
wait_for went 6
grep -h -o '"client": "[a-z]*".*"what": "launch".*"outcome": "ok"' "$TMP/log" |
  sed 's/"client": "\([a-z]*\)".*/\1/'
head -n 1 "$TMP/E1" | sed 's/"wait_s": [0-9.]*/"wait_s": S/'
grep '"run"' "$TMP/E1"
tail -n 1 "$TMP/E1" | cut -c 1-10
echo "--- a timed run waits until nothing else is in work, and then it is alone"
launch ann $a1 1 spin
spin=$!
wait_for runs
launch bob $b 2 T1 ', "times": 5'
wait_for queued 1
launch eve $e 2 E2
wait_for queued 2
status | sed 's/.*"queue": //; s/, "totals.*//; s/"waits_s": [0-9.]*, //g; s/}, /},\n/g; s/\$/\n/'; echo
finish
tail -n 1 "$TMP/T1" | sed 's/\[[^]]*\]/[..]/'
wait_for went 8
grep -h -o '"client": "[a-z]*".*"what": "launch".*"outcome": "ok"' "$TMP/log" | tail -n 2 |
  sed 's/"client": "\([a-z]*\)".*/\1/'
echo "--- reading goes on beside a run, not beside a timed one"
launch ann $a1 1 spin ', "times": 1'
spin=$!
exclusive() { status | grep -q '"running": {"what": "exclusive"'; }
wait_for exclusive
curl -sS -o "$TMP/read" -H "Authorization: Bearer $bob" "$URL/v1$b/tensors/1" &
jobs="$jobs $!"
waiting() { status | grep -q '"token": "bob"[^}]*"waiting": 1'; }
wait_for waiting
[ -s "$TMP/read" ] || echo "not yet"
finish
wc -c <"$TMP/read"
stop
