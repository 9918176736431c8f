# A history file that takes nothing more: said once, and the session goes on.
. ../program/lib/terminal.sh
command -v prlimit >/dev/null || { echo "no prlimit"; exit 77; }
STARTED_FROM="sh -c 'exec prlimit --fsize=4096 $MOONTILE --lang en'"
mkdir -p "$HOME/.local/state/moontile"
head -c 4090 /dev/zero | tr '\0' 'x' >"$HOME/.local/state/moontile/history"
start
wait_for '1>'
keys 'x = 20' Enter; wait_for '2>'
keys 'y = 20' Enter; wait_for '3>'
keys 'x + y' Enter; wait_for '4>'
keys C-d; wait_for icanon
screen | sed -n '/1> x/,/4>/p'
stat -c %s "$HOME/.local/state/moontile/history"
