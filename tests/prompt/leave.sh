# The terminal is as before after each way of leaving, or of being stopped.
. ../program/lib/terminal.sh
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0" # a crash stays one
modes() { screen | grep -e icanon -e '\[exit' -e Stopped; }
for how in TERM HUP QUIT USR1 ABRT SEGV; do
    echo "--- $how"
    start
    wait_for '1>'
    keys 'half a li'; wait_for 'half a li'
    kill -$how "$(cat "$TMP/pid")"
    wait_for icanon
    modes
    stop
done
echo "--- suspended"
STARTED_FROM="bash --norc -i"
start
# by its name alone: the shell cuts a line about a job at the screen's width
in_tmux send-keys "PATH=$(dirname "$MOONTILE"):\$PATH PS1='[\$?] '; clear" Enter; wait_for '[0]'
in_tmux send-keys "$(basename "$MOONTILE") -E" Enter; wait_for '1>'
keys 'print("sti'; wait_for 'sti'; keys C-z; wait_for 'Stopped'
in_tmux send-keys "stty -a | grep -o -e '-*icanon'" Enter; wait_lines 2 icanon
# what was typed is drawn anew
in_tmux send-keys "fg" Enter; wait_lines 2 'print("sti'; keys 'll here")' Enter; wait_for 'still here'; wait_for '2>'
keys 'os.exit(4)' Enter; wait_for '[4]'
screen | grep -e icanon -e '^.4.' -e Stopped | sed 's/ *[^ ]*moontile/ moontile/'
