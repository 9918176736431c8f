# Exit status: 0 ok, 1 the program failed, 2 no such file, what os.exit says.
run() { echo "\$ moontile $*"; "$MOONTILE" "$@" 2>&1; echo "[$?]"; }

run -e 'local x'
run -e 'error "failed"'
run -e 'error({code = 2})'
run -e 'error()'
run -e 'error(setmetatable({}, {__tostring = function() return "an object" end}))'
run -e 'local t = nil; t.x = 1'
run -e 'x ='
run -e 'os.exit(7)'
run -e 'os.exit(true)'
run -e 'os.exit(false)'
run -e 'print "first"; error "then"' -e 'print "never"'
run -e 'local function f() error "deep" end  local function g() f() end  g()'
run -e 'return 5'
run nosuch.lua
"$MOONTILE" -e 'while true do print(1) end' 2>&1 | head -n 1
for signal in INT; do
    "$MOONTILE" -e 'io.write "ready\n" io.flush() while true do end' >"$TMP/out" 2>"$TMP/err" &
    pid=$!
    until grep -qs ready "$TMP/out"; do sleep 0.05; done
    kill -$signal $pid
    wait $pid
    echo "$signal [$?]"
    cat "$TMP/err"
done
