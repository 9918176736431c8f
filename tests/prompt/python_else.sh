# Python typed at a terminal: `else`, `except` and `finally` behind any last line of the block before.
. ../program/lib/terminal.sh
only readline
HEIGHT=60
start -t cpu --lang en
wait_for '1>'
keys ':python' Enter; wait_for 'py 1>'
keys 'if 0:' Enter; wait_for 'if >'; keys 'print("zero")' Enter; wait_lines 2 'if >'; keys 'else:'; wait_for 'else:'
keys Enter; wait_for 'else >'; keys 'print("no")' Enter; wait_lines 2 'else >'; keys Enter; wait_for 'py 2>'
part "else"
keys 'try:' Enter; wait_for 'try >'; keys '1/0' Enter; wait_lines 2 'try >'; keys 'except ZeroDivisionError:'; wait_for 'Error:'
keys Enter; wait_for 'except >'; keys 'print("z")' Enter; wait_lines 2 'except >'; keys 'finally:'; wait_for 'finally:'
keys Enter; wait_for 'finally >'; keys 'print("f")' Enter; wait_lines 2 'finally >'; keys Enter; wait_for 'py 3>'
part "except, finally"
