# The flags of lua, in their order, and what they print.
run() { echo "\$ moontile $*"; "$MOONTILE" "$@"; echo "[$?]"; }

run -e 'print(1)'
run -e 'x = 2' -e 'print(x)'
run '-eprint(3)'
run -v | sed 's/targets:.*)/targets: ...)/'
run -e 'print(arg[0], arg[-1], arg[-2])'
run -W -e 'warn "a warning"'
run -e 'warn "unseen"'
run -e 'print(...)'
cd "$TMP" || exit
echo 'return {answer = 42}' >mod.lua
run -l mod -e 'print(mod.answer)'
run -l m=mod -e 'print(m.answer, mod)'
run -lmod -e 'print(mod.answer)'
run -l nosuch -e 'print(1)' 2>&1 | sed -n '1p;2p;$p'
echo 'print("script", ...) print(arg[0], arg[1], arg[2], #arg, arg[-1] ~= nil)' >script.lua
run script.lua a 'b c'
run -e 'print "first"' script.lua
run -- script.lua x
echo 'print("from stdin", ...)' | run - one two
echo 'print("no name")' | run
run -E -e 'print(os.getenv "HOME" ~= nil)'
echo 'print "in a file called check"' >check
run ./check
run -- check
