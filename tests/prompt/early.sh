# What is typed while an input runs is there when it has ended: Enter is Enter.
. ../program/lib/terminal.sh
start
wait_for '1>'
keys 'local t = os.time(); repeat until os.time() > t + 1' Enter; wait_for 't + 1'; sleep 0.2
keys '1 + 1' Enter '2 + 2' Enter; wait_for '4>'
keys C-d; wait_for icanon
screen | grep -x -e 2 -e 4
