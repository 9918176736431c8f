# While the simulator looks for the line of a fault, a line says so; it goes when the line is found.
. ../program/lib/terminal.sh
start -i lib/fault.lua
wait_for '1>'
keys 'seek()' Enter; wait_for 'of at most 3'
wait_for '2>'
screen | sed '1,/seek()/d'
