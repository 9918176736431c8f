# Sourced by the tests of this folder: a pack of two puzzles, a place for packs, a web server.
# shellcheck shell=sh disable=SC2034
export XDG_DATA_HOME="$TMP/data" XDG_STATE_HOME="$TMP/state" HOME="$TMP/home"
unset MOONTILE_TOKEN MOONTILE_TOKEN_FILE http_proxy https_proxy ALL_PROXY
mkdir -p "$HOME"
PACKS=$XDG_DATA_HOME/moontile/packs

# The same on every run: no ports, no folders of the run.
brief() {
    sed -e "s/127\.0\.0\.1:${PORT:-none}/SERVER/g" -e "s/localhost:${PORT:-none}/OTHER/g" -e "s#$TMP#TMP#g" \
        -e "s/${SUM:-none}/SUM/g" -e "s/${SUM2:-none}/SUM2/g" -e 's/[0-9]\{4,\} \(bytes\|字节\)/N \1/g' \
        -e 's/(sha256 [0-9a-f]\{12\})/(sha256 ..)/; s/（sha256 [0-9a-f]\{12\}）/（sha256 ..）/'
}

# What it says, brief, and how it ended.
puzzles() {
    echo "\$ $*" | brief
    "$MOONTILE" --lang "${L:-en}" puzzles "$@" >"$TMP/said" 2>&1 </dev/null
    code=$?
    brief <"$TMP/said"
    echo "[exit $code]"
}

# course: a folder of puzzles that can be packed, from the small one of ../track
course() { # course FOLDER [VERSION]
    cp -r ../course/lib/small "$1"
    rm -r "$1/03-sum"
    sed -e 's/, "03-sum"//' -e "s/^return {/&\n  name = \"course\", version = \"${2:-1.0}\", license = \"CC0-1.0\",\n\
  title = {en = \"Two small ones\", zh = \"两道小题\"},/" ../course/lib/small/index.lua >"$1/index.lua"
}

sum_of() { # the hash that `pack` prints
    "$MOONTILE" puzzles pack "$1" -o "$2" --json | sed -n 's/.*"sha256": "\([0-9a-f]*\)".*/\1/p'
}

# What is there: every file's name and hash.
state() { (cd "$PACKS" 2>/dev/null && find . -type f | LC_ALL=C sort | xargs sha256sum); }

SERVER=
serve() { # serve FOLDER: sets URL, PORT, SERVER
    [ -x "$TMP/web_server" ] || ${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -o "$TMP/web_server" lib/web_server.c \
        -pthread 2>"$TMP/cc.log" || { echo "no C compiler"; exit 77; }
    rm -f "$TMP/port"
    "$TMP/web_server" "$1" "$TMP/port" "$TMP/log" &
    SERVER=$!
    trap 'kill $SERVER 2>/dev/null; wait $SERVER 2>/dev/null || :' EXIT
    n=0
    until [ -s "$TMP/port" ]; do
        n=$((n + 1))
        [ $n -lt 6000 ] || { echo "no server"; exit 1; }
        sleep 0.02
    done
    PORT=$(cat "$TMP/port")
    URL=http://127.0.0.1:$PORT
}
