# :ir at a terminal: single keys go from pass to pass; the terminal is as before.
. ../program/lib/terminal.sh
# Until the last line of the screen waits for a key, or has the text $1.
wait_last() {
    n=0
    until screen | tail -1 | grep -qF -e "${1:-q quit}"; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "never last: $1"; screen; exit 1; }
        sleep 0.05
    done
}
cp lib/inside.lua "$TMP/k.lua"
cd "$TMP"
start -E -t cpu -i k.lua
wait_for '1>'
keys ':ir k {target = "sim -arch=sm_80"}' Enter
wait_for '[1/'; wait_last
keys n; wait_for '[2/'; screen | grep '^\[' | tail -1
wait_last
keys sha; wait_for '> sha'; keys Enter; wait_for '] shared'; screen | grep '^\[' | tail -1
keys p; wait_for '] layouts'; screen | grep '^\[' | tail -1
keys Down; wait_last; keys f; wait_for '  end'; wait_last
keys 2 Enter; wait_for '[2/'; wait_last; screen | grep '^\[' | tail -1
keys zzz Enter; wait_for "no key or pass 'zzz'"
wait_last
keys q; wait_last '1>'
keys '1 + 1' Enter; wait_for '2>'
keys ':ir k step' Enter; wait_last; keys C-c
keys '2 + 2' Enter; wait_for '3>'
keys ':ir k step' Enter; wait_last; keys C-d
keys '3 + 3' Enter; wait_for '4>'
keys C-d; wait_for '[exit 0]'; wait_for icanon
screen | tail -3
echo "--- ended while it waits for a key"
start -E -t cpu -i k.lua
wait_for '1>'
keys ':ir k step' Enter; wait_last
kill -TERM "$(cat "$TMP/pid")"
wait_for '[exit 143]'; wait_for 'icanon'
screen | tail -1
stop
