# The progress file: what we do not know stays, a full disk loses nothing, two programs at
# once write what both know.
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
keep() { sed -n "s|$small|SMALL|; 4,\$p" .moontile-puzzles; }
echo '--- what is not known stays, what makes no sense too'
cat >>.moontile-puzzles <<'E'
done gone-puzzle 2/3
done sum
done scale 3/x
mood good
hints sum sum many
E
"$MOONTILE" puzzles hint sum >hint.txt
"$MOONTILE" puzzles list
keep
echo '--- a current puzzle that is not there'
printf 'from %s\ncurrent gone\r\n' "$small" >.moontile-puzzles
"$MOONTILE" puzzles list
echo '--- without the file'
rm .moontile-puzzles
"$MOONTILE" puzzles list | grep -q '02 .*no file' && echo 'taken for one of ours'
echo '--- a full disk'
"$MOONTILE" puzzles init "$TMP/moon" --from "$small" >"$TMP/init.txt" || cat "$TMP/init.txt"
cp .moontile-puzzles before
(trap '' XFSZ; ulimit -f 0; "$MOONTILE" puzzles hint copy 2>&1; echo "[exit $?]") | cat
cmp before .moontile-puzzles && ls -A
echo '--- nine at once'
for name in copy scale sum; do
    "$MOONTILE" puzzles hint $name >/dev/null &
    "$MOONTILE" puzzles text $name >/dev/null &
    "$MOONTILE" puzzles solution $name --yes >/dev/null &
done
wait
keep
ls -A
echo '--- the folder of the puzzles is gone'
sed -i 's|^from .*|from /nowhere/at/all|' .moontile-puzzles
"$MOONTILE" puzzles list; echo "[exit $?]"
