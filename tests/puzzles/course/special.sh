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

# The file of the progress, and the places to which reset writes, are the learner's too: what
# is no plain file there is not read, and nothing behind a link is changed.
cd .. && rm -rf moon && "$MOONTILE" puzzles init moon --from "$small" >init.txt && cd moon || exit 1
file=.moontile-puzzles
case $MOONTILE in */san/*) most=unlimited ;; *) most=4000000 ;; esac # sanitizers map terabytes
every() {
    echo "--- the progress is $1"
    for c in list 'run copy -t sim' 'check-all -t sim' 'reset copy'; do
        # shellcheck disable=SC2086  # words of the command
        (ulimit -v $most && timeout 300 "$MOONTILE" puzzles $c) 2>&1 </dev/null | head -n 1
    done
    rm -rf "$file"
}
rm "$file"; mkfifo "$file"; every 'a pipe'
ln -s /dev/zero "$file"; every 'a link to a device'
echo mine >../other; ln -s ../other "$file"; every "a link to somebody's file"; cat ../other
truncate -s 3G "$file"; every 'three gigabytes'
mkdir "$file"; every 'a folder'
echo '--- reset over links'
echo mine >../other; ln -s ../other 01-copy.lua.old; echo 'x = 1' >01-copy.lua
"$MOONTILE" puzzles reset copy; cat ../other; rm 01-copy.lua.old
rm 01-copy.lua; ln -s ../other 01-copy.lua
"$MOONTILE" puzzles reset copy; cat ../other
[ -L 01-copy.lua ] && echo still a link
