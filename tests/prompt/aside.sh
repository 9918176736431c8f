# What happens beside the input: help, the shell, the editor, functions that wait,
# suspending; the input is there again after each.
. ../program/lib/terminal.sh
only readline
EDITOR=$TMP/editor
cat >"$EDITOR" <<'X'
#!/bin/sh
sed -i 's/two/three/' "$1"
echo "editor: $(basename "$1" | sed 's/-.*[.]/-X./')"
X
chmod +x "$EDITOR"
start
wait_for '1>'
keys 'x = "one two"'; wait_for 'two"'; keys M-e; wait_for 'three'
keys Enter; wait_for '2>'
keys 'x'; keys F2; wait_lines 2 '-X.lua'; wait_for '2> x'; keys Enter; wait_end '3>'
keys '!echo from the shell; exit 3' Enter; wait_for 'status 3'
keys '!cd /'; wait_for '!cd /'; keys Enter; wait_end '3>'
keys '!pwd; echo $((1 + 1))'; wait_for '1))'; keys Enter; wait_end '3>'
keys '!' Enter; wait_for '!ls'
part "editor and shell"
keys C-l; wait_gone 'shell'
keys 'local n = 0; stop = require("moontile.prompt").idle(nil, 0.25, function() n = n + 1; print("tick " .. n); if n == 2 then stop() end end)' Enter
wait_for "4>"; keys "typing"; wait_for "tick 2"; wait_for '4> typing'
part "a function that waits prints above the input"
keys C-c; wait_for 'typing^C'; keys C-l; wait_gone 'tick'
keys 'stop = require("moontile.prompt").idle(nil, 0, function() error "broken" end)' Enter; wait_for 'broken'; wait_for '5>'
part "one that fails is not called again"
keys C-l; wait_gone 'broken'
keys '!echo be""gun; sleep 100' Enter; wait_for 'begun'; sleep 0.2; keys C-c; wait_for '^C'; wait_end '5>'
keys 'print("asl" .. "eep") require("moontile.term").sleep(100)' Enter; wait_for 'asleep'; sleep 0.2; keys C-c; wait_for 'E330'
wait_for '6>'
part "Ctrl-C ends a command of the shell, and a sleep"
keys C-l; wait_gone 'E330'
keys 'T.clear'; wait_for 'T.clear'; keys C-g; wait_for 'T.clear('; wait_end '6> T.clear'; keys C-c; wait_for 'clear^C'
screen | sed -n 1p
