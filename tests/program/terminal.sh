# A session at a terminal: banner, prompts, Ctrl-C, Ctrl-D, arrows, history.
. lib/terminal.sh
start
wait_for '1>'
keys 'local x = 20 + 1' Enter; wait_for '2>'
keys 'function twice(a)' Enter; wait_for ' >'
keys 'return 2 * a' Enter 'end' Enter; wait_for '3>'
keys 'twice(x)' Enter; wait_for '4>'
keys 'dropped'; wait_for 'dropped'; keys C-c; wait_for '^C'
keys 'function half(' Enter; wait_for 'half('
keys 'dropped too'; wait_for 'dropped too'; keys C-c; wait_for 'too^C'
keys 'while true do end' Enter; wait_for 'do end'; sleep 0.2
keys C-c; wait_for '5>'
keys 'coroutine.wrap(function() while true do end end)()' Enter; wait_for 'end)()'; sleep 0.2
keys C-c; wait_for '6>'
keys ' "not remembered"' Enter; wait_for '7>'
keys 'not empty' C-d; keys Home '-- ' Enter; wait_for '-- not'
keys Up Up Up Up Up Enter; wait_for '8> function'
wait_for '9>'
keys 'twice(4)' Enter; wait_for '10>'
keys C-d; wait_for icanon
screen
echo "--- history"
stat -c %a "$HOME/.local/state/moontile/history"
cat "$HOME/.local/state/moontile/history"
