# A pack made, published, fetched, played, replaced and taken away.
. lib/pack.sh
course "$TMP/course"
echo 'to be done' >"$TMP/course/notes.txt"
SUM=$(sum_of "$TMP/course" "$TMP/course.json")
puzzles pack "$TMP/course" -o "$TMP/course.json"
cp "$TMP/course.json" "$TMP/first.json"
puzzles pack "$TMP/course/" -o "$TMP/course.json" >"$TMP/again"
cmp "$TMP/course.json" "$TMP/first.json" && echo "the same bytes"
head -n 8 "$TMP/course.json" | cut -c 1-70
grep -c "$SUM" "$TMP/said"
serve "$TMP"
puzzles packs
puzzles get "$URL/plain/course.json"
echo "== again, with its hash in the address, on the command line, and beside it"
puzzles get "$URL/plain/course.json#sha256=$SUM"
puzzles get "$URL/plain/course.json" --sha256 "$SUM" | sed -n 3p
sha256sum "$TMP/course.json" >"$TMP/course.json.sha256"
puzzles get "$URL/plain/course.json" | sed -n 4p
puzzles get "$TMP/course.json" --json
find "$PACKS" -type f | brief | LC_ALL=C sort
brief <"$PACKS/course/pack.lock" | sed 's/^file [0-9a-f]*/file/'
echo "== used by its name"
tests=$PWD
cd "$HOME" || exit 1
puzzles init moon --from course
sed -n '/^from/p' moon/.moontile-puzzles
cp "$TMP/course/01-copy/solution.lua" moon/01-copy.lua
puzzles run copy --dir moon | head -n 4
puzzles list --dir moon
puzzles text 2 --from course | tail -n 4
echo ':puzzles course
:puzzle 1
:puzzles moontile' | "$MOONTILE" -i --lang en 2>&1 | grep -e '^   *0[12]  ' -e Packs -e 'Copy$' -e '22$' -e 'read it before'
echo "== another version: said, and not taken by itself"
cd "$tests" || exit 1
rm -r "$TMP/course"
course "$TMP/course" 1.1
echo "-- better" >>"$TMP/course/02-scale/starter.lua"
rm "$TMP/course/01-copy/after.zh.md" "$TMP/course.json.sha256"
SUM2=$(sum_of "$TMP/course" "$TMP/course.json")
puzzles get "$URL/plain/course.json"
echo "my own" >"$PACKS/course/notes.txt"
puzzles packs
puzzles get "$URL/plain/course.json" --replace
find "$PACKS" -name notes.txt -o -name 'after.zh.md' | brief
puzzles list --dir "$HOME/moon" | sed -n 2p
cmp "$HOME/moon/01-copy.lua" "$TMP/course/01-copy/solution.lua" && echo "the work is there"
echo "== into a folder"
puzzles get "$TMP/course.json" --to "$TMP/here/week1"
puzzles get "$TMP/course.json" --to "$HOME/moon"
echo "== taken away"
puzzles packs --json
puzzles remove course
puzzles remove course
puzzles list --dir "$HOME/moon"
head -n 1 "$HOME/moon/01-copy.lua"
L=zh puzzles packs
L=zh puzzles get "$TMP/course.json"
