# What the converted programs print is what Python prints of them, but for True, False, None and the signs between values.
for name in values lists control functions scopes tensors lines; do
    echo "$name:"
    "$MOONTILE" convert $name.py -o "$TMP/$name.lua" 2>"$TMP/said" || cat "$TMP/said"
    (cd "$TMP" && "$MOONTILE" $name.lua) || exit
done
