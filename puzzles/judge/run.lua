-- judge/run.lua: one launch of a learner's program on the judge's own memory.
--
-- The program comes as IR text, is read and verified like any text from outside, and runs
-- on inputs between guard bands and on poisoned outputs; inputs must be the same behind.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local guard = require "moontile.tl.guard"
local ir = require "moontile.ir"
local irtext = require "moontile.irtext"
local jobs = require "moontile.jobs"
local kernels = require "moontile.tl.kernel"
local tensors = require "moontile.tl.tensor"

local M = {}

-- The evaluator has said the warnings already.
local said = setmetatable({}, {__index = function() return true end})

-- Learners count what they wrote: num_stages times the tiles of a loop.
local plain = {["tl.disable_spare_stage"] = true}

-- A kernel for `target` from IR text; raises what the reader and the compiler say.
function M.kernel(text, target)
  local P, params, outs = irtext.parse(text, "=ir")
  if ir.extern(P) then
    diag.fail("judge_name", "T.import_source")
  end
  local last = kernels.last.kernel
  local _ <close> = setmetatable({}, {__close = function() kernels.last.kernel = last end})
  return kernels.new({P = P, name = text:match "kernel%s+([%w_]+)" or "kernel", params = params,
    outs = outs, empties = {}, said = said}, {target = target, pass_configs = plain})
end

-- Compiles several programs at once, so that kernel() finds them in the cache.  What
-- fails here fails there again, with its message.
function M.prebuild(texts, target)
  local spec = device.resolve(target)
  if spec:match "^%S+" == "sim" or #texts < 2 then
    return
  end
  local list, seen = {}, {}
  for _, text in ipairs(texts) do
    local ok, P = pcall(irtext.parse, text, "=ir")
    if ok and not ir.extern(P) and not seen[text] then
      seen[text] = true
      list[#list + 1] = P
    end
  end
  local ready, machine = pcall(device.machine, spec)
  if ready and #list > 1 then
    local pool = jobs.open(machine, math.min(#list, jobs.processors()))
    pool:build(list)
    pool:close()
  end
end

-- How the kernel's parameters differ from the puzzle's: nil, or {en, zh}.
function M.mismatch(k, part)
  local function list(items, dtype)
    local t = {}
    for i, v in ipairs(items) do
      t[i] = dtype(v)
    end
    return table.concat(t, ", ")
  end
  local want_in = list(part.inputs, function(v) return v.dtype or v.scalar end)
  local want_out = list(part.outputs, function(v) return v.dtype end)
  local got_in = list(k.inputs, function(v) return v.dtype end)
  local got_out = list(k.outs, function(s) return s.param.dtype end)
  if want_in ~= got_in then
    return {en = ("`%s` takes (%s); the puzzle asks for (%s)"):format(part.name, got_in, want_in),
      zh = ("`%s` 的参数为 (%s)，题目要求 (%s)"):format(part.name, got_in, want_in)}
  elseif want_out ~= got_out then
    return {en = ("`%s` returns (%s); the puzzle asks for (%s)"):format(part.name, got_out, want_out),
      zh = ("`%s` 返回 (%s)，题目要求 (%s)"):format(part.name, got_out, want_out)}
  end
end

-- Are the bits of two tensors of one shape and dtype the same?
local function same_bits(a, b)
  if tensors.equal(a, b) then
    return true
  end
  local x, y = a:reshape {a:numel()}, b:reshape {b:numel()}
  for i = 0, x:numel() - 1 do
    local v, w = x[i], y[i]
    if v ~= w and (v == v or w == w) then
      return false
    end
  end
  return true
end
M.same_bits = same_bits

-- Launches k on copies of `values`.  -> {outs = tensors, changed = name of an input that was
-- written, guard = {which, at} of a band that was}, error where it raised one.  With an
-- error outs may still hold what was written until then.
function M.launch(k, values, print)
  local alloc, bands = guard.guarded()
  local copies, outs = {}, {}
  for i, v in ipairs(values) do
    if tensors.istensor(v) then
      local t = alloc(v.shape, v.dtype)
      t:copy_(v)
      copies[i] = t
    else
      copies[i] = v
    end
  end
  local last = kernels.last.kernel
  local ok, err = pcall(k.launch, k, copies, #copies, function(shape, dtype)
    local t = alloc(shape, dtype)
    outs[#outs + 1] = t
    return t
  end, print or function() end)
  kernels.last.kernel = last
  local r = {outs = {}, error = not ok and err or nil}
  -- allocated in the order of the slots, asked for in that of the results
  local order = {}
  for _, s in ipairs(k.slots) do
    if s.out then
      order[#order + 1] = s
    end
  end
  for i, s in ipairs(k.outs) do
    for j, o in ipairs(order) do
      if o == s then
        r.outs[i] = outs[j]
      end
    end
  end
  if ok then
    for i, v in ipairs(values) do
      if tensors.istensor(v) and not same_bits(v, copies[i]) then
        r.changed = k.inputs[i].name
      end
    end
    local which, at = guard.touched(bands)
    r.guard = which and {which, at} or nil
  end
  return r
end

-- Who wrote element `at` of output i of k, a simulator's kernel: guard.writer's answer.
function M.writer(k, values, i, out, at)
  return guard.writer(k, k.outs[i].param.name, out, at, function(again, print)
    return M.launch(again, values, print)
  end)
end

-- The text of a diagnostic and what it is called.
function M.error(err)
  if diag.isdiag(err) then
    return {code = err.code, id = err.id, text = tostring(err), message = err.message,
      line = err.line, col = err.col, file = err.file}
  end
  return {code = "E999", id = "bug", text = tostring(err), message = tostring(err), line = 0}
end

return M
