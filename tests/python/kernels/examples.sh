# The examples in Python run as they are, and say what their twins in Lua say.
dir=$(cd ../../../lua/examples && pwd)
for f in "$dir"/*.py; do
    n=$(basename "$f" .py)
    "$MOONTILE" --lang en "$f" small >"$TMP/py" 2>"$TMP/err" || { echo "$n: exit status $?"; head -5 "$TMP/err"; }
    grep -c agree "$TMP/py" | sed "s/^/$n: cases that agree: /"
done
