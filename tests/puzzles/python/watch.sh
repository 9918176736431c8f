# Puzzle 8 in Python in the watch mode: text, hints, a wrong kernel, a right one, the solution.
. ../../program/lib/terminal.sh
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --lang python >init.txt || exit 1
cd moon || exit 1
echo 'current matmul' >>.moontile-puzzles
now() { echo "--- $1"; screen | grep "$2" | sed "s|[0-9]* of \([0-9]* elements\)|N of \1|"; }
WIDTH=100 HEIGHT=34 start -t sim puzzles
wait_for 'Matrix products'; keys t; keys G; wait_for '08-matmul.py'
now 'the text' '08-matmul.py'
cp 08-matmul.py starter.py
sed -i 's/T.clear(sum)/T.cler(sum)/' 08-matmul.py; wait_for 'check 1,'
now 'a name that is not there' 'cler'
keys h; wait_for 'Hint 1 of 4'; keys h; wait_for 'Hint 2 of 4'; keys h; wait_for 'Hint 3 of 4'
keys h; wait_for 'Hint 4 of 4'; keys G; wait_for 'T.reduce_sum(prod, sum, 1, False)'
now 'a hint' 'astype\|reduce_sum'
"$MOONTILE" puzzles solution 8 --yes >"$TMP/solution.py"
sed 's/T.reduce_sum(prod, sum, 1, False)/T.reduce_sum(prod, sum, 1)/' "$TMP/solution.py" >08-matmul.py; wait_for 'is wrong'
now 'a wrong kernel' '^✗\|gemm_naive'
cp "$TMP/solution.py" 08-matmul.py; wait_for 'right.'
now 'right' 'right.'
keys s; wait_for 'def gemv'
now 'the solution' 'def gemv'
keys r; wait_for 'y/N'; keys y; wait_for 'is now in 08-matmul.py.old'
cmp 08-matmul.py starter.py && cmp 08-matmul.py.old "$TMP/solution.py" && echo 'reset'
keys q; wait_for icanon; stop
