# What term.terminal() finds: pipes, NO_COLOR, TERM, COLORTERM, sizes, the locale,
# --color, and the settings of the session.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminal"; exit 77; }
unset NO_COLOR COLORTERM COLUMNS LINES
cat >"$TMP/t.lua" <<'END'
local style = os.getenv "STYLE"
require "moontile.config".style = style and load("return " .. style)()
local t = require "moontile.term".terminal(... and io[...] or os.getenv "STREAM")
print(("tty=%s %dx%d colour=%d unicode=%s"):format(t.tty, t.width, t.height, t.colour, t.unicode))
END
piped() { echo "$1: $(shift; env LC_ALL=C.UTF-8 TERM=xterm "$@" "$MOONTILE" $FLAGS "$TMP/t.lua" $STREAM_FILE | cat)"; }
tty() {
    echo "$1: $(shift; script -qec "stty cols ${COLS:-100} rows ${ROWS:-30}; env LC_ALL=C.UTF-8 $* '$MOONTILE' $FLAGS '$TMP/t.lua'" /dev/null </dev/null | tr -d '\r')"
}
piped "a pipe"
piped "a pipe, COLUMNS is the shell's" COLUMNS=40
piped "the C locale" LC_ALL=C
FLAGS=--color=always piped "always"
FLAGS=--color=always piped "always, 256 colours" TERM=xterm-256color
FLAGS=--color=always piped "always, NO_COLOR" NO_COLOR=1
piped "settings" STYLE='{colour=8,width=33,unicode=false}'
STREAM_FILE=stdout piped "a file of io"
tty "a terminal" TERM=xterm
tty "256 colours" TERM=xterm-256color
tty "24 bits" TERM=xterm COLORTERM=truecolor
tty "dumb" TERM=dumb
tty "NO_COLOR" TERM=xterm NO_COLOR=1
tty "NO_COLOR is empty" TERM=xterm NO_COLOR=
FLAGS=--color=always tty "always" TERM=xterm NO_COLOR=1
FLAGS=--color=never tty "never" TERM=xterm
COLS=0 ROWS=0 tty "no size" TERM=xterm
COLS=0 ROWS=0 tty "no size but COLUMNS" TERM=xterm COLUMNS=66 LINES=11
COLS=5 tty "narrow" TERM=xterm
tty "settings" TERM=xterm NO_COLOR=1 STYLE="'{colour=24}'"
tty "stderr" TERM=xterm STREAM=stderr
STYLE='{colour=5}' "$MOONTILE" "$TMP/t.lua" 2>&1 | sed -n 's/.*\(error.*\)/\1/p'
:
