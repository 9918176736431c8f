# The commands of the prompt.
echo 'local from_file = 11  print("loaded", from_file)' >"$TMP/file.lua"
echo 'x = = 1' >"$TMP/wrong.lua"
cd "$TMP" || exit
"$MOONTILE" -i >out 2>&1 <<'X'
:help
:?
:help load
:help :lo
:help nosuch
:help locals
:load file.lua
from_file
:lo file.lua
:l file.lua
:load nosuch.lua
:load wrong.lua
:load
:nosuch
:time 1 + 1
:time x = = 1
:time
1
:time off
:time error "in time"
:lang fr
:lang zh
local t = nil; t.x = 1
:nosuch
:lang en
:limit many
:vars
a, b = 1, {1, 2}
local c = "text"
:vars
:quit x
::label:: print "a label is no command"
:quit 3
X
echo "[$?]"
sed -E 's/[0-9.]+ ms/N ms/' out
