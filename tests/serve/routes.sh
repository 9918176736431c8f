# Every path with right and with wrong requests.
. ./lib/serve.sh
start
r GET /hello | sed 's/"moontile": "[^"]*"/"moontile": V/; s/, "targets.*//'
echo "--- no such thing"
r GET /
r GET /helloo
r POST /hello -d '{}'
r DELETE /sessions
r GET /sessions/0123456789abcdef0123456789abcdef
r GET /sessions/0123456789abcdef0123456789abcdef/tensors/1
r GET /sessions/0123456789abcdef/tensors/1
r GET "/hello?x=1"
echo "--- opening"
r POST /sessions -d '{"target": "cpu -threads=1", "client": "a laptop"}' |
  sed 's/"describe.*"apart"/"apart"/; s/, "limits".*//'
for b in '' '{' '[]' '{}' '{"target": 1}' '{"target": "gpu"}' '{"target": "remote -url=http://x"}' \
  '{"target": "cpu", "target": "sim"}' '{"target": "cpu", "more": 1}' \
  '{"target": "cpu -thread=1"}' '{"target": "cpu\n"}' '{"target": "cpu\u0000"}' \
  '[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]' '{"target": "cpu"} x' '{"target": null}'; do
  printf '%s ' "$b"
  r POST /sessions -d "$b"
done
open
echo "--- tensors"
r POST $S/tensors -d '{"bytes": 400}'
r POST $S/tensors -d '{"bytes": 0}'
r POST $S/tensors -d '{"bytes": -1}'
r POST $S/tensors -d '{"bytes": 1e3}'
r POST $S/tensors -d '{"bytes": 99999999999999999999}'
r POST $S/tensors -d '{"bytes": 9223372036854775807}'
r POST $S/tensors -d '{"bytes": 8, "hash": "abc"}'
r POST $S/tensors -d '{"bytes": 8, "hash": null}'
head -c 400 /dev/zero | tr '\000' 'a' >"$TMP/a"
r PUT $S/tensors/1 --data-binary "@$TMP/a"
r PUT "$S/tensors/1?at=396" -d 'bcde'
r PUT "$S/tensors/1?at=397" -d 'bcde'
r PUT "$S/tensors/1?at=18446744073709551615" -d 'b'
r PUT "$S/tensors/1?at=-1" -d 'b'
r PUT "$S/tensors/1?at=1&at=2" -d 'b'
r PUT "$S/tensors/1?at" -d 'b'
r PUT "$S/tensors/1?bytes=3" -d 'bcde'
r PUT "$S/tensors/1" -H 'Transfer-Encoding: chunked' -d 'bcde'
r PUT "$S/tensors/1?bytes=4" -H 'Transfer-Encoding: chunked' -d 'bcde'
r PUT "$S/tensors/1?bytes=5" -H 'Transfer-Encoding: chunked' -d 'bcde'
r PUT "$S/tensors/1?bytes=3" -H 'Transfer-Encoding: chunked' -d 'bcde'
r PUT "$S/tensors/1?at=8" -d ''
r PUT $S/tensors/3 -d 'bcde'
r PUT $S/tensors/01 -d 'bcde'
r PUT $S/tensors/1 -H 'Content-Encoding: gzip' -d 'bcde'
r PUT $S/tensors/1 -H 'Content-Encoding: deflate' -d 'bcde'
r PUT "$S/tensors/1?bytes=4" -H 'Content-Encoding: deflate' -d 'bcde'
r GET "$S/tensors/1?at=0&bytes=8"
r GET "$S/tensors/1?at=392"
r GET "$S/tensors/1?at=400"
r GET "$S/tensors/1?at=401"
r GET "$S/tensors/1?at=1&bytes=400"
r GET "$S/tensors/1?at=1&bytes=999999999999999999"
r POST $S/tensors/1/zero -d '{"at": 2, "bytes": 4}'
r POST $S/tensors/1/zero -d '{"at": 2}'
r POST $S/tensors/1/zero -d '{"at": 2, "bytes": 399}'
r GET "$S/tensors/1?bytes=8"
r PATCH $S/tensors/1 -d 'x'
r DELETE $S/tensors/2
r DELETE $S/tensors/2
r GET $S/tensors/2
echo "--- kernels"
r POST "$S/kernels?name=plus" --data-binary "@$TMP/add.ir"
r POST "$S/kernels?name=" --data-binary "@$TMP/add.ir"
r POST $S/kernels -d ''
r POST $S/kernels -d 'kernel x('
r POST $S/kernels --data-binary 'kernel k(A)
  buffer A: global float32[8]
  launch bx in 1 threads 32 do @7
    for i in parallel(64) do @8
      A[i] = 1.0 @9:7
    end
  end
end'
printf '\001\377\000kernel' >"$TMP/noise"
r POST $S/kernels --data-binary "@$TMP/noise" | cut -d ' ' -f 1-4
printf 'file 1 "t.lua"\nkernel t(A)\nmachine sm_80\n' >"$TMP/thread"
r POST $S/kernels --data-binary "@$TMP/thread"
r GET "$S/kernels/1/text?what=source" | head -n 1 | cut -c 1-90
r GET "$S/kernels/1/text?what=ir" | head -n 2 | cut -c 1-90
r GET "$S/kernels/1/text?what=ptx"
r GET "$S/kernels/1/text?what=../x"
r GET "$S/kernels/1/text"
r GET "$S/kernels/9/text?what=ir"
echo "--- launches"
r POST $S/tensors -d '{"bytes": 400}'
r POST $S/tensors/1/zero -d '{"at": 0, "bytes": 400}'
A='{"t": 1}, {"t": 3}, {"f": "0x1.8p+1"}'
launch() { r POST $S/launch -d "{\"kernel\": 1, \"args\": [$1]$2}"; }
launch "$A, {\"i\": 100}"
r GET "$S/tensors/3?at=396" >/dev/null
od -An -tx1 "$TMP/body"
launch "$A, {\"i\": 100}" ', "times": 3, "warmup": 1, "flush": true'
launch "$A, {\"i\": 101}"
launch "$A, {\"i\": -1}"
launch "$A, {\"i\": 2147483648}"
launch "$A, {\"i\": 99999999999999999999}"
launch "$A"
launch "{\"t\": 1, \"at\": 4}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 99}"
launch "{\"t\": 1, \"at\": 4}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 100}"
launch "{\"t\": 1, \"at\": 3}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 9}"
launch "{\"t\": 1, \"at\": 404}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 9}"
launch "{\"t\": 1, \"at\": 400}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 0}"
launch "{\"t\": 2}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 9}"
launch "{\"i\": 2}, {\"t\": 3}, {\"f\": \"0\"}, {\"i\": 9}"
launch "{\"t\": 1}, {\"t\": 3}, {\"i\": 0}, {\"i\": 9}"
launch "{\"t\": 1}, {\"t\": 3}, {\"f\": \"1e400x\"}, {\"i\": 9}"
launch "{\"t\": 1}, {\"t\": 3}, {\"f\": \"nan\"}, {\"i\": 9, \"f\": \"0\"}"
launch "7"
launch "" ', "times": -1'
launch "" ', "flush": 1'
r POST $S/launch -d '{"kernel": 5, "args": []}'
r POST $S/launch -d '{"args": []}'
bench() { r POST $S/bench -d "$1"; }
L="[$A, {\"i\": 100}]"
bench "{\"kernels\": [1, 1], \"sets\": [[$L, $L], [$L, $L]], \"rounds\": 2, \"warmup\": 1, \"batch\": 2, \"flush\": true}"
bench "{\"kernels\": [1], \"sets\": [[$L, $L]]}"
bench "{\"kernels\": [1], \"sets\": []}"
bench "{\"kernels\": [], \"sets\": [[]]}"
bench "{\"kernels\": [2], \"sets\": [[$L]]}"
bench "{\"kernels\": [\"1\"], \"sets\": [[$L]]}"
bench "{\"kernels\": [1], \"sets\": [[$L]], \"rounds\": 0}"
bench "{\"kernels\": [1], \"sets\": [[[]]]}"
echo "--- prints and asserts"
r POST "$S/kernels?name=tell" --data-binary "@$TMP/say.ir"
r POST $S/launch -d '{"kernel": 7, "args": [{"t": 3}]}'
printf '\001\000\000\000\377\377\377\377' >"$TMP/minus"
r PUT $S/tensors/3 --data-binary "@$TMP/minus"
r POST $S/launch -d '{"kernel": 7, "args": [{"t": 3}]}'
echo "--- a number of blocks that only the launch knows"
r POST "$S/kernels?name=blocks" --data-binary 'kernel blocks(A, n)
  buffer A: global float32[8]
  scalar n: int32
  assume n ~= 6 @6
  launch bx in n//2 - 1 threads 32 do @7
    for i in parallel(8) do @8
      A[i] = 1.0 @9:7
    end
  end
end'
for n in 2 1 -2147483648 6; do r POST $S/launch -d "{\"kernel\": 8, \"args\": [{\"t\": 3}, {\"i\": $n}]}"; done
r POST $S/bench -d '{"kernels": [8], "sets": [[[{"t": 3}, {"i": -2}]]], "rounds": 1}'
echo "--- web pages"
r GET /hello -H 'Origin: http://example.org'
r GET /hello -H 'Host: example.org'
r GET /hello -H 'Host: localhost:1' | cut -c 1-20
echo "--- the end"
r DELETE $S/kernels/1
r DELETE $S/kernels/1
r DELETE $S
r DELETE $S
r GET $S/tensors/1
r GET /status
stop
grep -c '^{"time": .*}$' "$TMP/log" | sed 's/[0-9]*/lines of log/'
grep -v '^{"time": "[^"]*", .*}$' "$TMP/log"
