# How files begin: a "#!" line, a byte order mark, both, neither; and nothing.
cd "$TMP" || exit
try() { "$MOONTILE" "$1" a; echo "[$?]"; }
printf '#!/usr/bin/env moontile\nprint(1, ...)\nerror "line 3"\n' >shebang.lua
try shebang.lua 2>&1
printf '\357\273\277print(2)\n' >bom.lua
try bom.lua
printf '\357\273\277#!x\nprint(3)\n' >both.lua
try both.lua
printf '# only a comment' >comment.lua
try comment.lua
: >empty.lua
try empty.lua
printf 'print(4)\r\nprint(5)\r\n' >crlf.lua
try crlf.lua
"$MOONTILE" -e 'io.open("bin.luac", "wb"):write(string.dump(function(...) print(6, ...) end)):close()'
try bin.luac
{ echo '#!/usr/bin/env moontile'; cat bin.luac; } >shebang.luac
try shebang.luac
ln -s "$MOONTILE" moontile
PATH="$PWD:$PATH"
chmod +x shebang.lua
./shebang.lua b 2>&1
printf 'x = = 3\n' >wrong.lua
try wrong.lua 2>&1
printf 'print(1)\0print(2)' >nul.lua
try nul.lua 2>&1 | head -n 1
