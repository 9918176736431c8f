-- tl/fromir.lua: kernels from IR text: what `kernel:ir()` prints, a tile program
-- or a thread program, becomes a kernel again.
--
--   local k = tl.from_ir(text, {target = "sim -arch=sm_80"})
--   local c = k(a, b)
--
-- The text is checked like any program; buffers marked as outputs are
-- allocated by the call and returned, in the order after the arrow.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local irtext = require "moontile.irtext"
local kernel = require "moontile.tl.kernel"

local W = require "moontile.base.translations"

local M = {}

local function wrong(name, expected, got)
  diag.fail("arg_type", "tl.from_ir", name, expected, describe(got),
    "tl.from_ir(text, {target = \"sim\"})")
end

-- text, {target =, name = what messages call the text}
function M.from_ir(text, opts)
  opts = opts or {}
  if type(text) ~= "string" then
    wrong("text", W"the text of a kernel's IR", text)
  elseif type(opts) ~= "table" then
    wrong("opts", W"a table of options", opts)
  elseif type(opts.name or "") ~= "string" then
    wrong("name", W"a string", opts.name)
  end
  local name = opts.name or "=ir"
  local P, params, outs = irtext.parse(text, name)
  return kernel.new({P = P, name = text:match "kernel%s+([%w_]+)" or "kernel", params = params,
    outs = outs, empties = {}, said = {}}, {target = opts.target})
end

return M
