# The terminal is given back on every way out; where there is none, that is said.
. ../../program/lib/terminal.sh
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
echo '--- no terminal'
"$MOONTILE" puzzles; echo "[exit $?]"
TERM=dumb "$MOONTILE" --lang zh puzzles; echo "[exit $?]"
echo '--- killed'
start puzzles; wait_for 'q quit'
kill -TERM "$(cat "$TMP/pid")"; wait_for icanon; screen
[ "$(in_tmux display-message -p '#{alternate_on}#{cursor_flag}#{wrap_flag}')" = 011 ] || echo 'not restored'
stop
echo '--- stopped and gone on with'
STARTED_FROM='env PS1= sh' start; keys "$MOONTILE puzzles" Enter; wait_for 'q quit'
keys C-z; wait_for 'Stopped'
[ "$(in_tmux display-message -p '#{alternate_on}#{cursor_flag}#{wrap_flag}')" = 011 ] || echo 'not restored'
keys 'fg' Enter; wait_for 'q quit'; keys t; keys q; wait_for 'continues here'
keys 'stty -a | grep -o -e "-*icanon"' Enter; wait_for icanon
stop
echo '--- an error of the judge, and a check that takes long'
cat >slow.lua <<'E'
local judge = require "moontile.puzzles.judge"
local real = judge.judge
function judge.judge(p, o)
  if o.text:find "broken" then
    error "the judge is broken"
  end
  while o.text:find "slow" do
    o.report {part = "copy", stage = "visible", done = 1, of = 3}
  end
  while o.text:find "mute" do
  end
  return real(p, o)
end
os.exit(require("moontile.puzzles.course.main").run {})
E
printf '#!/bin/sh\necho edits "$1" >>%s/log\n' "$TMP" >"$TMP/editor"
chmod +x "$TMP/editor"
WIDTH=100 EDITOR=$TMP/editor STARTED_FROM="sh -c 'echo \$\$ >$TMP/pid; exec $MOONTILE slow.lua'" start; wait_for 'q quit'
echo '-- mute' >01-copy.lua; wait_for 'Ctrl-C stops it'; screen | tail -n 1
keys C-c; wait_for 'was stopped'
echo '-- slow' >01-copy.lua; wait_for 'sizes shown 1/3  (Ctrl-C stops it)'; screen | tail -n 1
echo '-- broken' >01-copy.lua; wait_for 'judge is broken'; screen | head -n 2
cp "$small/01-copy/solution.lua" 01-copy.lua; wait_for 'right.'
keys e; wait_for 'right.'; keys C-d; wait_for icanon; screen
cat "$TMP/log"
stop
echo '--- an editor'
printf '#!/bin/sh\ncp "%s/${1%%.lua}/solution.lua" "$1"\n' "$small" >"$TMP/editor"
STARTED_FROM="$MOONTILE puzzles --edit-cmd '$TMP/editor'" start
wait_for 'One load'; keys n; wait_for '] 2/3'; keys q; wait_for icanon; screen
