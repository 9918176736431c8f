-- explainfile.lua: `moontile explain FILE [-t TARGET] [--json]`: what each kernel that FILE
-- compiles or calls costs on a machine, on one page; with --json a line for each of them,
-- the facts of k:explain{json = true}.  Nothing is launched, so FILE runs with the sizes that
-- it has: what a kernel costs at those.

local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local explain = require "moontile.tl.explain"
local json = require "moontile.tl.json"

local M = {}

-- run{file =, target = nil, json = false}
function M.run(o)
  local kernels, seen = {}, {}
  _G.arg = {[0] = o.file}
  dry.run(o.file, function(k)
    local key = tostring(k.P)
    if not seen[key] then
      seen[key] = true
      kernels[#kernels + 1] = k
    end
  end, dry.checked)
  if #kernels == 0 then
    diag.fail("emit_none", o.file)
  end
  local opts = {target = o.target}
  for i, k in ipairs(kernels) do
    if o.json then
      io.stdout:write(json.public((select(2, explain.analyze(k, opts)))), "\n")
    else
      io.stdout:write(i > 1 and "\n" or "")
      require("moontile.repl.page").print(k, opts, require("moontile.term").terminal())
    end
  end
end

return M
