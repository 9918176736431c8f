-- mutate.lua: seeded bugs.  A correct kernel is lowered to the text of its
-- thread program; each operator below spoils one place of it; the simulator
-- must say what is wrong.
--
--     local mutate = dofile "lib/mutate.lua"
--     mutate.run{name = "gemm", kernel = k, target = "sim -arch=sm_80", args = {a, b}}
--
-- prints a line for each mutant: the operator, the place, the verdict: the
-- code of the finding, "wrong" when only the results differ, or MISSED.
-- A base's `skip` tells the mutants that are still correct programs, and why.

local M = {}

-- Results that are nearer than this are the same: another order of a sum is no bug.
local Close = 2e-3
local Most = 6 -- places of one operator in one kernel, evenly spread (base.most)

-- Operators ----------------------------------------------------------------------
-- {name, pattern of a line, what stands there instead: a function of the line}

local function drop() return false end

local function replace(pattern, with)
  return function(line)
    local new, n = line:gsub(pattern, with, 1)
    return n > 0 and new ~= line and new or nil
  end
end

M.operators = {
  -- order between threads
  {"drop barrier", "^%s*bar_sync", drop},
  {"drop sync_threads", "^%s*call sync_threads", drop},
  {"drop sync_warp", "^%s*call sync_warp", drop},
  {"drop bar_arrive", "^%s*bar_arrive", drop},
  {"another barrier", "^%s*bar_sync id=", replace("id=(%d+)", function(n)
    return "id=" .. n + 7
  end)},
  {"another barrier's number", "^%s*call sync_threads%(%d", replace("%((%d+)", function(n)
    return "(" .. n + 7
  end)},
  {"drop warp_sync", "^%s*warp_sync", drop},
  {"half the threads at a barrier", "^%s*bar_sync.*count=", replace("count=(%d+)", function(n)
    return "count=" .. tonumber(n) // 2
  end)},
  -- asynchronous copies
  {"drop cp_async_wait", "^%s*cp_async_wait", drop},
  {"wait for one group fewer", "^%s*cp_async_wait", function(line)
    local new, n = line:gsub("n=(%d+)", function(k) return "n=" .. k + 1 end)
    return n > 0 and new or line:gsub("cp_async_wait", "cp_async_wait n=1")
  end},
  {"drop cp_async_commit", "^%s*cp_async_commit", drop},
  {"drop bulk_wait", "^%s*bulk_wait", drop},
  {"drop bulk_commit", "^%s*bulk_commit", drop},
  -- proxies and matrix instructions of warp groups
  {"drop fence_async", "^%s*fence_async", drop},
  {"drop wgmma_wait", "^%s*wgmma_wait", drop},
  {"drop wgmma_commit", "^%s*wgmma_commit", drop},
  {"other swizzle in a descriptor", "^%s*wgmma .*_swizzle=128", replace("_swizzle=128", "_swizzle=64")},
  {"other stride in a descriptor", "^%s*wgmma .*a_sbo=", replace("a_sbo=(%d+)", function(n)
    return "a_sbo=" .. n // 2
  end)},
  {"other swizzle in a box", "^%s*tma_load .*swizzle=", replace("swizzle=%d+", "swizzle=32")},
  -- barriers in memory
  {"drop mbar_init", "^%s*mbar_init", drop},
  {"drop mbar_wait", "^%s*mbar_wait", drop},
  {"drop mbar_arrive", "^%s*mbar_arrive", drop},
  {"flip the parity", "^%s*mbar_wait", function(line)
    local head, parity, tail = line:match "^(.-%], )(.-)( *@.*)$"
    if not head then
      head, parity = line:match "^(.-%], )(.+)$"
    end
    return head and ("%s(%s + 1) %% 2%s"):format(head, parity, tail or "")
  end},
  {"expect too many bytes", "^%s*mbar_arrive_expect", replace(", (%d+)", function(n)
    return ", " .. n + 16
  end)},
  {"expect too few arrivals", "^%s*mbar_init .*, [2-9]", replace(", (%d+)", function(n)
    return ", " .. n - 1
  end)},
  -- addresses
  {"row off by one", "^%s*ldmatrix ", replace("%[([^,%]]+),", "[%1 + 1,")},
  {"matrix transposed", "^%s*ldmatrix .*trans=1", replace(" trans=1", "")},
  {"lanes reversed", "tid %% 32", replace("tid %% 32", "(31 - tid %% 32)")},
  {"lanes of the wrong group", "tid // 4", replace("tid // 4", "tid // 8")},
  {"warps mixed up", "tid // 32", replace("tid // 32", "tid // 64")},
  {"store off by one", "^%s*[%w_%.]+%[.*%] = ", replace("%] = ", " + 1] = ")},
  {"one slot fewer", " %% 3%f[%D]", replace(" %% 3%f[%D]", " %% 2")},
  -- values
  {"drop a store", "^%s*[%w_%.]+%[.*%] = ", drop},
  {"drop a matrix instruction", "^%s*mma ", drop},
  {"store instead of add", "^%s*atomic add ", function(line)
    local at, value, tail = line:match "atomic add (.-%]), (.-)( *@.*)$"
    return at and ("%s = %s%s"):format(at, value, tail)
  end},
  {"drop an atomic", "^%s*atomic ", drop},
  {"half of a loop", "for .* in serial%(%d+%)", replace("serial%((%d+)%)", function(n)
    return ("serial(%d)"):format((n + 1) // 2)
  end)},
  {"wrong lane in a shuffle", "shfl_xor%(", replace("shfl_xor%((.-), (%d+),", function(v, n)
    return ("shfl_xor(%s, %d,"):format(v, n * 2 < 32 and n * 2 or 1)
  end)},
  {"drop a guard", "^%s*if .* then", function(line)
    return (line:gsub("if .* then", "if true then"))
  end},
}

-- One mutant -----------------------------------------------------------------------

function M.split(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = line
  end
  return lines
end

function M.copies(args)
  local r = {}
  for i, v in ipairs(args) do
    r[i] = type(v) == "userdata" and v:copy() or v
  end
  return r
end

-- Results as one comparable list: outputs, then the arguments.
function M.results(k, args)
  local values = M.copies(args)
  local r = table.pack(k(table.unpack(values)))
  for _, v in ipairs(values) do
    r[#r + 1] = v
  end
  return r
end

local function same(a, b)
  for i, x in ipairs(b) do
    if type(x) == "userdata" and not tl.allclose(a[i], x, Close, Close) then
      return false
    end
  end
  return true
end

-- The verdict on what `run` gives; without `want`, results are not compared.
function M.verdict_of(run, want)
  local ok, r = pcall(run)
  if not ok then
    return tostring(r):match "error%[(E%d+)%]" or "error: " .. tostring(r):match "^[^\n]*"
  end
  return (not want or same(r, want)) and "MISSED" or "wrong"
end

-- The verdict on a text.
function M.verdict(text, target, args, want)
  return M.verdict_of(function()
    return M.results(tl.from_ir(text, {target = target}), args)
  end, want)
end

-- Places of operator o in the lines, at most `most` of them.
local function places(o, lines, most)
  local all = {}
  for i, line in ipairs(lines) do
    if line:find(o[2]) and not line:find "^%s*%-%-" then
      local new = o[3](line)
      if new ~= nil then
        all[#all + 1] = {i, new}
      end
    end
  end
  if #all <= most then
    return all
  end
  local some = {}
  for i = 1, most do
    some[i] = all[1 + (i - 1) * (#all - 1) // (most - 1)]
  end
  return some
end

-- base{name =, kernel = (or text =), target =, args =, skip = {["operator n"] = why},
-- most = 6}
function M.run(base)
  local text = base.text or base.kernel:ir "thread"
  local lines = M.split(text)
  local want = M.results(tl.from_ir(text, {target = base.target}), base.args)
  local missed, n = 0, 0
  for _, o in ipairs(M.operators) do
    for i, place in ipairs(places(o, lines, base.most or Most)) do
      local old = lines[place[1]]
      lines[place[1]] = place[2] or ""
      local verdict = M.verdict(table.concat(lines, "\n"), base.target, base.args, want)
      lines[place[1]] = old
      n = n + 1
      local key = ("%s %d"):format(o[1], i)
      local why = base.skip and base.skip[key]
      if verdict == "MISSED" and why then
        verdict = "harmless: " .. why
      elseif verdict == "MISSED" then
        missed = missed + 1
        verdict = verdict .. ": " .. old:match "^%s*(.-)%s*$"
      end
      print(("%-12s %-34s %s"):format(base.name, key, verdict))
    end
  end
  print(("%s: %d mutants, %d missed"):format(base.name, n, missed))
end

return M
