"$MOONTILE" lib/notes_right.lua 2>&1
