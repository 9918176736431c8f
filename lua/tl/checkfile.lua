-- tl/checkfile.lua: `moontile check FILE [-t TARGET] [--json]`: k:check() of every
-- kernel that FILE compiles or calls; with --json a line for each of them:
--     {"kernel": "f", "ok": true, "runs": [{"size": {"M": 65}, "verdict": "ok"}, ..],
--      "target": "sim"}
-- device.small is set while FILE runs, so that one which has such a mode (the examples do) makes
-- kernels of a size that can be simulated; `arg` is what the user passes.
-- A run that is wrong or refused has "error": {"code", "id", "line", "file", "text"}.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local json = require "moontile.tl.json"

local M = {ok = true} -- ok: was all right that run() has looked at?

local function error_data(e)
  local r = {text = tostring(e)}
  if diag.isdiag(e) then
    r.code, r.id = e.code, e.id
    if e.line > 0 then
      r.line, r.file = e.line, e.file
    end
  end
  return r
end

local function result_data(r)
  local runs = {}
  for i, run in ipairs(r.runs) do
    runs[i] = {size = run.size, verdict = run.verdict, reference = run.reference,
      error = run.error and error_data(run.error)}
  end
  return {kernel = r.kernel, target = r.target, ok = r.ok, runs = runs}
end

-- The same function with the same constants apart from sizes: checked once.
local function key_of(k)
  local parts = {("%p"):format(k.jit or k.P)}
  for name, v in pairs(k.config) do
    if not (k.used and k.used[name]) then
      parts[#parts + 1] = ("%s=%s"):format(name, tostring(v))
    end
  end
  table.sort(parts)
  return table.concat(parts, ",")
end

-- run{file =, target = nil, json = false}; sets M.ok
function M.run(o)
  local check = require("moontile.tl.check").check
  local kernels, seen = {}, {}
  local _ <close> = setmetatable({}, {__close = function() device.small = nil end})
  device.small = true
  dry.run(o.file, function(k)
    kernels[#kernels + 1] = k
  end, dry.checked)
  if #kernels == 0 then
    diag.fail("emit_none", o.file)
  end
  for _, k in ipairs(kernels) do
    local key = key_of(k)
    if not seen[key] then
      seen[key] = true
      local r = check(k, {target = o.target}, not o.json and function(s)
        io.stdout:write(s)
      end or nil)
      if o.json then
        io.stdout:write(json.public(result_data(r)), "\n")
      end
      M.ok = M.ok and r.ok
    end
  end
end

return M
