# --color, NO_COLOR and TERM decide about escapes, for stderr by itself.
coloured() { "$MOONTILE" "$@" 2>&1 >/dev/null | grep -c "$(printf '\033')\\["; }
coloured -e 'error "x"'
coloured --color always -e 'error "x"'
NO_COLOR=1 coloured --color=always -e 'error "x"'
coloured --color never -e 'error "x"'
command -v script >/dev/null || exit 77
# on a terminal
tty_colour() { TERM=$1 NO_COLOR=$2 script -qec "'$MOONTILE' -e 'error \"x\"'" /dev/null </dev/null | grep -c "$(printf '\033')\\["; }
tty_colour xterm ''
tty_colour xterm 1
tty_colour dumb ''
:
