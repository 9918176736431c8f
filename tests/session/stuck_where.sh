MOONTILE_TIME_LIMIT=0.5 "$MOONTILE" lib/stuck_where.lua
echo "exit $?"
MOONTILE_TIME_LIMIT=0.5 "$MOONTILE" --lang zh lib/stuck_where.lua text
echo "exit $?"
