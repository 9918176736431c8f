# python3 of the version whose trees the reader makes; other versions place some nodes elsewhere.
python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || { echo "needs python3 of version 3.11"; exit 77; }
compare() { python3 lib/tree.py "$READER" "$@" >"$TMP/said" && echo same || { echo "$*"; cat "$TMP/said"; }; }
