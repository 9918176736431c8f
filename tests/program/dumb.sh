# A terminal that can do nothing: plain reads, the same keys.
. lib/terminal.sh
TERM_KIND=dumb
start -E
wait_for '1>'
keys '1 +' Enter; wait_for ' >'
keys '2' Enter; wait_for '2>'
keys 'dropped'; wait_for 'dropped'; keys C-c; wait_for '^C'
keys '_PROMPT = "new "; _PROMPT2 = "more "' Enter; wait_for 'new'
keys '(' Enter; wait_for 'more'
keys '7)' Enter; wait_lines 3 'new'
keys 'print("be" .. "gun") while true do end' Enter; wait_for 'begun'; sleep 0.2
keys C-c; wait_for 'E330'
keys C-d; wait_for icanon
screen
ls "$HOME/.local" 2>/dev/null
:
