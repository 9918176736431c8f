# Wrong command lines: one line on stderr, exit status 2.
run() { echo "\$ moontile $*"; "$MOONTILE" "$@"; echo "[$?]"; }

run --nosuch
run --hepl
run -x
run -ix
run -e
run --lang
run --lang=fr
run --color sometimes
run --json=yes
run --emit c
run nosuch.lua
run . 
run compile
run compile x.lua
run compile x.lua --emit ptx
run compile nosuch.lua --emit c
run compile a.lua b.lua --emit c
run compile a.lua --emit c -o out --format cu
run compile a.lua --emit c -i
run compile -e 'print(1)' a.lua --emit c
run -l mod compile a.lua --emit c
run -i puzzles
run --json -e 1
for word in check plot bench puzzles serve; do
    run $word x.lua
done
run --connect localhost
run --connect http://me@localhost -e 1
run --lang zh --nosuch
run --lang zh serve x.lua
run --lang zh serve --port
run --lang zh nosuch.lua
run --lang zh check x.lua -i
run --lang zh --json x.lua
run chekc x.lua
run --lang zh plto
