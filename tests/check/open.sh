# What the checks cannot decide is said once, where nothing decides it at run time.
for f in races init decided loops workspaces; do
    for t in cpu sim; do
        echo "== $f, $t"
        "$MOONTILE" --lang en -t $t lib/open/$f.lua 2>&1
    done
done
echo "== zh"
for f in races init; do "$MOONTILE" --lang zh -t cpu lib/open/$f.lua 2>&1; done
echo "== cuda"
"$MOONTILE" -t "cuda -arch=sm_90a" compile lib/open/init.lua --emit cuda -o "$TMP/o" 2>&1 >"$TMP/files" | grep note
echo "== explain"
"$MOONTILE" --lang en explain lib/open/races.lua 2>/dev/null | grep -A1 "whether"
"$MOONTILE" --lang zh explain lib/open/races.lua 2>/dev/null | grep -A1 "各块"
for f in unwritten written scalars rounds; do
    echo "== $f"
    "$MOONTILE" --lang en -t cpu lib/open/$f.lua 2>&1 | grep -E "^==|^$|E[0-9]+\]|\^" | grep -vE "E677|highest index|single threads"
done
"$MOONTILE" --lang zh -t cpu lib/open/unwritten.lua 2>&1 | grep -E -m 6 -A3 "E82[5-7]"
