# A folder of one's own: made once, never overwritten; names, lists and wrong usage.
small=$PWD/lib/small
cd "$TMP" || exit 1
run() { echo "\$ $*" | sed "s|$small|SMALL|"; "$MOONTILE" puzzles "$@"; echo "[exit $?]"; }
run init moon/first --from "$small"
find moon -type f | LC_ALL=C sort
sed "s|$small|SMALL|" moon/first/.moontile-puzzles
echo 'mine = 1' >moon/first/01-copy.lua
rm moon/first/03-sum.lua
run init moon/first --from "$small"
cat moon/first/01-copy.lua
run init moon/first --from "$small"
run init moon/first 2>&1 | sed "s|$small|SMALL|"
cd moon/first || exit 1
run list
run list --json | sed "s|$small|SMALL|"
cd "$TMP" || exit 1
run list
run --dir moon/first list | head -n 2
run init
run init a b
run lst
run list --dri moon
run list --dir
run list extra
run run --seed soon
run init other --from nowhere
run --dir moon/first text cop
run --dir moon/first text 9
run --dir nowhere list
cp -r "$small" broken && echo 'return {puzzles = {"01-copy"}, name = io.open "x"}' >broken/index.lua
run init new --from broken
cp "$small/index.lua" broken
sed -i 's/return {B = .*} end/error "oops" end/' broken/01-copy/puzzle.lua
run init new --from broken | head -n 1
cp "$small/01-copy/solution.lua" new/01-copy.lua
run --dir new run copy
run -h | head -n 3
