-- tl/benchfile.lua: `moontile bench FILE [-t TARGET] [--json]`: k:bench() of every kernel
-- that FILE launches or compiles, on the inputs of its first launch; one that is compiled
-- only gets random ones, where its sizes are known.
--
-- FILE runs once with launches left out: outputs read as zeros, its own checks and times
-- say nothing, and what it prints goes to stderr.  Then the kernels are timed, each as
-- k:bench does it, with its table; with --json a line for each of them:
--     {"kernel": "mm", "parameters": "A: float16[64, 32], B: float16[32, 64]",
--      "target": "cpu", "device": "AMD EPYC", "inputs": "launch" | "random", "runs": 26,
--      "ms": 1.5, "q1": 1.4, "q3": 1.6, "flushed": true, "batch": 1, "flops": 2.1e9,
--      "bytes": 6.2e6, "tflops": 1.4, "tbs": 0.004, ..}
-- Fields are those of k:bench's result, but for the single times; those that are not known
-- are left out.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local json = require "moontile.tl.json"
local kernel = require "moontile.tl.kernel"
local tensor = require "moontile.tensor"
local term = require "moontile.term"

local M = {}

local fields = {"kernel", "target", "device", "runs", "ms", "q1", "q3", "mhz", "flushed", "batch",
  "flops", "bytes", "tflops", "tbs", "of_flops", "of_bytes", "blocks", "waves", "resident"}

-- Kernels of a file in the order in which they are made: {{kernel =, values =}, ..}.
local function kernels_of(file)
  local list, at = {}, {}
  _G.arg = {[0] = file}
  local _ <close> = setmetatable({}, {__close = function() device.launched = nil end})
  device.launched = function(k, values)
    local c = at[k]
    if c then
      c.values = c.values or values
    end
  end
  dry.run(file, function(k)
    if not at[k] then
      at[k] = {kernel = k}
      list[#list + 1] = at[k]
    end
  end, dry.checked)
  return list
end

-- Says on a terminal which kernel is being timed; what it gives takes that back.
local function progress(i, n, name)
  local tty = term.terminal(io.stderr).tty
  local function show(s)
    if tty then
      io.stderr:write("\r\27[K", s)
      io.stderr:flush()
    end
  end
  show(("%d/%d %s "):format(i, n, name))
  return setmetatable({}, {__close = function() show "" end})
end

-- Its parameters as text: "A: float16[64, 32], n: int32"
local function parameters(k, values)
  local parts = {}
  for i, p in ipairs(k.inputs) do
    local v = values and values[i]
    parts[i] = tensor.istensor(v) and ("%s: %s[%s]"):format(p.name, v.dtype,
      table.concat(v.shape, ", ")) or kernel.param_text(p)
  end
  return table.concat(parts, ", ")
end

local say = {launch = {"-- %s; its first launch", "-- %s；首次启动的输入"},
  random = {"-- %s; random inputs", "-- %s；随机输入"}}

local function head(k, c)
  local t = say[c.values and "launch" or "random"]
  return t[diag.lang() == "zh" and 2 or 1]:format(parameters(k, c.values))
end

local function data(k, c, r)
  local t = {inputs = c.values and "launch" or "random", parameters = parameters(k, c.values)}
  for _, name in ipairs(fields) do
    t[name] = r[name]
  end
  return t
end

-- run{file =, target = nil, json = false}
function M.run(o)
  local list = kernels_of(o.file)
  if #list == 0 then
    diag.fail("emit_none", o.file)
  end
  for i, c in ipairs(list) do
    local k, r
    do
      local _ <close> = progress(i, #list, c.kernel.name)
      k = c.kernel:retarget(o.target or c.kernel.target)
      r = k:bench{inputs = c.values}
    end
    if o.json then
      io.stdout:write(json.public(data(k, c, r)), "\n")
    else
      io.stdout:write(i > 1 and "\n" or "", head(k, c), "\n", tostring(r), "\n")
    end
    io.stdout:flush()
  end
end

return M
