# Without colours nothing grey is shown; in a locale of bytes those beyond ASCII
# are spelt out; in Chinese the editor's own words are Chinese; colours otherwise.
. ../program/lib/terminal.sh
only readline
NO_COLOR=1 LOCALE=C
start --lang en
wait_for '1>'
keys 'value = "one"' Enter; wait_for '2>'
keys 'val'; wait_for '2> val'; keys Tab; wait_for '2> value'; keys C-c; wait_for '^C'
paste 'x = "\303\251"'; wait_for 'xc3'; keys C-c; wait_for '"^C'
keys C-r 'val'; wait_for 'search back: val'; keys C-g; wait_gone 'search'
keys 'tl.zeros({2}' ; wait_for '{2}'
screen -e
stop
NO_COLOR='' LOCALE=''
start --lang zh
wait_for '1>'
keys C-r 'val'; wait_for '向前搜索'; wait_for '"one"'
screen | tail -n 1
keys C-g; wait_gone '搜索'
keys 'for i = 1, T.x(i) do --'; wait_for 'do --'; keys C-a Right Right Right Right Right Right Right Right Right Right Right Right Right Right
cursor_at 17,2
screen -e | grep for
