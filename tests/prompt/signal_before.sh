# A signal that comes while something runs in between two waits, as hints and what a new
# prompt prepares do, is seen by the next wait at once and not behind the next key.
. ../program/lib/terminal.sh
cat >"$TMP/k.lua" <<'X'
local screen = require "moontile.screen"
screen.open()
local said = {}
for _, signal in ipairs {"WINCH", "CONT", "TSTP"} do
  screen.run(function() os.execute("kill -" .. signal .. " $PPID") end) -- it has no shell to stop for
  said[#said + 1] = signal .. ": " .. screen.wait()
end
screen.close()
print(table.concat(said, "\n"))
X
start "$TMP/k.lua"
wait_for '[exit'
screen | grep ':'
stop
