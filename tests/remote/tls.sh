# Certificates are verified; a token opens the server; the certificate is named or it is not used.
command -v openssl >/dev/null || { echo "no openssl"; exit 77; }
. lib/serve.sh
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$TMP/key.pem" \
    -out "$TMP/cert.pem" -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    2>/dev/null || { echo "no openssl that makes certificates"; exit 77; }
"$MOONTILE" --lang en serve token alice --token-file "$TMP/tokens" >"$TMP/alice" 2>/dev/null
tail -n 1 "$TMP/alice" >"$TMP/token"
serve --cert "$TMP/cert.pem" --key "$TMP/key.pem" --token-file "$TMP/tokens"
run() {
    echo "== $*" | brief
    "$MOONTILE" --lang en "$@" lib/twice.lua 2>&1 | brief | sed 's/certificate problem.*\|certificate verif.*/certificate ../'
}
run --connect "$URL" --token-file "$TMP/token"
run --connect "$URL" --cacert "$TMP/cert.pem" --token-file "$TMP/token"
run --connect "$URL" --cacert "$TMP/cert.pem"
run -t "remote -url=$URL -insecure" --token-file "$TMP/token"
echo "zz" >"$TMP/other"
run --connect "$URL" --cacert "$TMP/cert.pem" --token-file "$TMP/other"
grep -c -F "$(cat "$TMP/token")" "$TMP/serve.log"
