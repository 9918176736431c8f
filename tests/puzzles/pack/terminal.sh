# On a terminal: another version is asked about; `puzzles --from` makes a folder and watches it.
. ../../program/lib/terminal.sh
. lib/pack.sh
course "$TMP/course"
SUM=$(sum_of "$TMP/course" "$TMP/course.json")
course "$TMP/next" 1.1
SUM2=$(sum_of "$TMP/next" "$TMP/next.json")
export HEIGHT=24 WIDTH=100
STARTED_FROM="sh -c 'export XDG_DATA_HOME=$XDG_DATA_HOME; cd $HOME; \
    m=\"$MOONTILE --lang en puzzles\"; \$m get $TMP/course.json >/dev/null; \$m get $TMP/next.json; \
    \$m packs; read x; exec \$m --from course'"
start
wait_for 'y/N'
keys n Enter
wait_for 'E817'
wait_for 'course 1.0'
keys Enter
wait_for 'Three small puzzles'
screen | grep -e '0/2' -e 'Three small'
keys q
wait_for icanon
(cd "$HOME/course" && find . -type f | LC_ALL=C sort)
stop
STARTED_FROM="sh -c 'export XDG_DATA_HOME=$XDG_DATA_HOME; cd $HOME/course; m=\"$MOONTILE --lang en puzzles\"; \
    \$m get $TMP/next.json; \$m packs; read x; exec \$m --from course'"
start
wait_for 'y/N'
keys y Enter
wait_for 'course 1.1  Two'
keys Enter
wait_for '0/2'
keys q
wait_for icanon
find "$HOME" -name course | brief
