# A variable may have the name of Lua's own functions and libraries; :reset gives those back.
"$MOONTILE" -i -t cpu 2>&1 <<'IN'
table, string, select = tl.arange(3), "text", 5
table
:vars
1 + nil
:reset
:vars
table.concat({1, 2}, "+")
IN
