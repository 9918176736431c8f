# Servers that are broken or hostile: what is said, and that nothing of what was there changes.
. lib/pack.sh
course "$TMP/course"
SUM=$(sum_of "$TMP/course" "$TMP/course.json")
"$MOONTILE" puzzles get "$TMP/course.json" >/dev/null
state >"$TMP/before"
course "$TMP/next" 2.0
SUM2=$(sum_of "$TMP/next" "$TMP/next.json")
serve "$TMP"
same() {
    state | cmp -s "$TMP/before" - || echo "THE PACKS ARE NOT WHAT THEY WERE"
    find "$PACKS" -name '.*' | brief
}
get() { puzzles get --replace "$@" | grep -v -e '^http.*bytes$' -e '^sha256 ' -e '^help'; same; }
echo "== not the file that was asked for"
get "$URL/plain/next.json#sha256=$SUM"
get "$URL/plain/next.json" --sha256 "$SUM"
get "$URL/plain/next.json#sha256=$SUM" --sha256 "$SUM2"
get "$URL/plain/next.json" --sha256 1234
get "$URL/plain/next.json#md5=$SUM"
echo "$SUM  next.json" >"$TMP/next.json.sha256"
get "$URL/plain/next.json"
echo 'not a hash' >"$TMP/next.json.sha256"
get "$URL/plain/next.json"
rm "$TMP/next.json.sha256"
echo "== downloads that are not whole"
get "$URL/cut/next.json"
get "$URL/less/next.json" | sed 's/: [0-9]*: .*/: N: ../'
get "$URL/more/next.json" --timeout 0.3
get "$URL/drip/next.json" --timeout 0.3
get "$URL/silent/next.json" --timeout 0.3
get "$URL/vast/next.json"
get "$URL/endless/next.json"
get "$URL/plain/nothing.json"
get "$URL/status/500"
get "http://127.0.0.1:1/x.json" | sed 's/x.json: .*/x.json: ../'
echo "== places where it does not go"
get "$URL/go/file:///etc/passwd"
get "$URL/go/ftp://127.0.0.1/x"
get "$URL/go//go//go//go//go//go//plain/next.json"
get "$URL/go/http://192.0.2.1/next.json"
get "http://192.0.2.1/next.json"
get "http://user:secret@127.0.0.1/next.json"
get "file:///etc/passwd"
get "gopher://127.0.0.1/x"
get "http:///x"
get "$TMP/none.json"
get "$TMP"
echo "== a redirect that is followed, and the token"
echo tok3n >"$TMP/token"
: >"$TMP/log"
MOONTILE_TOKEN=tok3n MOONTILE_TOKEN_FILE=$TMP/token puzzles get "$URL/go//plain/course.json" | tail -n +2 | head -n 1
puzzles get "$URL/go/http://localhost:$PORT/plain/course.json" --token-file "$TMP/token" | tail -n +2 | head -n 1
brief <"$TMP/log"
echo "== Ctrl-C"
: >"$TMP/log"
"$MOONTILE" puzzles get --replace "$URL/silent/next.json" >"$TMP/said" 2>&1 &
pid=$!
n=0
until [ -s "$TMP/log" ] || [ $n -gt 15000 ]; do n=$((n + 1)); sleep 0.02; done
kill -INT $pid
wait $pid
echo "[exit $?]"
brief <"$TMP/said"
same
