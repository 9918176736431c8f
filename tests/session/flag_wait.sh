# A kernel that never ends since a block waits for one that has not begun.
for t in cpu "sim -arch=sm_80"; do MOONTILE_TIME_LIMIT=0.3 "$MOONTILE" --lang en -t "$t" lib/flag_wait.lua 2>&1; done
MOONTILE_TIME_LIMIT=0.3 "$MOONTILE" --lang zh -t cpu lib/flag_wait.lua 2>&1
