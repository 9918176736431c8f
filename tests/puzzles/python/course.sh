# Our course in Python: a folder of starters, the same words, a file in the other language beside.
small=$(cd ../course/lib/small && pwd)
cd "$TMP" || exit 1
run() { echo "\$ $*"; "$MOONTILE" -t sim puzzles "$@" 2>&1; echo "[exit $?]"; }
run init moon --lang python
ls moon | tr '\n' ' '; echo
sed -n '/^[a-z]/p' moon/.moontile-puzzles
cd moon || exit 1
cat 08-matmul.py
run run 5 | sed "/^  first/,/^  where/d; s|[0-9]* of \([0-9]* elements\)|N of \1|"
run hint row-sum >/dev/null; run hint row-sum >/dev/null; run hint row-sum
run solution 05-row-sum.py
run solution 5 --yes >answer.txt
grep -v '^\[exit\|^\$' answer.txt >05-row-sum.py
run run "$PWD/05-row-sum.py" --seed 1 | sed -n "s|$TMP|TMP|;/^[✓✗$[]/p"
run solution 5 | head -4
"$MOONTILE" puzzles text 13 | sed -n '/^## Your file/,/^## /p' | head -4
"$MOONTILE" puzzles text 13 --lang lua | grep -c 'do$'
sed -i 's/T.clear(sum)/T.cleer(sum)/' 05-row-sum.py
run run 5 | sed '/^More/d'
run --lang zh run 5 | sed '/^更多/d'
echo '--- a file in the other language'
run init ../lua | head -1
cd ../lua || exit 1
grep -v '^\[exit\|^\$' ../moon/answer.txt >05-row-sum.py
run run 5 --seed 1 | grep '^[✓✗$[]'
run list --json | grep -o '"[a-z]*/*05-row-sum.[a-z]*"'
sed -i 's/your turn/my turn/' 05-row-sum.lua
run run 5 --seed 1 | grep '^[✓✗$[]'
run reset 5
echo '--- languages change, packs have none'
cd ../moon || exit 1
run init . --lang lua | head -1
grep -c . .moontile-puzzles
cd .. || exit 1
run init other --lang ruby
run init other --lang python --from "$small" | sed "s|$small|SMALL|"
