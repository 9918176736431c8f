# Every command's example is typed at the prompt, each in a session of its own behind the
# prelude of the examples: none may hit a bug of ours, and only those that cannot do their
# work here may refuse.
: "${TMP:?}"
cat >"$TMP/prelude.lua" <<'X'
io.write((require "moontile.help.prelude"))
X
"$MOONTILE" "$TMP/prelude.lua" >"$TMP/prelude"
cat >"$TMP/list.lua" <<'X'
for _, r in ipairs(require("moontile.help").list "command") do
  print((r.name:gsub("^:", "")) .. "\t" .. r.example:gsub("\n", "\\n"))
end
X
"$MOONTILE" "$TMP/list.lua" >"$TMP/list"
cd "$TMP" || exit
printf 'print "ran"\n' >kernel.lua
EDITOR=true VISUAL=true
export EDITOR VISUAL
tab=$(printf '\t')
while IFS=$tab read -r name example; do
    { echo '--'; sed 's/ *--.*//' prelude; printf '%b\n' "$example"; } >in
    timeout 300 "$MOONTILE" -t cpu -i <in >out 2>err || echo ":$name: exit status $?"
    if grep -q 'E999\|stack traceback' out err; then
        echo ":$name hits a bug"
        cat err
    elif [ -s err ]; then
        sed "s/^/:$name: /" err
    fi
done <list
wc -l <list | awk '{ print ($1 > 20 ? "more than 20 commands" : "few commands") }'
