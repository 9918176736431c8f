# Quotas: each is refused with what was asked for and the limit, and is free again later.
. ./lib/serve.sh
cat >"$TMP/conf" <<'EOT'
# what a class may use
memory = 4096
tensors = 3
EOT
start --config "$TMP/conf" --kernels 1 --ir-bytes 2K --json-bytes=1K --workspace 8K --runs 100 \
  --body-bytes 1K --process 1G --sessions-all 2 --connected 3
curl -sS "$URL/v1/hello" | sed 's/.*"limits"/"limits"/; s/$/\n/'
open
echo "--- memory"
r POST $S/tensors -d '{"bytes": 4096}'
r POST $S/tensors -d '{"bytes": 1}'
r DELETE $S/tensors/1
r POST $S/tensors -d '{"bytes": 4097}'
r POST $S/tensors -d '{"bytes": 256}'
r POST $S/tensors -d '{"bytes": 256}'
r POST $S/tensors -d '{"bytes": 256}'
r POST $S/tensors -d '{"bytes": 256}'
r DELETE $S/tensors/4
r POST $S/tensors -d '{"bytes": 1025}'
echo "--- bodies"
head -c 1025 /dev/zero >"$TMP/long"
r PUT $S/tensors/5 --data-binary "@$TMP/long"
r PUT "$S/tensors/5?bytes=1025" -H 'Transfer-Encoding: chunked' --data-binary "@$TMP/long"
r POST $S/tensors --data-binary "@$TMP/long"
r POST $S/tensors -H 'Transfer-Encoding: chunked' --data-binary "@$TMP/long"
head -c 2049 /dev/zero >"$TMP/longer"
r POST $S/kernels --data-binary "@$TMP/longer"
head -c 3000000 /dev/zero >"$TMP/longest"
r POST $S/kernels --data-binary "@$TMP/longest"
r GET $S/tensors/5 -d 'a body' | tr -d '\000'
echo "--- kernels"
for n in 64 4000000000000 16; do
  r POST $S/kernels --data-binary "kernel k(A)
  buffer A: global float32[64]
  launch bx in 1 threads 32 do
    alloc t: shared float32[$n, 64]
    fill t, 0.0
    copy t[1, 0:+64] -> A
  end
end"
done
r POST $S/kernels --data-binary "@$TMP/add.ir"
echo "--- what a kernel allocates, with its sizes"
r DELETE $S/kernels/3
r POST $S/kernels --data-binary "kernel k(A)
  dim N: int32
  buffer A: global float32[N]
  alloc W: global float32[N, 64]
  launch bx in 1 threads 32 do
    copy A[0:+32] -> W[0, 0:+32]
    copy W[0, 0:+32] -> A[0:+32]
  end
end"
r POST $S/launch -d '{"kernel": 4, "args": [{"t": 5}, {"i": 32}]}'
r POST $S/launch -d '{"kernel": 4, "args": [{"t": 5}, {"i": 31}]}'
r POST $S/launch -d '{"kernel": 4, "args": [{"t": 5}, {"i": 33}]}'
echo "--- runs"
r POST $S/launch -d '{"kernel": 4, "args": [], "times": 101}'
r POST $S/launch -d '{"kernel": 4, "args": [], "times": 9223372036854775807, "warmup": 9}'
r POST $S/bench -d '{"kernels": [4], "sets": [[[]]], "rounds": 51, "batch": 2}'
r POST $S/bench -d '{"kernels": [4], "sets": [[[]]], "rounds": 5000000000, "batch": 5000000000}'
echo "--- sessions: the one that nobody is connected to makes room"
first=$S
open
open
r POST $first/tensors -d '{"bytes": 4}'
r POST $S/tensors -d '{"bytes": 4}'
stop
echo "--- sessions that are told are a limit without tokens too"
start --sessions 1
curl -sS "$URL/v1/hello" | grep -o '"sessions": [0-9]*'
open
first=$S
open
r POST $first/tensors -d '{"bytes": 4}'
r POST $S/tensors -d '{"bytes": 4}'
stop
# hold: a client's session, until $TMP/go
cat >"$TMP/hold.lua" <<'EOT'
local fill = tl.jit(function(x)
  x: T.Tensor({4}, T.float32)
  for bx in T.Kernel(1) do T.fill(x, 1) end
end)
fill(tl.zeros({4}, "float32"))
os.execute "touch $TMP/held; until [ -e $TMP/go ]; do sleep 0.02; done"
EOT
hold() {
  rm -f "$TMP/held" "$TMP/go"
  MOONTILE_TOKEN=$ann "$MOONTILE" --connect "$URL" "$TMP/hold.lua" &
  holder=$!
  wait_for test -e "$TMP/held"
}
# which LIMIT: one session is open; what another one, of the same client or another one, is told
which() {
  start "$@"
  hold
  for who in "$ann" "$bob"; do
    r POST /sessions -H "Authorization: Bearer $who" -d '{"target": "cpu -threads=1"}' | cut -c 1-55
  done
  touch "$TMP/go"
  wait $holder
  stop
}
echo "--- which limit it is: one client's, or all clients'"
which --sessions 1
which --sessions-all 1
for n in ann bob; do eval "$n=\$(\"$MOONTILE\" serve token $n 2>/dev/null)"; done
which --sessions 1
which --sessions-all 1
rm "$XDG_CONFIG_HOME/moontile/tokens"
echo "--- a log that cannot be written to"
"$MOONTILE" serve --port 0 --log /dev/full
echo "--- a rate"
start --requests-s 1
curl -sS -o /dev/null "$URL/v1/hello" "$URL/v1/hello" -o /dev/null "$URL/v1/hello" -o /dev/null -D - |
  grep -i -e '^HTTP' -e '^Retry-After' | tr -d '\r' | sort | uniq -c | tr -s ' ' | tail -n 2
stop
echo "--- words that do not read"
for w in "--memory -1" "--memory 1X" "--memory 99999999999999999999" "--sessions 0" "--port 65536" \
  "--gpu 1" "more" "--memory" "--cert x" "--config $TMP/none" "--targets cpu,gpu" "--targets remote" \
  "--bind" "--targets=" "-t nosuch"; do
  # shellcheck disable=SC2086
  "$MOONTILE" serve $w 2>&1 | sed "s|$TMP|TMP|"
done
start
for lang in en zh; do
  "$MOONTILE" serve --lang $lang --port "${URL##*:}" 2>&1 | sed "s/${URL##*:}/PORT/g"
done
stop
printf 'memory 5\ncolour = red\n' >"$TMP/conf"
"$MOONTILE" serve --config "$TMP/conf"
"$MOONTILE" serve --help | head -n 20
"$MOONTILE" serve --help --lang zh | tail -n 3
