# The watch mode: every way of saving is judged, the keys do what they say, and the terminal
# is given back.
. ../../program/lib/terminal.sh
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
right() { cp "$small/$1/solution.lua" "$1.lua"; }
now() { # what the judge measures is not ours to test
    echo "--- $1"
    screen | sed -e 's/[0-9]* ms/N ms/' -e '/^ *\(bytes\|first\|where\|looks\|writer\|column\|a cell\)/d' \
        -e '/^For what/,/^Hint 1/{/^Hint 1/!d}' -e 's/^\(✗ [a-z]*\).*/\1/' \
        -e '/^ *[0-9#.][ 0-9#.]*$/d' -e '/tenths wrong/d' -e '/^hint: /d' -e '/^ *[a-z]*, N = /d'
}
WIDTH=100 HEIGHT=30 start puzzles
wait_for 'Three small puzzles'
now 'the first words'
sed -i 's/= 0$/= A[i]/' 01-copy.lua; wait_for 'check 1,'   # a new file in its place
now 'a wrong kernel'
keys n; wait_for 'n works once'
keys h; wait_for 'Hint 1 of 4'; keys h; wait_for 'Hint 2 of 4'
now 'two hints'
right 01-copy; wait_for 'check 2,'; wait_for 'One load'     # in place
now 'right'
rm 01-copy.lua; wait_for 'There is no file'
keys r; wait_for 'y/N'; keys x; wait_gone 'y/N'; [ -e 01-copy.lua ] && echo 'reset without y'
keys r; wait_for 'y/N'; keys y; wait_for 'the same place'
cmp 01-copy.lua "$small/01-copy/starter.lua"
: >01-copy.lua; sleep 0.1; right 01-copy; wait_for 'right.'    # in two steps
keys r; wait_for 'y/N'; keys y; wait_for 'is now in 01-copy.lua.old'
cmp 01-copy.lua.old "$small/01-copy/solution.lua"
keys Enter; wait_for 'is wrong'; keys v; keys t; wait_for 'the same place'
keys n; wait_for 'Twice is given'
right 02-scale; wait_for 'right.'; keys c; wait_for '02 scale             right'; now 'check all'
keys n; wait_for 'Line 3'; keys G; wait_for 'Line 30'; keys g; wait_gone 'Line 30'
keys s; wait_for 'It will be recorded'; keys n; wait_gone 'It will be recorded'
keys s; wait_for 'It will be recorded'; keys y; wait_for '* 2 + 1'
now 'a solution'
paste 'sum = 1\nq\n'; keys '?'; wait_for 'quits; everything'
right 03-sum; wait_for 'right.'; keys n; wait_for 'All three are solved'
now 'the last words'
keys z; wait_for "no key 'z'"
keys C-c; wait_for 'q quits'; keys C-c; wait_for icanon
screen
stop
echo "--- another puzzle's file"
sed -i '/^done/d; s/^current .*/current copy/' .moontile-puzzles
cp "$small/01-copy/starter.lua" 01-copy.lua
start puzzles; wait_for 'Puzzle 1 of 3'
right 03-sum; wait_for '] 1/3'; now 'saved beside it'
sed 's/+ 1/+ 2/' "$small/02-scale/solution.lua" >x; mv x 02-scale.lua; wait_for '02-scale.lua   check 1'
echo "--- three files at once"
sed -i '/^done/d' .moontile-puzzles
right 02-scale; right 03-sum; right 01-copy; wait_for '] 3/3'; wait_for '01-copy.lua   check 1'
keys q; wait_for icanon; stop
cp "$small/01-copy/starter.lua" 01-copy.lua; right 02-scale
echo '--- in Chinese, on a small terminal without colours'
sed -i '/^read\|^done/d; s/^current .*/current copy/' .moontile-puzzles
WIDTH=60 HEIGHT=20 NO_COLOR=1 start --lang zh puzzles
wait_for '您好'; part 'text'; keys ' '; wait_for '相关'; part 'scrolled'
keys h; wait_for '提示 1/4'; part 'hint'
keys '?'; wait_for '退出，一切'; part 'keys'; keys l; wait_for '状态'; part 'list'
keys q q; wait_for icanon; screen
tail -n +4 .moontile-puzzles | sed "s|$small|SMALL|"
