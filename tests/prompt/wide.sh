# Wide and combining characters, long lines, blocks taller than the window, and
# windows that change their size.
. ../program/lib/terminal.sh
only readline
WIDTH=30 HEIGHT=10
start --lang en
wait_for '1>'; in_tmux clear-history
keys C-l; wait_gone 'Type'
keys 's = "中文"'; wait_for '中文'; cursor_at 13,0
keys Left Left; cursor_at 10,0; keys '字'; wait_for '中字文'; cursor_at 12,0
keys BSpace; wait_gone '字'; keys End Enter; wait_for '2>'
keys 'e'; paste '\314\201x'; cursor_at 5,1; keys Left BSpace; cursor_at 3,1; keys C-c; wait_for '^C'
part "wide characters take two columns, combining ones none"
keys C-l; wait_gone '中'
keys '-- 一二三四五六七八九十一二三四五六七八九十一二三四五六'; wait_for '五六'
part "a row ends before a character that has no room"
keys Home 'x'; cursor_at 4,0; keys C-c; wait_for '^C'; keys C-l; wait_gone '一'
keys 'print("a line of text that is wider than the window is")'; wait_for 'window is'; cursor_at 5,2
part "a long line"
in_tmux resize-window -x 50 -y 10; wait_for 'text that is wider'
part "in a wider window"
in_tmux resize-window -x 20 -y 10; wait_for 'han the window'
part "in a narrow one"
keys C-c; wait_for '^C'; keys C-l; wait_gone 'line'
tall='for i = 1, 1 do\n'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do tall="$tall  print($i)\\n"; done
paste "$tall"
wait_for '(14)'
part "the end of a tall block"
keys Up Up Up Up Up Up Up Up Up Up Up Up Up Up Up; wait_for 'for i = 1, 1'; cursor_at 6,0
part "its start"
keys 'if' ; wait_for 'if'; keys BSpace BSpace; in_tmux send-keys C-End; wait_for '(14)'
keys 'end' Enter; wait_for '3>'
in_tmux resize-window -x 20 -y 40; wait_for '2> for i'
part "all of it"
