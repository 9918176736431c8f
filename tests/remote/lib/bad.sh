# Sourced by the tests of this folder: a server that is sound but for one thing.
# shellcheck shell=sh disable=SC2034

${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -o "$TMP/bad_server" lib/bad_server.c -pthread \
    2>"$TMP/cc.log" || { echo "no C compiler"; exit 77; }

# Waits until a file has a line that matches.
wait_line() { # wait_line FILE PATTERN
    n=0
    until grep -q "$2" "$1" 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 6000 ] || { echo "no '$2' in $1"; exit 1; }
        sleep 0.02
    done
}

bad() { # bad MODE: starts one; sets URL and SERVER
    rm -f "$TMP/port" "$TMP/log"
    "$TMP/bad_server" "$1" "$TMP/port" "$TMP/log" &
    SERVER=$!
    wait_line "$TMP/port" .
    PORT=$(cat "$TMP/port")
    URL=http://127.0.0.1:$PORT
}

no_more() {
    kill "$SERVER" 2>/dev/null
    wait "$SERVER" 2>/dev/null || :
}

# The same on every run: no ports, no times.
brief() { sed -e "s/127\.0\.0\.1:$PORT/SERVER/g" -e "s#$TMP#TMP#g"; }
trap no_more EXIT
