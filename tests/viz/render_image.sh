# A program that draws SVG takes ours, at the size that it says.
command -v rsvg-convert >/dev/null || { echo "rsvg-convert is not installed"; exit 77; }
cat >"$TMP/f.lua" <<'END'
local viz = require "moontile.viz"
local f = viz.figure('a <title> & "more"', "source")
f:row():grid{rows = 8, cols = 8, format = "T%d", values = {(function()
  local t = {}
  for i = 1, 64 do
    t[i] = i
  end
  return t
end)()}, hues = 3, marks = {1}, gap_rows = 4, caption = "中文"}
f:bars{{label = "a", value = 2, low = 1, high = 3}}
f:row():track{rows = {{label = "a", spans = {{0, 1, "s", 1}}, marks = {{0.5, "<"}}}}}
f:row():curve{lines = {{points = {{0, 1}, {1, 2}}, label = "l"}}, points = {{0.5, 1.5, label = "p"}}}
f:row():table{head = {"a"}, rows = {{1}}}:row():legend{{label = "l"}}:row():text("t")
io.write(f:render{format = "svg"})
END
"$MOONTILE" "$TMP/f.lua" >"$TMP/f.svg" && rsvg-convert "$TMP/f.svg" -o "$TMP/f.png" || exit 1
# width and height in the head of the picture, and what the SVG says
set -- $(od -An -j16 -N8 -tu1 "$TMP/f.png")
echo "$(($3 * 256 + $4)) $(($7 * 256 + $8))"
sed -n 's/.*width="\([0-9]*\)" height="\([0-9]*\)" viewBox="0 0 \1 \2".*/\1 \2/p' "$TMP/f.svg"
