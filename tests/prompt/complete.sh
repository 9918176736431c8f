# Tab: the common part, a list, one after another; the signature of the open call.
. ../program/lib/terminal.sh
only readline
start
wait_for '1>'
keys 'longname_one = 1; longname_two = 2; longname_three = 3' Enter; wait_for '2>'
keys 'print(longn' Tab; wait_for 'longname_three'; cursor_at 18,3
part "the common part and a list"
keys Tab; wait_for 'print(longname_one'; keys Tab; wait_for 'print(longname_three'; keys Tab; wait_for 'print(longname_two'
keys BTab; wait_for 'print(longname_three'
keys ')' ; wait_gone 'longname_two  '; keys Enter; wait_for '3>'
keys 'T.gemm('; wait_for '«A»'; keys 'As, '; wait_for '«B»'; keys 'Bs, '; wait_for '«C»'
keys C-c; wait_for '^C'; wait_gone '«'
keys 'for i = 1, 2 do' Enter; wait_for 'for >'; cursor_at 8,7; keys Tab; cursor_at 10,7; keys Tab; cursor_at 12,7
keys BSpace; cursor_at 10,7; keys BSpace BSpace; cursor_at 6,7; keys C-c; wait_for '> ^C'
part "signatures come and go; Tab in the indentation"
keys 'no_such_name_at_all' Tab; cursor_at 22,8
keys C-c; wait_for 'all^C'
