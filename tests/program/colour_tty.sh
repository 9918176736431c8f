# On a terminal errors are coloured, unless NO_COLOR or TERM says otherwise.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminal"; exit 77; }
coloured() {
    TERM=$1 NO_COLOR=$2 script -qec "'$MOONTILE' -e 'error \"x\"'" /dev/null </dev/null |
        grep -c "$(printf '\033')\\["
}
coloured xterm ''
coloured xterm 1
coloured dumb ''
:
