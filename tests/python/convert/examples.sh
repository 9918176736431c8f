# The Python twins of lua/examples, converted: all of each has a counterpart, the small sizes agree with the references,
# and the kernels' IR is that of the Lua files.
cat >"$TMP/ir.lua" <<'END'
local file, dir = arg[1], arg[2]
arg = {[0] = file, "small"}
require("moontile.tl.device").small = true
require("moontile.tl.emit").run {file = file, emit = "ir", outdir = dir}
END
# without places, and without the names that stand for them
plain() { sed -e '/^file /d' -e 's/ @[0-9:@, ]*//g' "$@"; }
cd "$TMP" || exit
examples=$OLDPWD/../../../lua/examples
for py in "$examples"/*.py; do
    name=$(basename "$py" .py)
    "$MOONTILE" convert "$py" -o "$name.lua" || exit
    mkdir -p theirs ours
    "$MOONTILE" ir.lua "$examples/$name.lua" ours >/dev/null || exit
    "$MOONTILE" ir.lua "$name.lua" theirs >/dev/null || exit
    for ir in ours/*.ir; do
        plain "$ir" >a
        plain "theirs/$(basename "$ir")" >b
        diff a b && echo "$name: $(basename "$ir") is the same"
    done
    [ "$(ls ours | wc -l)" = "$(ls theirs | wc -l)" ] || echo "$name: another number of kernels"
    rm -r ours theirs
    "$MOONTILE" -t cpu "$name.lua" small || exit
done
