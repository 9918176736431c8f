# Odd texts, whose trees are CPython's, with all places.
. lib/tool.sh
. lib/cpython.sh
compare cases lib/odd.txt
