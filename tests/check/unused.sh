# E522 speaks of what no size uses.
"$MOONTILE" --lang en lib/unused.lua
