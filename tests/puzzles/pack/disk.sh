# A pack that does not fit on the disk, a program that is killed while it writes: what was
# there is there, and the next run clears up.
. lib/pack.sh
course "$TMP/course"
SUM=$(sum_of "$TMP/course" "$TMP/course.json")
"$MOONTILE" puzzles get "$TMP/course.json" >/dev/null
state >"$TMP/before"
course "$TMP/next" 2.0
i=0
while [ $i -lt 4000 ]; do echo "-- a long starter, line $i"; i=$((i + 1)); done >>"$TMP/next/02-scale/starter.lua"
SUM2=$(sum_of "$TMP/next" "$TMP/next.json")
left() { find "$PACKS" -maxdepth 1 -name '.*' | sed "s#$PACKS/##; s/[0-9a-f]\{16\}\$/NEW/"; }
echo "== the disk is full"
(trap '' XFSZ; ulimit -f 64; puzzles get "$TMP/next.json" --replace | tail -n 3)
state | cmp "$TMP/before" - && left
echo "== killed in the middle: what is left then"
mkdir "$PACKS/.moontile-new-fedcba9876543210"
cp "$TMP/next/index.lua" "$PACKS/.moontile-new-fedcba9876543210"
left
(cd "$PACKS/course" && find . -type f | LC_ALL=C sort | xargs sha256sum) >"$TMP/now"
sed 's#\./course/#./#' "$TMP/before" | cmp "$TMP/now" - && echo "the old one is whole"
"$MOONTILE" puzzles packs | head -n 1
"$MOONTILE" puzzles init "$TMP/moon" --from course >/dev/null && "$MOONTILE" puzzles list --dir "$TMP/moon" | tail -n 1
echo "== the next one clears up"
puzzles get "$TMP/next.json" --replace | sed -n '$p'
left
"$MOONTILE" puzzles packs | head -n 1
echo "== killed before the old one was cleared away: what was added to it is kept"
mv "$PACKS/course" "$PACKS/.moontile-new-0123456789abcdef"
echo mine >"$PACKS/.moontile-new-0123456789abcdef/mine.txt"
"$MOONTILE" puzzles get "$TMP/course.json" >/dev/null
left
cat "$PACKS/.kept-unknown-1/mine.txt"
echo "== where exchanging is two steps, killed between them"
mv "$PACKS/course" "$PACKS/.moontile-old-course"
puzzles get "$TMP/next.json" | sed -n '4,5p'
left
"$MOONTILE" puzzles packs | head -n 1
echo "== no place to write"
: >"$TMP/file"
XDG_DATA_HOME=$TMP/file puzzles get "$TMP/next.json" | tail -n 2
