# run, check-all, hint, text, solution and reset, their exit statuses and --json.
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
run() { echo "\$ $*" | sed "s|$TMP|TMP|"; "$MOONTILE" puzzles "$@" 2>&1; echo "[exit $?]"; }
run_all() { run "$@" | sed 's/[0-9]* of 40 elements/N of 40 elements/'; }
brief() { sed 's/[0-9]* of 40 elements/N of 40 elements/' | grep -e '^[$✓✗[]' -e '^  [✓✗·]' -e '^Next' -e '^More hints' -e '^All' -e '^#'; }
run run | brief
run run --json | sed -n 's/.*"ok": \([a-z]*\), "outcome": "\([a-z]*\)".*/\1 \2/p'
cp "$small/01-copy/solution.lua" 01-copy.lua
run run 01-copy.lua | brief
run run 1 | brief
sed 's/A\[bx \* 32 + i\] \* 3/A[bx * 32 + i] * 5/' "$small/02-scale/solution.lua" >02-scale.lua
run run | brief
run run scale --part fourfold | brief
run hint
run hint
run hint 2
run hint 2 --part fourfold --json
run hint 2 --part none
run_all check-all
cp "$small/02-scale/solution.lua" 02-scale.lua
run run "$PWD/02-scale.lua" | brief
run solution sum
run solution sum --yes | head -n 3
cp "$small/03-sum/solution.lua" 03-sum.lua
run run | brief
run_all check-all
run check-all --json | grep -o '"puzzle": "[a-z]*"'
run list
run text copy --after
run reset copy
run reset copy
ls
rm 03-sum.lua
run run sum
run_all check-all
echo 'this is no Lua' >02-scale.lua
run run scale | brief
sed "s|$small|SMALL|" .moontile-puzzles | tail -n +4
echo '--- without a C compiler'
unset CC
mkdir "$TMP/bin"
cp "$small/01-copy/solution.lua" 01-copy.lua
PATH=$TMP/bin "$MOONTILE" puzzles run copy 2>&1 | /usr/bin/head -n 3
PATH=$TMP/bin "$MOONTILE" puzzles run copy -t cpu 2>&1 | /usr/bin/head -n 4
PATH=$TMP/bin "$MOONTILE" puzzles check-all 2>&1 | /usr/bin/tail -n 1
echo '--- with one that takes nothing'
printf '#!/bin/sh\nexit 3\n' >"$TMP/bin/cc"
chmod +x "$TMP/bin/cc"
PATH=$TMP/bin "$MOONTILE" puzzles run copy 2>&1 | /usr/bin/head -n 3
