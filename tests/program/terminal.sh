# A session at a terminal: banner, prompts, Ctrl-C, Ctrl-D, arrows, history.
. lib/terminal.sh
start
wait_for '1>'
keys 'local x = 20 + 1' Enter; wait_for '2>'
keys 'function twice(a) return 2 * a end' Enter; wait_for '3>'
keys 'twice(x)' Enter; wait_for '4>'
keys 'dropped'; wait_for 'dropped'; keys C-c; wait_for '^C'
keys 'function half(' Enter; wait_for ' >'
keys 'dropped too'; wait_for 'dropped too'; keys C-c; wait_for 'too^C'
keys 'print("be" .. "gun") while true do end' Enter; wait_for 'begun'
keys C-c; wait_for '5>'
keys 'coroutine.wrap(function() print("in" .. "side") while true do end end)()' Enter; wait_for 'inside'
keys C-c; wait_for '6>'
keys ' "not remembered"' Enter; wait_for '7>'
keys 'not empty' C-d; keys Home '-- ' Enter; wait_for '8>'
keys Up Up Up Up Up; wait_for '8> function'; keys Enter
wait_for '9>'
keys 'twice(4)' Enter; wait_for '10>'
keys C-d; wait_for icanon
screen | sed 's/^ *> *dropped/ > dropped/'
echo "--- history"
stat -c %a "$HOME/.local/state/moontile/history"
cat "$HOME/.local/state/moontile/history"
