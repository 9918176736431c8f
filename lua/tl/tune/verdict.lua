-- tl/tune/verdict.lua: does a configuration compute the right thing?
--
-- Its results are compared with those of ref_prog, or of the first configuration that
-- ran: different tiles may round differently, and no more.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ref = require "moontile.ref"
local slice = require("moontile.T").slice
local tensor = require "moontile.tensor"
local W = require "moontile.base.translations"

local M = {}

-- Inputs that a kernel may write to are copied for each run.
local function fresh(values, k)
  local writes = not (k and k.written)
  for i, s in ipairs(k and k.slots or {}) do
    writes = writes or s.input ~= nil and k.written[i]
  end
  if not writes then
    return values
  end
  local r = {}
  for i, v in ipairs(values) do
    r[i] = tensor.istensor(v) and v:copy() or v
  end
  return r
end

-- The arguments that k writes to.
local function written(k, values)
  local r = {}
  for i, s in ipairs(k.slots) do
    local v = s.input and values[s.input]
    if v and tensor.istensor(v) and (not k.written or k.written[i]) then
      r[#r + 1] = v
    end
  end
  return r
end

-- What a run leaves: returned tensors, or the arguments that it wrote to.
local function results(k, values)
  local returned = table.pack(k(table.unpack(values)))
  return returned.n > 0 and returned or written(k, values)
end

-- What ref_prog says of a kernel: a tensor, several or a list of them; nothing where it has written to its
-- arguments, as the kernel has.  One for each of the kernel's, or some would be compared with nothing.
local function reference(task, k, got)
  local values = fresh(task.values)
  local want = table.pack(task.ref_prog(table.unpack(values)))
  local first = want[1]
  if want.n == 1 and type(first) == "table" and tensor.istensor(first[1]) then
    want = first
  elseif first == nil and got.n == nil then
    want = written(k, values)
  end
  for i = 1, math.max(#got, #want, 1) do
    if not got[i] or not tensor.istensor(want[i]) then
      diag.fail("tune_reference", #got, i, want[i] == nil and W"nothing" or describe(want[i]))
    end
  end
  return want
end

-- What is expected of all candidates; kept for the others.
local function expected(task, k, got)
  if not task.want then
    local want = task.ref_prog and reference(task, k, got)
    task.want, task.want_by = want or got, want and "ref_prog" or "first"
  end
  return task.want
end

local function place(at)
  return "[" .. table.concat(at, ", ") .. "]"
end

local most = 1 << 21 -- elements of a result that are all compared

-- Rows [from, to) of large results: the first, middle and last ones.
local function slabs(t)
  local rows = t.shape[1]
  if t.ndim == 0 or t:numel() <= most or rows < 6 then
    return {false}
  end
  local n = math.max(1, math.min(rows // 3, most // 3 * rows // t:numel()))
  return {{0, n}, {(rows - n) // 2, (rows + n) // 2}, {rows - n, rows}}
end

-- -> false, or the first difference: its place, got, want and part of the elements
local function differ(task, g, w)
  for _, slab in ipairs(slabs(w)) do
    local a, b = g, w
    if slab then
      local rows = {slice(slab[1], slab[2])}
      a, b = g[rows], w[rows]
    end
    local d = ref.compare(a, b, task.rtol or 1e-2, task.atol or 1e-2)
    if d.bad > (task.max_mismatched_ratio or 0.01) * d.count then
      d.first[1] = d.first[1] and d.first[1] + (slab and slab[1] or 0)
      return d
    end
  end
  return false
end

-- Refuses c where its results differ.
function M.check(task, c)
  if task.skip_check then
    return
  end
  local got = results(c.kernel, fresh(task.values, c.kernel))
  local want = expected(task, c.kernel, got)
  if task.manual_check_prog then
    task.manual_check_prog(got, want)
    return
  elseif want == got then
    return
  end
  for i, w in ipairs(want) do
    local g = got[i]
    if not tensor.istensor(g) or table.concat(g.shape, ",") ~= table.concat(w.shape, ",") then
      c.failed, c.stage = diag.make("tune_results", c.text, i), "check"
      return
    end
    local d = differ(task, g, w)
    if d then
      c.failed = diag.make(task.want_by == "first" and "tune_differs" or "tune_wrong", c.text,
        place(d.first), ("%.6g"):format(d.got), ("%.6g"):format(d.want),
        ("%.3g"):format(100 * d.bad / d.count))
      c.stage = "check"
      return
    end
  end
end

return M
