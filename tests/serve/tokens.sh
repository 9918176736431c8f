# Tokens: made, listed, removed; who may what; where a server may listen.
. ./lib/serve.sh
F="$XDG_CONFIG_HOME/moontile/tokens"
names() { sed 's/[0-9-]*T[0-9:]*Z/DATE/; s/ *$//'; }
echo "--- making"
ann=$("$MOONTILE" serve token ann 2>"$TMP/said")
sed "s|$XDG_CONFIG_HOME|CONFIG|" "$TMP/said"
teacher=$("$MOONTILE" serve token bob --teacher 2>/dev/null)
echo "$ann" | grep -Ec '^mt_[a-z2-9]{45}$'
[ "$ann" != "$teacher" ] && echo "they differ"
"$MOONTILE" serve token ann
"$MOONTILE" serve token "a b"
"$MOONTILE" serve token
"$MOONTILE" serve token x --admin
"$MOONTILE" --lang zh serve token ann
"$MOONTILE" serve token --list | names
stat -c '%a' "$F"
grep -c "$ann" "$F"
sed 's/[0-9a-f]\{64\}/HASH/' "$F" | names
echo "--- asking"
start
r GET /hello
r GET /hello -H "Authorization: Bearer $ann" | cut -c 1-20
r GET /hello -H "Authorization: bearer  $ann" | cut -c 1-20
r GET /hello -H "Authorization: Bearer ${ann}x"
r GET /hello -H "Authorization: Bearer ${ann%?}"
r GET /hello -H "Authorization: Bearer "
r GET /hello -H "Authorization: Basic $ann"
r GET /nothing
curl -sS -D - -o /dev/null "$URL/v1/hello" | grep -i '^WWW-Auth' | tr -d '\r'
A="Authorization: Bearer $ann" B="Authorization: Bearer $teacher"
r GET /status -H "$A"
open "cpu -threads=1" -H "$A"
r GET /status -H "$B" | sed 's/_s": [0-9.]*/_s": ../g; s/"requests": [0-9]*/"requests": ../;
  s/"connections": [0-9]*/"connections": ../g'
echo "--- another's session"
r POST $S/tensors -d '{"bytes": 4}' -H "$B"
r DELETE $S -H "$B"
r POST $S/tensors -d '{"bytes": 4}' -H "$A"
echo "--- removed while the server runs"
"$MOONTILE" serve token --remove ann
gone() { r GET /hello -H "$A" | grep -q 401; }
wait_for gone
echo "ann is gone"
closed() { grep -q '"what": "session closed", "outcome": "revoked"' "$TMP/log"; }
wait_for closed
"$MOONTILE" serve token --remove ann
carol=$("$MOONTILE" serve token carol 2>/dev/null)
here() { r GET /hello -H "Authorization: Bearer $carol" | grep -q 200; }
wait_for here
echo "carol is here"
echo "--- the last one goes: nobody comes in, and not everybody"
for n in $("$MOONTILE" serve token --list | cut -d ' ' -f 1); do
  "$MOONTILE" serve token --remove "$n"
done
none() { r GET /hello -H "Authorization: Bearer $carol" | grep -q 401; }
wait_for none
r GET /hello
mv "$F" "$F.away"
r GET /hello
mv "$F.away" "$F"
"$MOONTILE" serve token dave >/dev/null 2>&1
stop
cat "$F" "$TMP/log" | grep -c -e "$ann" -e "$teacher" -e "$carol"
echo "--- where to listen"
"$MOONTILE" serve --port 0 --bind 0.0.0.0 --token-file "$TMP/none"
echo "status $?"
"$MOONTILE" serve --port 0 --bind 0.0.0.0 --token-file "$TMP/none" --lang zh
start --bind 0.0.0.0
cat "$TMP/address" | sed 's/:[0-9]*$/:PORT/'
stop
chmod 644 "$F"
"$MOONTILE" serve --port 0 2>&1 | sed "s|$XDG_CONFIG_HOME|CONFIG|"
chmod 600 "$F"
echo "nonsense" >>"$F"
"$MOONTILE" serve --port 0 2>&1 | sed "s|$XDG_CONFIG_HOME|CONFIG|"
