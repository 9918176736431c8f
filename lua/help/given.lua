-- help/given.lua: what the program hands in when it starts; help knows nothing of what stands above it.
--
--   sources   names of modules that add rows: each is called with help's registry
--   prompt    the session: env and baseline, its variables and those that were there before it;
--             compile, run, table_of_keys as moontile.prompt has them.  Without one: no variables.
--   python    the name of a module that says things in Python (repl/pyhelp.lua), for a prompt that reads it

local M = {sources = {}, prompt = {env = {}, baseline = {}}}

-- That module while the prompt reads Python, or nil.
function M.in_python()
  local language = M.prompt.language
  return M.python and language and language() == "python" and require(M.python) or nil
end

return M
