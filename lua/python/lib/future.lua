-- python/lib/future.lua: Python's module __future__: every feature is on.

local M = {}
for _, name in ipairs {"annotations", "division", "print_function", "absolute_import", "unicode_literals",
  "generators", "nested_scopes", "with_statement", "generator_stop", "barry_as_FLUFL"} do
  M[name] = true
end

return M
