# The table of a benchmark on a GPU, in both languages.
"$MOONTILE" --lang en lib/table.lua
"$MOONTILE" --lang zh lib/table.lua
