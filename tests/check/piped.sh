# E597: T.Pipelined(n, 3).
"$MOONTILE" --lang en lib/piped.lua
"$MOONTILE" --lang zh lib/piped.lua
