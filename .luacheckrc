-- Settings of luacheck for `make lint`, which names the files: those in the
-- dialect (lua/examples, lua/ops, puzzles, most tests) are no plain Lua, and
-- luacheck cannot read them.  .ci/lint looks at the width of lines.
std = "lua54"
max_line_length = false
unused_args = false
