# The script for public corpora, on a small one of our own: each class of failure, in all three modes.
run() {
    "$MOONTILE" ../corpus.lua lib/made -j 1 "$@" 2>&1
    echo "exit status $?"
}
echo "== lower"
run -s 5
echo "== simulator"
run -m sim good.py
echo "== run"
run -m run good.py no_kernels.py
echo "== wrong"
run -m fast 2>&1 | head -1
"$MOONTILE" ../corpus.lua 2>&1 | head -1

echo "== kept, in a folder that is made and in one that has another run's results"
dir=$(mktemp -d)
run -o "$dir/new/kept" refused.py | head -1
echo "$dir"/new/kept/1.* | wc -w
printf 'read\tE1030\tpysyn_stmt\told.py:1\told\n' | tee "$dir/new/kept/2.report" >"$dir/new/kept/1.report"
run -o "$dir/new/kept" refused.py | head -1
test -e "$dir/new/kept/2.report" && echo "an old result is still there"
rm -r "$dir"

echo "== a suite, whose tests make its kernels"
"$MOONTILE" ../corpus.lua lib/suite_made -m suite -j 1 2>&1
"$MOONTILE" ../corpus.lua lib/suite_made -m suite -j 1 test_wrong 2>&1 | grep -m 2 kernels
