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
