# Sourced by the tests of this folder: a real server in a process of its own, on loopback.
# shellcheck shell=sh disable=SC2034

SERVER=
serve() { # serve [FLAGS]: starts one; sets URL and SERVER
    : >"$TMP/serve.out"
    "$MOONTILE" --lang en serve --port "${PORT:-0}" --log "$TMP/serve.log" "$@" >"$TMP/serve.out" 2>&1 &
    SERVER=$!
    n=0
    until grep -q 'listening on' "$TMP/serve.out"; do
        n=$((n + 1))
        if [ $n -gt 15000 ] || ! kill -0 $SERVER 2>/dev/null; then
            cat "$TMP/serve.out"
            exit 1
        fi
        sleep 0.02
    done
    URL=$(grep -o 'https*://[^ ]*' "$TMP/serve.out" | head -n 1)
    PORT=${URL##*:}
}

no_more() {
    [ -z "$SERVER" ] || kill -KILL "$SERVER" 2>/dev/null
    wait "$SERVER" 2>/dev/null || :
    SERVER=
}

brief() { sed -e "s/127\.0\.0\.1:$PORT/SERVER/g" -e "s/localhost:$PORT/SERVER/g" -e "s#$TMP#TMP#g"; }
trap no_more EXIT
