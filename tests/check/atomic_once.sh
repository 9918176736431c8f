# An atomic of the block, in both languages of messages.
"$MOONTILE" lib/atomic_once.lua 2>&1
"$MOONTILE" --lang zh lib/atomic_once.lua 2>&1 | sed -n 1,4p
