# The terminal is as before after each way of leaving the prompt.
. lib/terminal.sh
start
wait_for '1>'
keys 'os.exit(3)' Enter; wait_for '[exit 3]'; wait_for icanon
screen | tail -n 2
stop
for signal in TERM HUP; do
    start
    wait_for '1>'
    keys 'half a li'
    wait_for 'half a li'
    kill -$signal "$(cat "$TMP/pid")"
    wait_for icanon
    screen | grep -e icanon -e exit
    stop
done
start
wait_for '1>'
keys ':quit' Enter; wait_for '[exit 0]'; wait_for icanon
screen | tail -n 2
