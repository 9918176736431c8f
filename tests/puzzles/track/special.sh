# A solution that is no plain file is rejected with a reason, followed nowhere, and holds
# nobody up.
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
echo a-secret-line >../other
try() {
    echo "--- $1"
    timeout 300 "$MOONTILE" puzzles run copy -t cpu 2>&1 | grep -e '^✗' -e 'plain file' -e secret
    timeout 300 "$MOONTILE" puzzles check-all -t cpu 2>&1 | grep '^01'
    rm -rf 01-copy.lua
}
rm 01-copy.lua; mkfifo 01-copy.lua; try 'a pipe'
ln -s /dev/zero 01-copy.lua; try 'a link to a device'
ln -s ../other 01-copy.lua; try "a link to somebody's file"
mkdir 01-copy.lua; try 'a folder'
head -c 3000000 /dev/zero >01-copy.lua; try 'three megabytes'
"$MOONTILE" puzzles run copy --lang zh 2>&1 | head -n 3
