# Blocks: several lines in one input, their prompts, their indentation, and how
# they come back from the history.
. ../program/lib/terminal.sh
only readline
start
wait_for '1>'
keys 'for i = 1, 2 do' Enter; wait_for 'for >'
keys 'print(' Enter; wait_for 'for ( >'
part "what is open is shown"
keys 'i' Enter; keys ')'; wait_for '  )'; cursor_at 13,5; keys Enter; cursor_at 10,6
part "a closing line moves back when it is left"
keys 'end' Enter; wait_for '2>'
part "it ran; the prompts are short again"
keys Up; wait_for '2> for'; cursor_at 23,9
keys Down Down Down Down; cursor_at 11,13
keys Up Up Up; cursor_at 16,10
keys End ' -- in the middle'; wait_for 'middle'
keys Enter; wait_for '3>'
part "edited in the middle, and run from there"
keys 'x = 1' M-Enter; wait_for ' > '; keys 'y = 2' C-j; cursor_at 3,18; keys 'z = x + y'; wait_for 'x + y'
keys Enter; wait_for '4>'
keys 'z' Enter; wait_for '5>'
part "Meta-Enter and Ctrl-J: a new line, though the input was complete"
keys 'if z then' Enter; wait_for 'if >'; keys 'error "e"'; wait_for '"e"'
keys Enter; cursor_at 7,23; keys 'else' Enter; wait_for 'if > else'; keys 'end' Enter; wait_for '6>'
keys 'f({' Enter; wait_for '( { >'
keys C-c; wait_for '^C'
part "else and end; a dropped block"
keys C-d; wait_for icanon
cat "$HOME/.local/state/moontile/history"
