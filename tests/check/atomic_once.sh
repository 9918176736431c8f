# An atomic of the block, in both languages of messages.
../../build/moontile lib/atomic_once.lua 2>&1
../../build/moontile --lang zh lib/atomic_once.lua 2>&1 | sed -n 1,4p
