# Messages keep to the terminal: a long line of code is cut around what is wrong, a label that
# does not fit stands below the carets, the gutter takes less than a quarter.
cd "$TMP" || exit
lib=$OLDPWD/lib
cat >long.lua <<'END'
local before = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, tl.zeros({2}, "nope") -- 中文注释中文注释中文注释中文注释中文注释中文注释
END
cat >label.lua <<'END'
tl.zeros({2, 3}):reshape({4, 5, 6, 7, 8, 9, 10})
END
. "$lib/terminal.sh"
for w in 80 40 28; do
    WIDTH=$w
    for f in long label; do
        STARTED_FROM="sh -c 'cd $TMP; exec $MOONTILE --lang en $f.lua'"
        start
        wait_for '[exit 1]'
        part "$f at $w" | sed '/^\[exit/d; /icanon/d'
        stop
    done
done
