# Generated programs print in moontile what they print in CPython, exceptions too.  More of them: tests/README.md.
. lib/cpython.sh
export PYTHONDONTWRITEBYTECODE=1
python3 lib/same.py "$MOONTILE" 1 12 2>"$TMP/tally" && echo same
