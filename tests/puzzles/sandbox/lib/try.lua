-- What the evaluator makes of texts, one line each.
local sandbox = require "moontile.puzzles.judge.sandbox"

local M = {}

-- A right kernel, `f`, of 12 lines.
M.kernel = [[
f = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BLOCK)) do
    for i in T.Parallel(BLOCK) do
      B[bx * BLOCK + i] = A[bx * BLOCK + i] * 2
    end
  end
  return B
end)

]]

-- The kernel with one line before its innermost loop: line 6.
function M.inside(line)
  return (M.kernel:gsub("    for i", function(s) return line .. "\n" .. s end))
end

-- An input of 100 numbers.
M.trace = {kernel = "f", args = {{shape = {100}, dtype = "float32"}}, config = {BLOCK = 32},
  sizes = {N = 100}}

-- "E860 at 13: `io.open` is not there ..."
local function brief(e)
  return ("%s%s: %s%s"):format(e.code, e.line > 0 and " at " .. e.line or "",
    e.message, e.label ~= "" and " (" .. e.label .. ")" or "")
end

-- Outcomes of a text, "ok" for each trace that made a program.
function M.outcome(text, opts)
  opts = opts or {}
  local limits = opts.limits or {}
  limits.instructions = limits.instructions or 5000000
  limits.seconds = limits.seconds or 100
  local r, why = sandbox.evaluate {text = text, chunk = opts.chunk or "@f.lua",
    traces = opts.traces or {M.trace}, target = "sim", lang = opts.lang or "en", limits = limits,
    before = opts.before}
  if not r then
    return why.reason .. (why.trace and " in trace " .. why.trace or "") .. ": " ..
      (why.error and brief(why.error) or why.detail), why
  elseif r.error then
    return brief(r.error), r
  end
  local list = {}
  for i, x in ipairs(r.results) do
    list[i] = x.error and brief(x.error) or "ok"
  end
  return table.concat(list, "; "), r
end

function M.try(name, text, opts)
  print(("%-22s %s"):format(name, (M.outcome(text, opts))))
end

return M
