# What is judged on the processor runs behind walls, as on a server: a kernel that escapes
# its bounds finds nothing to open, start or write, and no key to another door.
. ../../program/lib/terminal.sh
case $MOONTILE in */san/*) echo "sanitizers need what the walls take away"; exit 77 ;; esac
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
cp "$small/01-copy/solution.lua" 01-copy.lua
export A_KEY=a-secret
start puzzles -t cpu
wait_for 'Three small puzzles'
keys Enter; wait_for 'right.'
for p in /proc/[0-9]*; do # by their names: numbers of processes begin anew
    [ "$(sed -n 's/^PPid:[^0-9]*//p' "$p/status" 2>/dev/null)" = "$(cat "$TMP/pid")" ] &&
        { tr '\0' ' ' <"$p/cmdline" | sed 's/[0-9]* $//'
          grep -e '^NoNewPrivs' -e '^Seccomp:' "$p/status"
          tr '\0' '\n' <"$p/environ" | grep -c a-secret; } | tr '\n\t' '  ' && echo
done | LC_ALL=C sort
keys q; wait_for icanon
