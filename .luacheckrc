-- Settings of luacheck for `make lint`, which names the files: those in the
-- dialect (lua/examples, lua/ops, puzzles, most tests) are no plain Lua, and
-- luacheck cannot read them.
std = "lua54"
max_line_length = 120
