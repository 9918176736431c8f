# Two runs of the tests in one build folder: the second says who is there.  A lock whose process
# is gone, or is no test run, holds nobody up.
cd ../..
mkdir "$TMP/b"
ln -s "$MOONTILE" "$TMP/b/moontile"
run() {
    "$MOONTILE" tests/run.lua "$TMP/b" program/status.out 2>&1 | sed -e "s#$TMP#TMP#g" -e "s/pid $pid)/pid N)/"
    test -L "$TMP/b/test.lock" && echo "locked"
}
pid=none
run
echo "== while another runs"
tail -f tests/run.lua >/dev/null & # its command line has the name
pid=$!
ln -s $pid "$TMP/b/test.lock"
run
echo "== behind one that was killed"
kill $pid
wait $pid 2>/dev/null
run
echo "== of a process that is no test run"
ln -s $$ "$TMP/b/test.lock"
run
