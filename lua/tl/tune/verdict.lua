-- tl/tune/verdict.lua: does a configuration compute the right thing?
--
-- Its results are compared with those of ref_prog, or of the first configuration that
-- ran: different tiles may round differently, and no more.

local diag = require "moontile.diag"
local ref = require "moontile.ref"
local slice = require("moontile.T").slice
local tensor = require "moontile.tensor"

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

-- What a run leaves: returned tensors, or the arguments that it wrote to.
local function results(k, values)
  local returned = table.pack(k(table.unpack(values)))
  if returned.n > 0 then
    return returned
  end
  local r = {}
  for i, s in ipairs(k.slots) do
    local v = s.input and values[s.input]
    if v and tensor.istensor(v) and (not k.written or k.written[i]) then
      r[#r + 1] = v
    end
  end
  return r
end

-- What is expected of all candidates; kept for the others.
local function expected(task, got)
  if not task.want then
    local want = task.ref_prog and table.pack(task.ref_prog(table.unpack(fresh(task.values))))
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
  local want = expected(task, got)
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
