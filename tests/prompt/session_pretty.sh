# Results: aligned by what is seen, limited, coloured; layouts with their figure.
cd "$TMP" || exit 1
cat >in.txt <<'X'
:set width 40
local n = {} for i = 1, 30 do n[i] = i * 7 end
n
local w = {} for i = 1, 12 do w[i] = (i % 2 == 0) and "中文" or "ascii" end
w
{name = "名字", list = {1, 2, {3, {4, {5}}}}, f = 1.5, ok = true, [0] = "zero"}
local wide = {} for i = 1, 50 do wide["key" .. i] = i end
wide
{{1, 2}, {3, 4, x = {}}}
setmetatable({1, 2}, {__name = "named"}) == nil
tl.layout.cute("(4,4):(4,1)")
tl.layout.cute("(128,128):(128,1)")
tl.zeros({2, 2})
:set width auto
:set color 16
{1, -2.5, "中", true, {a = 1, ["b c"] = {}}}
n
:set color none
{1}
X
LC_ALL=C.UTF-8 "$MOONTILE" --lang en -i 2>&1 <in.txt | sed 's/\x1b/ESC/g'
