# Where the token comes from, where it goes, and where it does not.
. lib/bad.sh
bad good
printf 'zq7token\n' >"$TMP/token"
run() {
    echo "== $*" | brief
    : >"$TMP/log"
    "$MOONTILE" --lang en "$@" lib/twice.lua 2>&1 | brief
    sort "$TMP/log" | sed 's#^[A-Z]* [^ ]*##' | sort -u
}
run --connect "$URL"
run --connect "$URL" --token-file "$TMP/token"
MOONTILE_TOKEN_FILE="$TMP/token" run -t "remote -url=$URL -on=cpu"
MOONTILE_TOKEN=zq7token run --connect "$URL"
MOONTILE_TOKEN='two words' run --connect "$URL"
: >"$TMP/empty"
run --connect "$URL" --token-file "$TMP/empty"
run --connect "$URL" --token-file "$TMP/none"
echo "== it stands nowhere"
cat >"$TMP/where.lua" <<'END'
tl.connect(os.getenv "URL", {token_file = os.getenv "TMP" .. "/token"})
local c = tl.connection()
print(c.target, tl.current_device(), c)
print(pcall(tl.connect, "http://zq7token@127.0.0.1:1"))
print(pcall(tl.connect, "http://127.0.0.1:1/?token=zq7token"))
END
URL=$URL "$MOONTILE" --lang en "$TMP/where.lua" 2>&1 | brief
grep -c zq7 "$TMP/log"
echo "== without TLS it does not leave this machine"
cat >"$TMP/plain.lua" <<'END'
for _, url in ipairs {"http://192.0.2.1:8411", "https://192.0.2.1:8411"} do
  local ok, e = pcall(tl.connect, url, {insecure = url:find "^https" ~= nil})
  print(ok, e)
end
END
MOONTILE_TOKEN=zq7token "$MOONTILE" --lang en "$TMP/plain.lua"
