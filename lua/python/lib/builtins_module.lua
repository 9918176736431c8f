-- python/lib/builtins_module.lua: Python's module builtins.

return require("moontile.python.builtins").names
