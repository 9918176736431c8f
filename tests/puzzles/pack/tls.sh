# Over TLS: certificates are verified, and nothing leads from https to http.
command -v openssl >/dev/null || { echo "no openssl"; exit 77; }
. lib/pack.sh
course "$TMP/course"
mkdir "$TMP/www"
SUM=$(sum_of "$TMP/course" "$TMP/www/course")
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$TMP/key.pem" \
    -out "$TMP/cert.pem" -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    2>/dev/null || { echo "no openssl that makes certificates"; exit 77; }
answer() { # answer NAME STATUS [HEADER]: what the server says for /NAME, with the pack behind it
    { printf 'HTTP/1.0 %s\r\n%s\r\n' "$2" "$3"; cat "$TMP/www/course"; } >"$TMP/www/$1"
}
answer course.json '200 OK'
answer down '302 Found' "Location: http://127.0.0.1:1/course.json
"
answer down.sha256 '404 None'
answer file '302 Found' "Location: file:///etc/passwd
"
answer course.json.sha256 '404 None'
cd "$TMP/www" || exit 1
: >"$TMP/address"
openssl s_server -accept 127.0.0.1:0 -cert "$TMP/cert.pem" -key "$TMP/key.pem" -HTTP -naccept 20 \
    >"$TMP/address" 2>&1 </dev/null &
SERVER=$!
trap 'kill $SERVER 2>/dev/null; wait $SERVER 2>/dev/null || :' EXIT
n=0
until grep -q '^ACCEPT' "$TMP/address"; do
    n=$((n + 1))
    [ $n -lt 6000 ] && kill -0 $SERVER 2>/dev/null || { echo "openssl s_server does not start"; exit 77; }
    sleep 0.02
done
PORT=$(sed -n 's/^ACCEPT.*:\([0-9]*\)$/\1/p' "$TMP/address")
[ -n "$PORT" ] || { echo "openssl s_server does not say its port"; exit 77; }
URL=https://localhost:$PORT
get() { puzzles get "$@" | sed 's/certificate problem.*\|certificate verif.*/certificate ../' | grep -v '^help'; }
get "$URL/course.json"
ls "$PACKS" 2>/dev/null
get "$URL/course.json" --cacert "$TMP/cert.pem"
get "$URL/course.json#sha256=$SUM" --cacert "$TMP/cert.pem" | sed -n 4p
get "$URL/down#sha256=$SUM" --cacert "$TMP/cert.pem"
get "$URL/file" --cacert "$TMP/cert.pem"
