# README.md's pictures are what the program draws (`make pictures` draws them anew).
"$MOONTILE" ../../layout_viz/pictures/draw.lua "$TMP" >/dev/null || exit 1
for name in fragment swizzle; do
    cmp -s "$TMP/$name.svg" ../../layout_viz/pictures/$name.svg && echo "$name is as drawn" || echo "$name differs"
    grep -q "layout_viz/pictures/$name.svg" ../../README.md || echo "README.md does not show $name"
done
