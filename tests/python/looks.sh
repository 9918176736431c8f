# Is a text Python or Lua?  Cases, and all texts of the tree in Lua; in tests/wrong are some in Python.
. lib/tool.sh
"$READER" ask lib/looks.txt
cd ../.. || exit 1
find lua layout_viz repl puzzles tests -name '*.lua' -type f | LC_ALL=C sort | xargs "$READER" looks | grep '^yes'
