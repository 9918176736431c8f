# CPython 3.11 prints what the programs here are expected to print.  Skipped where there is no python3.11.
command -v python3.11 >/dev/null && python3.11 -c 1 2>/dev/null || { echo "no python3.11"; exit 77; }
export COLUMNS=80
for f in *.py; do
    n=${f%.py}
    python3.11 "$f" 2>/dev/null | diff - "$n.out" >"$TMP/diff" && echo "$n: the same" || { echo "$n:"; cat "$TMP/diff"; }
done
