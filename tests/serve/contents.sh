# Contents: sent once, known later, also to the client's next session; compressed; damaged.
. ./lib/serve.sh
ann=$("$MOONTILE" serve token ann 2>/dev/null) bob=$("$MOONTILE" serve token bob 2>/dev/null)
A="Authorization: Bearer $ann" B="Authorization: Bearer $bob"
start --cache 100000
head -c 50000 /dev/zero | tr '\000' 'x' >"$TMP/x"
head -c 50000 /dev/zero | tr '\000' 'y' >"$TMP/y"
# The hashes of these, by core/base/hash.c.
X=c3a5d107f9c84f15a3757ebf744c52b7 Y=74b4ba9d0530cfe42fb859c765e588f2
open "cpu -threads=1" -H "$A"
new() { r POST $S/tensors -d "{\"bytes\": ${3:-50000}, \"hash\": \"$1\"}" -H "$2"; }
echo "--- announced, sent, known"
new $X "$A"
r PUT $S/tensors/1 --data-binary "@$TMP/x" -H "$A"
new $X "$A"
r GET "$S/tensors/2?at=49990" -H "$A"
echo "--- in pieces"
new $Y "$A"
head -c 20000 "$TMP/y" >"$TMP/y1"
tail -c 30000 "$TMP/y" >"$TMP/y2"
r PUT $S/tensors/3 --data-binary "@$TMP/y1" -H "$A"
r PUT "$S/tensors/3?at=20000" --data-binary "@$TMP/y2" -H "$A"
new $Y "$A"
echo "--- not what was announced"
new 0123456789abcdef0123456789abcdef "$A"
r PUT $S/tensors/5 --data-binary "@$TMP/y" -H "$A"
new 0123456789abcdef0123456789abcdef "$A"
new $X "$A" 49999
echo "--- changed by a kernel, known all the same as it was sent"
r POST $S/kernels --data-binary 'kernel k(A)
  buffer A: global int32[64]
  launch bx in 1 threads 64 do
    for i in parallel(64) do
      A[i] = 7
    end
  end
end' -H "$A"
r POST $S/launch -d '{"kernel": 1, "args": [{"t": 2}]}' -H "$A"
new $X "$A"
r GET "$S/tensors/8?bytes=4" -H "$A"
echo "--- the next session, another client"
r DELETE $S -H "$A"
open "cpu -threads=1" -H "$A"
new $X "$A"
new $Y "$A"
open "cpu -threads=1" -H "$B"
new $X "$B"
echo "--- the longest unused makes room"
open "cpu -threads=1" -H "$A"
head -c 60000 /dev/zero >"$TMP/z"
new f1c8a15c3439517d115c5a5e9e40d3f1 "$A" 60000
r PUT $S/tensors/1 --data-binary "@$TMP/z" -H "$A"
new $X "$A"
new f1c8a15c3439517d115c5a5e9e40d3f1 "$A" 60000
echo "--- compressed"
curl -sS -D "$TMP/head" -o "$TMP/packed" -H "$A" -H 'Accept-Encoding: deflate' "$URL/v1$S/tensors/1"
grep -i content-encoding "$TMP/head" | tr -d '\r'
[ "$(wc -c <"$TMP/packed")" -lt 1000 ] && echo "short"
new $Y "$A"
r POST $S/tensors -d '{"bytes": 60000}' -H "$A"
r PUT "$S/tensors/5?bytes=60000" -H 'Content-Encoding: deflate' --data-binary "@$TMP/packed" -H "$A"
curl -sS -o "$TMP/back" -H "$A" --compressed "$URL/v1$S/tensors/5"
cmp "$TMP/back" "$TMP/z" && echo "the same"
r PUT "$S/tensors/5?bytes=59999" -H 'Content-Encoding: deflate' --data-binary "@$TMP/packed" -H "$A"
r PUT "$S/tensors/5?bytes=60000" -H 'Content-Encoding: deflate' --data-binary "@$TMP/z" -H "$A"
stop
