# `moontile help`: pages of each kind of row, in both languages; misspelled names; status.
: "${TMP:?}"
cd "$TMP" || exit
for lang in en zh; do
    for name in T.gemm tl.randn kernel:check tensor.shape layout:at :apropos locals dtypes; do
        echo "--- $lang $name"
        "$MOONTILE" --lang $lang help $name | sed -E 's/(\.lua):[0-9]+/\1:N/'
    done
done
for name in T.gem tl.rndn kernel:bnech :laod locla T.alloc_Shared zzz; do
    echo "--- $name"
    "$MOONTILE" help $name
    echo "[$?]"
    "$MOONTILE" --lang zh help $name
done
echo "--- a name without its prefix, an alias, a name to come"
"$MOONTILE" help WarpSpecialize | head -3
"$MOONTILE" help T.Serial | sed -n 1,20p
"$MOONTILE" help T.alloc_tmem
echo "--- kinds"
"$MOONTILE" help kernel | sed -n 1,6p
"$MOONTILE" help T | sed -n 1,6p
echo "--- nothing is wider than the terminal"
cat >all.lua <<'X'
-- Every page, at every width, in both languages: the widest line that is no code.
local help, term = require "moontile.help", require "moontile.term"
local diag, widest = require "moontile.diag", 0
for _, lang in ipairs {"en", "zh"} do
  diag.setlang(lang)
  for _, width in ipairs {40, 80} do
    for _, row in ipairs(help.list(nil, true)) do
      for l in help.page(row, false, {width = width, colour = false}):gmatch "[^\n]+" do
        local w = term.width(l)
        if w >= width and not l:find "^ " and not l:find "^%S+$" and not l:find "`" then
          print(lang, width, row.name, w, l)
        end
      end
    end
  end
end
print "checked"
X
"$MOONTILE" all.lua
