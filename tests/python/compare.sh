# The Lua forms of the programs here are what lib/to_lua.py makes of them, and CPython 3.11 prints what
# they are expected to print.  Skipped where there is no python3.11.
command -v python3.11 >/dev/null && python3.11 -c 1 2>/dev/null || { echo "no python3.11"; exit 77; }
export COLUMNS=80
for f in *.py; do
    n=${f%.py}
    python3.11 lib/to_lua.py "$f" 2>/dev/null | diff - "$n.lua" >/dev/null || echo "$n.lua is not what lib/to_lua.py makes"
    python3.11 "$f" 2>/dev/null | diff - "$n.out" >"$TMP/diff" && echo "$n: the same" || { echo "$n:"; cat "$TMP/diff"; }
done
