# :watch: a file that is saved runs again, above the line that is being typed.
. ../program/lib/terminal.sh
cd "$TMP" || exit 1
write() { # FILE VALUE: in one write
    {
        printf 'local k = tl.jit(function(A)\n  A: T.Tensor({16}, T.float32)\n'
        printf '  for bx in T.Kernel(1) do T.fill(A, %s) end\nend)\nprint("value", %s)\n' "$2" "$2"
    } >text
    cat text >"$1"
}
write k.lua 1
start
wait_for '1>'
keys ':watch k.lua' Enter; wait_for 'k is new'
keys '1 + 1'; wait_for '1 + 1'
write k.lua 2; wait_for 'k@2'                 # in place
write new 3; mv new k.lua; wait_for 'k@3'     # a new file in its place
sed -i 's/3/4/g' k.lua; wait_for 'k@4'
echo 'error "broken"' >>k.lua; wait_for 'broken'
rm k.lua; write k.lua 5; wait_for 'k@5'
keys ' + 3' Enter; wait_for '2>'              # what was being typed is still there
keys ':watch' Enter; wait_for '> :watch'
keys ':watch off' Enter; wait_for 'no longer'
write k.lua 6
keys ':reload' Enter; wait_for 'k@6'
keys 'x = 0' Enter; wait_for '3>'
screen
stop
echo '--- without inotify, and in Chinese'
start --lang zh
wait_for '1>'
keys 'require("moontile.repl.watch").poll = true' Enter; wait_for '2>'
keys ':watch k.lua' Enter; wait_for '新增 k'
write k.lua 7; wait_for 'k@2'
keys ':watch off k.lua' Enter; wait_for '不再监视'
screen
