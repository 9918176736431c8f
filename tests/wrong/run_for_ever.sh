MOONTILE_TIME_LIMIT=0.3 "$MOONTILE" lib/run_for_ever.lua
echo "exit $?"
MOONTILE_TIME_LIMIT=0.3 "$MOONTILE" --lang zh lib/run_for_ever.lua
echo "exit $?"
