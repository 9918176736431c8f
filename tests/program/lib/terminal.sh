# Sourced by the tests that need a terminal: drives the program in tmux.
#
#   start [ARGS]     the program in a window of 80 x 40; "$TMP/pid" has its process
#   keys WORD ...    types each word; names like Enter, Up, C-c are keys
#   wait_for TEXT    until the screen shows TEXT (20 seconds at most)
#   screen           what is there, without empty lines; libedit shows ^D
#   stop             ends what start began
command -v tmux >/dev/null || { echo "tmux is not installed"; exit 77; }

windows=0

in_tmux() { tmux -L "moontile$$-$windows" -f /dev/null "$@"; }

stop() { in_tmux kill-server 2>/dev/null; }

start() {
    windows=$((windows + 1))
    trap stop EXIT
    in_tmux new-session -d -x 80 -y 40 "export HOME='$HOME' TERM=${TERM_KIND:-screen}
        sh -c 'echo \$\$ >$TMP/pid; exec $MOONTILE $*'; echo \"[exit \$?]\"; stty -a | grep -o -e '-*icanon'; sleep 60" ||
        { echo "tmux cannot start here"; exit 77; }
}

keys() {
    for k in "$@"; do
        case $k in
        C-? | Enter | Up | Down | Left | Home) in_tmux send-keys "$k" ;;
        *) in_tmux send-keys -l -- "$k" ;;
        esac
    done
}

screen() { in_tmux capture-pane -p | sed -e 's/> ^D$/>/' -e '/^ *$/d'; }

wait_for() {
    n=0
    until screen | grep -qF -e "$1"; do
        n=$((n + 1))
        [ $n -lt 400 ] || { echo "never seen: $1"; screen; exit 1; }
        sleep 0.05
    done
}
