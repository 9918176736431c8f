# Each example's kernels as TileLang Python: it parses, and these are the words it uses.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
HERE=$(pwd)
cd ../..
mkdir "$TMP/py"
for f in lua/examples/*.lua; do
    [ "$f" = lua/examples/frame.lua ] && continue
    "$MOONTILE" --lang en "$HERE/lib/kernels.lua" "$f" "$TMP/py" 2>&1
done
python3 "$HERE/lib/parse.py" "$TMP"/py/*.py
