# The history: the arrows go by what is typed, ^P and ^N by nothing; ^R and ^S
# search; the grey suggestion is taken whole or word by word.
. ../program/lib/terminal.sh
only readline
mkdir -p "$HOME/.local/state/moontile"
cat >"$HOME/.local/state/moontile/history" <<'X'
alpha = 1
beta = 2
for i = 1, 2 do\n  print(i)\nend
alpha = 3
print(alpha + beta)
X
start
wait_for '1>'
keys 'al' Up; wait_for 'alpha = 3'; keys Up; wait_for 'alpha = 1'; keys Up
keys Down; wait_for 'alpha = 3'; keys Down; cursor_at 5,2
part "by prefix, and back to what was typed"
keys C-c; wait_for '^C'
keys C-p; wait_for 'beta)'; keys C-p; wait_for '= 3'; keys C-p; wait_for 'for >'
part "the block before"
keys C-n; wait_gone 'for'; keys C-n C-n; wait_gone 'alpha +'; cursor_at 3,3
keys M-'<'; wait_for 'alpha = 1'; keys M-'>'; wait_gone 'alpha ='
keys C-r 'BET'; wait_for 'nothing older has: BET'
keys BSpace BSpace BSpace 'bet'; wait_for 'search back: bet'; wait_for 'beta)'
keys C-r; wait_for 'beta = 2'
part "found the second"
keys C-r; wait_for 'nothing older'; keys C-s; wait_for 'beta)'; keys C-r; wait_for 'beta = 2'
keys Right '0'; wait_for 'b0eta'; keys C-_; wait_gone 'b0eta'; wait_gone 'search'
keys C-c; wait_for '= 2^C'
keys C-r 'print'; wait_for 'beta)'; keys C-g; wait_gone 'search'; wait_gone 'print'
keys 'bet'; wait_for '1> beta = 2'; keys M-f; cursor_at 7,4; keys M-f; cursor_at 11,4
keys '2' Enter; wait_for '2>'
keys 'beta'; wait_for '2> beta = 22'; keys C-e; cursor_at 12,5; keys Enter; wait_for '3>'
keys 'pri'; wait_for 'print(alpha'; keys C-c; wait_for 'pri^C'
part "suggestions"
keys 'changed = 1' Up; wait_for 'changed = 1'; keys Enter; wait_for '4>'
keys C-d; wait_for icanon
tail -n 3 "$HOME/.local/state/moontile/history"
