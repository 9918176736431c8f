# Generated programs, and such with tokens out of place: the trees are CPython's, and so is what is refused.
. lib/tool.sh
. lib/cpython.sh
compare made 1 300
compare broken 1 1500 lib/odd.txt
