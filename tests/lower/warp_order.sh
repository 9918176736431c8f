# Barriers of warps that order some lanes: what is said of each program of lib/warp_order.lua.
"$MOONTILE" lib/warp_order.lua 2>&1 | grep -v '^help: '
