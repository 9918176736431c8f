# Sourced by the tests that need a terminal: drives the program in tmux.
#
#   start [ARGS]     the program in a window of $WIDTH x $HEIGHT (80 x 40);
#                    "$TMP/pid" has its process
#   keys WORD ...    types each word; names like Enter, Up, C-c, M-f are keys
#   paste TEXT       as a terminal pastes it; TEXT as for printf
#   wait_for TEXT    until the screen shows TEXT (two minutes at most)
#   wait_lines N TEXT  until N lines show it: what is on the screen already, once more
#   wait_gone TEXT   until it does not
#   Ctrl-C throws away what the program has not read yet: before it, wait for
#   something that was not on the screen before, from the program itself.
#   screen [-e]      what is there, without empty lines; libedit shows ^D
#   part NAME        a heading, and the screen
#   stop             ends what start began
#   only LIBRARY     skips the test when the program edits with the other one
command -v tmux >/dev/null || { echo "tmux is not installed"; exit 77; }

windows=0

in_tmux() { tmux -L "moontile$$-$windows" -f /dev/null "$@"; }

stop() { in_tmux kill-server 2>/dev/null; }

only() {
    case $(ldd "$MOONTILE" 2>/dev/null | grep -o -e libreadline -e libedit | head -n 1):$1 in
    libedit:readline | libreadline:libedit) echo "for $1 only"; exit 77 ;;
    esac
}

start() {
    windows=$((windows + 1))
    trap stop EXIT
    in_tmux new-session -d -x "${WIDTH:-80}" -y "${HEIGHT:-40}" "export HOME='$HOME' TERM=${TERM_KIND:-screen}
        export LC_ALL=${LOCALE:-C.UTF-8} EDITOR='$EDITOR' VISUAL= NO_COLOR='$NO_COLOR'
        ${STARTED_FROM:-sh -c 'echo \$\$ >$TMP/pid; exec $MOONTILE $*'}; echo \"[exit \$?]\"; stty -a | grep -o -e '-*icanon'; sleep 60" ||
        { echo "tmux cannot start here"; exit 77; }
}

keys() {
    for k in "$@"; do
        case $k in
        C-? | M-? | M-Enter | C-Left | C-Right | Enter | Up | Down | Left | Right | Home | End | \
            Tab | BTab | BSpace | DC | Escape | F1 | F2) in_tmux send-keys "$k" ;;
        *) in_tmux send-keys -l -- "$k" ;;
        esac
    done
}

paste() {
    # shellcheck disable=SC2059 # TEXT is a format
    printf "$1" | in_tmux load-buffer -
    in_tmux paste-buffer -p
}

screen() { in_tmux capture-pane -p "$@" | sed -e 's/> ^D$/>/' -e '/^ *$/d'; }

# What the program wrote is seen before the prompt behind it: until there is text
# in the line of the cursor, and the screen stays as it is.  Where there never is
# (a program that waits), it goes on after a while.
settle() {
    before= n=0
    while [ $n -lt 60 ]; do
        line=$(($(in_tmux display-message -p '#{cursor_y}')))
        now=$(in_tmux capture-pane -p)
        here=$(in_tmux capture-pane -p -S $line -E $line)
        [ -n "$here" ] && [ "$now" = "$before" ] && return
        before=$now n=$((n + 1))
        sleep 0.05
    done
}

part() { settle; echo "--- $1"; screen; }

wait_for() {
    n=0
    until screen | grep -qF -e "$1"; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "never seen: $1"; screen; exit 1; }
        sleep 0.05
    done
}

wait_lines() {
    n=0
    until [ "$(screen | grep -cF -e "$2")" -ge "$1" ]; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "never seen in $1 lines: $2"; screen; exit 1; }
        sleep 0.05
    done
}

# Until the last line of the screen is this one.
wait_end() {
    n=0
    until [ "$(screen | tail -n 1 | sed 's/ *$//')" = "$1" ]; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "never at the end: $1"; screen; exit 1; }
        sleep 0.05
    done
}

wait_gone() {
    n=0
    while screen | grep -qF -e "$1"; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "never gone: $1"; screen; exit 1; }
        sleep 0.05
    done
}

# A hint, a list and other things come a moment after the key: until the cursor
# is where it should be, "COLUMN,ROW" from 0.
cursor_at() {
    n=0
    until [ "$(in_tmux display-message -p '#{cursor_x},#{cursor_y}')" = "$1" ]; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { in_tmux display-message -p 'cursor at #{cursor_x},#{cursor_y}'; screen; exit 1; }
        sleep 0.05
    done
}
