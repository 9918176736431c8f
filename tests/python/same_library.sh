# Modules of CPython's library, where they are installed: the trees are CPython's.
. lib/tool.sh
. lib/cpython.sh
library=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
[ -f "$library/ast.py" ] || { echo "needs the library of python3"; exit 77; }
for m in argparse ast bisect calendar cmd copy csv dataclasses enum fractions functools heapq inspect json/decoder random \
    statistics string textwrap this token traceback typing; do
    [ ! -f "$library/$m.py" ] || echo "$library/$m.py"
done >"$TMP/list"
xargs <"$TMP/list" python3 lib/tree.py "$READER" files >"$TMP/said" && echo same || cat "$TMP/said"
