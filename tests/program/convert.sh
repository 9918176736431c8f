# moontile convert: to the standard output, to a file, of the standard input; its exit status; the same from Lua.
cd "$TMP" || exit
printf 'def f(x, n=2):\n    return x ** 2 + n\n\nprint(f(3))\n' >a.py
"$MOONTILE" convert a.py; echo "[$?]"
"$MOONTILE" convert a.py -o a.lua; echo "[$?]"
"$MOONTILE" a.lua
echo 'import nothing' | "$MOONTILE" convert -; echo "[$?]"
echo 'x = (' | "$MOONTILE" convert -; echo "[$?]"
"$MOONTILE" convert none.py; echo "[$?]"
"$MOONTILE" convert; echo "[$?]"
"$MOONTILE" convert a.py -o none/a.lua; echo "[$?]"
"$MOONTILE" check a.py -o b; echo "[$?]"
cat >b.lua <<'END'
local reader = require "moontile.pyreader"
local text, said, left = reader.convert("if n:\n    print(n)\n", "@b.py")
print(text, said.id, left)
print(reader.convert("x ="))
END
"$MOONTILE" b.lua
