# `moontile help --all`: Markdown of everything, complete, the same from run to run.
: "${TMP:?}"
cd "$TMP" || exit
for lang in en zh; do
    "$MOONTILE" --lang $lang help --all >$lang.md || echo "status $?"
    "$MOONTILE" --lang $lang help --all | cmp - $lang.md
    sed -n 1,5p $lang.md
    grep '^## ' $lang.md
done
# the same headings in both, nothing twice, every name there
grep '^### `' en.md >en.names
grep '^### `' zh.md | cmp - en.names
sort en.names | uniq -d
cat >names.lua <<'X'
local help = require "moontile.help"
local text = io.open("en.md"):read "a"
local n = 0
for _, r in ipairs(help.list()) do
  n = n + 1
  local head = r.kind == "topic" and ("\n### %s: "):format(r.name) or ("\n### `%s`\n"):format(r.name)
  if not text:find(head, 1, true) then
    print("missing", r.name)
  end
end
print(n > 500 and "more than 500 names" or n)
X
"$MOONTILE" names.lua
# fences are closed, no blanks at line ends, one empty line at a time
for lang in en zh; do
    awk '/^```/ { n++ } /[ \t]$/ { print FILENAME ": blanks at the end of line " NR }
         /^$/ { if (empty) print FILENAME ": two empty lines at " NR; empty = 1; next }
         { empty = 0 } END { if (n % 2) print FILENAME ": a fence is open" }' $lang.md
done
sed -n '/^### `T.gemm`/,/^### `T.print`/p' en.md | sed '$d'
sed -n '/^### `layout:at`/,/^### `layout:co/p' zh.md | sed '$d'
