# A size at which a kernel does not end is left out, and those that are no smaller are not tried.
MOONTILE_TIME_LIMIT=0.4 "$MOONTILE" --lang en check lib/late.lua 2>&1
MOONTILE_TIME_LIMIT=0.4 "$MOONTILE" --lang zh check lib/late.lua 2>&1 | grep E922 | head -1
