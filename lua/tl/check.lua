-- tl/check.lua: does a kernel hold on small, awkward sizes?
--
--   k:check()                                    sizes derived from the kernel
--   k:check{target = "sim -arch=sm_90a", sizes = {{M = 65, N = 1, K = 33}}, seed = 3}
--
-- For each size (tl/sizes.lua) the kernel runs twice on the same random inputs:
-- in the simulator, which finds races, reads of unwritten memory, bad indices
-- and deadlocks, and on the cpu target, whose results it must agree with.
-- Outputs start as poison between two guard bands of poison.  A wrong element
-- is followed to the thread that wrote it.
--
-- A kernel that names its threads is no C on the cpu target, which executes the same thread
-- program; it is run again with the threads in another order instead, and must say the same.  What a
-- kernel means to compute only its author knows: ref.
--
-- Options: target, sizes, seed, all (do not stop at the first error), ref = a
-- function of copies of the kernel's inputs that returns its outputs.
-- -> {ok, kernel, target, runs = {{size, verdict = "ok" | "wrong" | "refused", error,
--     reference = "cpu" | "order", failed = {name, actual, expected, rtol, atol} where
--     results differ}, ..}}

local compare = require("moontile.ref").compare
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local guard = require "moontile.tl.guard"
local kernel = require "moontile.tl.kernel"
local options = require("moontile.tl.tensor").rules.options
local sizes = require "moontile.tl.sizes"
local tensor = require "moontile.tensor"
local testing = require "moontile.tl.testing"
local tl = require "moontile.tl.tensor"
local types = require "moontile.base.types"

local M = {}

local MaxElements = 1 << 20 -- of all tensors of one run

-- Data --------------------------------------------------------------------------------------

-- A scalar that is neither 0 nor 1 where it can be.
local function scalar(p)
  local c = types.info(p.dtype).class
  return c == "F" and 0.75 or c == "B" and true or 3
end

-- Random arguments of k, and how many elements they have.
local function inputs(k, size)
  local values, total = k:get_profiler():inputs(size or k.dim_sizes, scalar), 0
  for _, v in ipairs(values) do
    total = total + (tensor.istensor(v) and v:numel() or 0)
  end
  return values, total
end

-- The same with integers that can be indices: 0 and 1.
local function indices(values)
  local r, changed = {}, false
  for i, v in ipairs(values) do
    r[i] = v
    if tensor.istensor(v) and types.info(v.dtype).class == "I" then
      r[i], changed = tl.randint(0, 2, v.shape, v.dtype), true
    end
  end
  return changed and r or nil
end

-- Is each of 0 .. n - 1 once in tensor v of n integers?
local function is_permutation(v)
  local n, seen = v:numel(), {}
  local flat = v:reshape {n}
  for i = 0, n - 1 do
    local x = flat[i]
    if x < 0 or x >= n or seen[x] then
      return false
    end
    seen[x] = true
  end
  return n > 1
end

-- Arguments of k that held a permutation when it was called: at other sizes they hold one, too.
local function permutations(k)
  local r = {}
  for i, v in pairs(k.inputs_last or {}) do
    r[i] = tensor.istensor(v) and types.info(v.dtype).class == "I" and v:numel() <= MaxElements and
      is_permutation(v) or nil
  end
  return r
end

-- values with permutations in the places that `which` names.
local function permuted(values, which, seed)
  for i in pairs(which) do
    local v = values[i]
    local n, list = v:numel(), {}
    if n <= 1 << math.min(types.info(v.dtype).bits, 32) - 1 then
      for k = 1, n do
        list[k] = k - 1
      end
      for k = n, 2, -1 do
        seed = (seed * 6364136223846793005 + 1442695040888963407) & math.maxinteger
        local j = 1 + (seed >> 20) % k
        list[k], list[j] = list[j], list[k]
      end
      values[i] = tl.from_table(list, v.dtype):reshape(v.shape)
    end
  end
end

-- Running ------------------------------------------------------------------------------------

-- k on `values`, which it may change: its outputs and then its tensor inputs,
-- {name =, t =} each; or nil and the error.  print: what takes its output.
local function run(k, values, print)
  local alloc, bands = guard.guarded()
  local ok, r = sizes.with({target = k.target}, function()
    return table.pack(k:launch(values, #values, alloc, print))
  end)
  if not ok then
    return nil, r
  end
  local which, at = guard.touched(bands)
  if which then
    return nil, diag.make("check_guard", k.name, tostring(at))
  end
  local list = {}
  for i, s in ipairs(k.outs) do
    list[i] = {name = s.param.name, t = r[i]}
  end
  for i, v in ipairs(values) do
    if tensor.istensor(v) then
      list[#list + 1] = {name = k.inputs[i].name, t = v}
    end
  end
  return list
end

local function silent() end

-- Comparing ----------------------------------------------------------------------------------

-- Tolerances for sums in another order: a few units in the last place of the
-- result's type, scaled by how much was added up.
local function tolerance(dtype, longest)
  local t = testing.tolerance[dtype]
  if not t then
    return 0, 0
  end
  return 4 * t[1], t[2] * math.max(1, math.sqrt(longest)) + 4 * t[1]
end

-- Copies of a and b in which elements that are not finite, and alike, are 0.
local function finite(a, b)
  local x, y = a:copy():reshape {a:numel()}, b:copy():reshape {b:numel()}
  for i = 0, x:numel() - 1 do
    local v, w = x[i], y[i]
    if (v ~= v and w ~= w) or (v == w and (v == math.huge or v == -math.huge)) then
      x[i], y[i] = 0, 0
    end
  end
  return x:reshape(a.shape), y:reshape(b.shape)
end

-- Adds who wrote element `at` of k's buffer, by running it once more.
local function blame(err, k, name, t, at, values)
  local who = guard.writer(k, name, t, at, function(again, print)
    run(again, tl.copies(values), print)
  end)
  local element = ("%s[%s]"):format(name, table.concat(at, ", "))
  if who == "nobody" then
    return diag.note(err, "check_nobody", nil, 0, 0, element)
  elseif who then
    return diag.note(err, "check_writer", who.file, who.line, who.col, element,
      tostring(who.thread), who.block)
  end
  return err
end

-- The first buffer of `got` that is not close to that of `want`, as an error, and the two
-- tensors; kind: what `want` is, "cpu", "order" or "ref".
local function differs(k, got, want, longest, values, kind)
  for i, w in ipairs(want) do
    local a, b = got[i].t, w.t
    local rtol, atol = tolerance(b.dtype, longest)
    local o = {rtol = rtol, atol = atol}
    if not pcall(testing.assert_close, a, b, o) then
      if types.info(b.dtype).class == "F" then
        a, b = finite(a, b)
      end
      local ok, err = pcall(testing.assert_close, a, b, o)
      if not ok and diag.isdiag(err) then
        err = diag.note(err, "check_" .. kind, nil, 0, 0, w.name, k.target)
        return blame(err, k, w.name, b, compare(a, b, rtol, atol).first, values),
          {name = w.name, actual = a, expected = b, rtol = rtol, atol = atol}
      elseif not ok then
        return err
      end
    end
  end
end

-- One size -----------------------------------------------------------------------------------

local function longest_of(values)
  local longest = 1
  for _, v in ipairs(values) do
    for _, d in ipairs(tensor.istensor(v) and v.shape or {}) do
      longest = math.max(longest, d)
    end
  end
  return longest
end

-- What the results must agree with: the cpu target's, or those of another order
-- of the threads; nil and the reason.
local function reference_run(kind, cpu, sim, values, seed)
  if kind == "cpu" then
    return run(cpu, tl.copies(values), silent)
  end
  return run(sim:retarget(("%s -seed=%d"):format(sim.target, seed + 1)), tl.copies(values), silent)
end

-- What opts.ref says, in the form of run().
local function expected(k, ref, values)
  local r = table.pack(ref(table.unpack(tl.copies(values), 1, #values)))
  local list = {}
  for i, s in ipairs(k.outs) do
    if not tensor.istensor(r[i]) then
      diag.fail("check_refs", k.name, #k.outs, i, tostring(r[i]))
    end
    list[i] = {name = s.param.name, t = r[i]}
  end
  return list
end

-- Is this why a kernel gave no result: it did not finish in the time it may take?
local function late(why)
  return diag.isdiag(why) and (why.id == "timeout" or why.id == "timeout_work")
end

-- Runs the simulated kernel and compares.  -> "ok", or "wrong" or "refused" and why
local function verdict_of(sim, want, failed, values, ref, kind)
  local found, why = run(sim, tl.copies(values), silent)
  if not found then
    return late(why) and "refused" or "wrong", why
  elseif not want then
    return "wrong", failed
  end
  local longest = longest_of(values)
  if sim.found then -- values that are right by luck: another device has others
    return "wrong", sim.found
  end
  local err, failed_at = differs(sim, found, want, longest, values, kind)
  if not err and ref then
    err, failed_at = differs(sim, found, expected(sim, ref, values), longest, values, "ref")
  end
  return err and "wrong" or "ok", err, failed_at
end

-- -> "ok", or "refused", "wrong" with the reason; what it was compared with
local function try(k, size, target, seed, ref)
  local ok, cpu = sizes.again(k, size, "cpu")
  local kind = "cpu"
  if not ok then
    return "refused", cpu
  elseif #kernel.by_threads(cpu) > 0 then
    kind = "order"
  end
  local fine, sim = sizes.again(k, size, target)
  if not fine then
    return kind == "order" and "refused" or "wrong", sim
  end
  tl.manual_seed(seed)
  local made, values, total = pcall(inputs, sim, size)
  if not made then
    return "refused", values
  elseif total > MaxElements then
    return "refused", diag.make("check_large", k.name, tostring(total), tostring(MaxElements))
  end
  local which = permutations(k)
  permuted(values, which, seed)
  local want, failed = reference_run(kind, cpu, sim, values, seed)
  if late(failed) then -- so would the others be
    return "refused", failed
  end
  local small = not want and not next(which) and indices(values)
  if small then -- integers that are indices, perhaps
    values = small
    want, failed = reference_run(kind, cpu, sim, values, seed)
  end
  local verdict, why, tensors = verdict_of(sim, want, failed, values, ref, kind)
  return verdict, why, kind, tensors
end

-- Is each number of b at least that of a?
local function covers(b, a)
  for name, n in pairs(a) do
    if not math.tointeger(n) or not math.tointeger(b[name]) or b[name] < n then
      return false
    end
  end
  return true
end

-- Why `size` is not tried: it is no smaller than one at which k did not finish; or nil.
local function late_before(k, runs, size)
  for _, r in ipairs(runs) do
    if late(r.error) and r.size and size and covers(size, r.size) then
      return diag.make("check_late", k.name, sizes.text(r.size), tostring(device.time_limit()))
    end
  end
end

-- All sizes -----------------------------------------------------------------------------------

local words = {
  ok = {"ok", "通过"}, refused = {"left out", "略过"}, wrong = {"WRONG", "有错"},
  own = {"its own shapes", "自身的形状"},
  order = {" (compared with another order of the threads)", "（与另一种线程顺序的结果比较）"},
}

local function first_line(err)
  local s = tostring(err):match "^[^\n]*"
  return diag.isdiag(err) and ("%s: %s"):format(err.code, err.message) or s
end

-- Reasons that a smaller size need not have.
local other_sizes = {check_large = true, check_late = true, timeout = true,
  timeout_work = true}

-- Where no size could be checked: the whole text of each reason, once.  -> is it one at all sizes,
-- for which other ones are no remedy?
local function in_full(runs, report)
  local said, n, other = {}, 0, false
  for _, r in ipairs(runs) do
    local why = r.error
    local large = not diag.isdiag(why) or other_sizes[why.id]
    local text = not large and tostring(why)
    other = other or large
    if text and not said[why.code] then
      said[why.code], n = true, n + 1
      report(text .. "\n")
    end
  end
  return n == 1 and not other
end

local known = {target = true, sizes = true, seed = true, all = true, ref = true}

-- Warnings were said when k was made.
local everything = setmetatable({}, {__index = function() return true end})

-- Checks k; report(text) is called as results come.
function M.check(k, opts, report)
  opts = options("kernel:check", opts, known)
  report = report or silent
  local target = opts.target and device.resolve(opts.target) or device.simulator(k.spec)
  local result = {ok = true, runs = {}, kernel = k.name, target = target}
  local zh = diag.lang() == "zh" and 2 or 1
  local tried = 0
  if device.emit then -- under `moontile compile` and `check` nothing runs here
    return result
  end
  local said = k.said
  local _ <close> = setmetatable({}, {__close = function() k.said = said end})
  local _ <close> = require("moontile.tl.tensor").seeded(0)
  k.said = everything
  report(("%s, %s\n"):format(k.name, target))
  for i, size in ipairs(opts.sizes or sizes.list(k)) do
    local before = late_before(k, result.runs, size)
    local verdict, why, kind, tensors = "refused", before
    if not before then
      verdict, why, kind, tensors = try(k, size or nil, target, (opts.seed or 0) + i, opts.ref)
    end
    result.runs[i] = {size = size or nil, verdict = verdict, error = why, reference = kind,
      failed = tensors}
    tried = tried + (verdict == "refused" and 0 or 1)
    report(("  %-40s %s%s\n"):format(size and sizes.text(size) or words.own[zh],
      words[verdict][zh], verdict == "refused" and ": " .. first_line(why) or
        verdict == "ok" and kind == "order" and words.order[zh] or ""))
    if verdict == "wrong" then
      result.ok = false
      report(tostring(why) .. "\n")
      if not opts.all then
        break
      end
    end
  end
  if tried == 0 then
    result.ok = false
    if not in_full(result.runs, report) then
      report(tostring(diag.make("check_none", k.name)) .. "\n")
    end
  end
  return result
end

return M
