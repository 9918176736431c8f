# TLS: a certificate of the test's own.
. ./lib/serve.sh
command -v openssl >/dev/null || { echo "no openssl"; exit 77; }
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$TMP/key" -out "$TMP/cert" -days 2 \
  -subj /CN=localhost -addext "subjectAltName=DNS:localhost,IP:127.0.0.1" 2>/dev/null
start --cert "$TMP/cert" --key "$TMP/key"
echo "$URL" | sed 's/:[0-9]*$/:PORT/'
r GET /hello --cacert "$TMP/cert" | cut -c 1-20
r GET /hello
sed 's/^curl: ([0-9]*).*/refused/' "$TMP/curl" | head -n 1
plain=$(echo "$URL" | sed 's/https/http/')
curl -sS -o /dev/null -w '%{http_code}\n' "$plain/v1/hello" 2>/dev/null
for version in tls1 tls1_1 tls1_2 tls1_3; do # the old ones are refused
  echo | openssl s_client -connect "${URL#https://}" -$version -cipher ALL:@SECLEVEL=0 >"$TMP/s_client" 2>&1
  echo "$version $(grep -c '^New, TLSv1' "$TMP/s_client")"
done
open "cpu -threads=1" --cacert "$TMP/cert"
r POST $S/tensors -d '{"bytes": 3000000}' --cacert "$TMP/cert"
head -c 3000000 /dev/urandom >"$TMP/data"
r PUT $S/tensors/1 --data-binary "@$TMP/data" --cacert "$TMP/cert"
curl -sS --cacert "$TMP/cert" -o "$TMP/back" "$URL/v1$S/tensors/1"
cmp "$TMP/data" "$TMP/back" && echo "the same"
r POST $S/kernels --data-binary "@$TMP/add.ir" --cacert "$TMP/cert"
r POST $S/launch -d '{"kernel": 1, "args": [{"t": 1}, {"t": 1}, {"f": "1"}, {"i": 9}], "times": 2}' \
  --cacert "$TMP/cert"
stop
"$MOONTILE" serve --port 0 --cert "$TMP/cert" 2>&1 | sed "s|$TMP|TMP|"
"$MOONTILE" serve --port 0 --cert "$TMP/none" --key "$TMP/key" 2>&1 | sed "s|$TMP|TMP|"
"$MOONTILE" serve --port 0 --cert "$TMP/key" --key "$TMP/cert" 2>&1 | sed "s|$TMP|TMP|"
