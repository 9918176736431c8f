# A tree of all that there is, f-strings of Python 3.12 among it, which CPython 3.11 does not take.
. lib/tool.sh
"$READER" tree lib/all.py
