MOONTILE_TIME_LIMIT=0.2 "$MOONTILE" lib/stuck_where.lua
echo "exit $?"
MOONTILE_TIME_LIMIT=0.2 "$MOONTILE" --lang zh lib/stuck_where.lua text
echo "exit $?"
