# Generated kernels in Python (lib/round_made.lua): exported as Python and read again, and converted to Lua, they are the
# same tile program.  A long run: moontile lib/round.lua DIR 1 10000 show
"$MOONTILE" --lang en lib/round.lua "$TMP" 1 60 2>/dev/null
