-- help/given.lua: what the program hands in when it starts; help knows nothing of what stands above it.
--
--   sources   names of modules that add rows: each is called with help's registry
--   prompt    the session: env and baseline, its variables and those that were there before it;
--             compile, run, table_of_keys as moontile.prompt has them.  Without one: no variables.

return {sources = {}, prompt = {env = {}, baseline = {}}}
