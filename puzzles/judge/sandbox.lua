-- judge/sandbox.lua: what kernels a solution's text makes, found out in another process.
--
--   local r, why = sandbox.evaluate{text =, chunk = "@row_sum.lua", lang = "en",
--     traces = {{kernel = "row_sum", args = {{shape = {32, 256}, dtype = "float32"},
--       {scalar = "float32", value = 0.5}}, config = {BLOCK_M = 16}, sizes = {M = 32}}, ..},
--     target = "sim -warp=64", limits = {seconds =, memory =, instructions =}}
--
-- r.kernels lists the names of the functions of tl.jit and the prim_funcs of the text;
-- r.results has, for each trace, {ir = text, warnings =, name =, params = {{name, kind, dtype,
-- shape, out}, ..}} or {error = E}; r.error is E when the text itself fails; r.output is
-- what it printed.  E is {code, id, level, file, line, col, message, label, help, text}: text
-- is the whole message with the line that it is about.
--
-- Arguments are in the order of the function's parameters.  config and sizes hold values of
-- compile-time parameters: those that the function has are used.  before, a list of
-- {text =, chunk =}, are texts that run before it, as at a prompt.  The programs keep the
-- outputs in the order in which the kernel returns them, and the lines of the solution.
--
-- When the program goes beyond a limit, or its process ends otherwise, r is nil and why is
-- {reason = "time" | "memory" | "instructions" | "killed" | "trouble" | "stopped", detail =,
-- trace = number of the trace that ran, error = E}.  The program can be anything; what comes
-- back is text that it may have made up: judge it as such.

local diag = require "moontile.diag"
local json = require "moontile.tl.json"
local numbers = require "moontile.puzzles.judge.numbers"
local sandbox = require "moontile.sandbox"

local M = {}

M.limits = {seconds = 5, memory = 256 << 20, instructions = 200 * 1000 * 1000}

local Text = 1 << 20  -- bytes of a solution
local Start = 5       -- seconds that the process may take besides the program's
local Wall = 10       -- how much longer than its processor time it may take on a busy machine

-- Errors --------------------------------------------------------------------------------

local function error_table(e)
  local t = {text = diag.render(e)}
  for _, key in ipairs {"code", "id", "level", "file", "line", "col", "message", "label", "help"} do
    t[key] = e[key]
  end
  return t
end

-- f(...) with the language of the messages set.
local function speaking(lang, f, ...)
  local before = diag.lang()
  diag.setlang(lang)
  local r = table.pack(pcall(f, ...))
  diag.setlang(before)
  return table.unpack(r, 1, r.n)
end

-- The text is kept while messages about it are made.
local function with_text(job, chunk, f, ...)
  local sources = package.loaded["moontile.sources"] or {}
  package.loaded["moontile.sources"] = sources
  local before = sources[chunk]
  sources[chunk] = job.text
  for _, b in ipairs(job.before or {}) do
    sources[chunk] = chunk == b.chunk and b.text or sources[chunk]
  end
  local r = table.pack(speaking(job.lang, f, ...))
  sources[chunk] = before
  if not r[1] then
    error(r[2], 0)
  end
  return table.unpack(r, 2, r.n)
end

-- place: {line =, chunk =}, or nil for the text as a whole
local function message(job, id, place, ...)
  local chunk = place and place.chunk or job.chunk
  return with_text(job, chunk, function(...)
    return error_table(diag.at(id, chunk, place and place.line or 0, 0, ...))
  end, ...)
end

-- How it ended --------------------------------------------------------------------------

local figures = {
  time = function(l) return ("%g"):format(l.seconds) end,
  instructions = function(l)
    return (("%d"):format(l.instructions):reverse():gsub("%d%d%d", "%0,"):reverse():gsub("^,", ""))
  end,
  memory = function(l) return l.memory >> 20 end,
}

local function failed(job, reason, detail, id, ...)
  return nil, {reason = reason, detail = detail, error = message(job, id, nil, ...)}
end

local function beyond(job, limit, place, phase)
  local figure = figures[limit](job.limits)
  return nil, {reason = limit, detail = ("%s, %s"):format(limit, figure), trace = phase,
    error = message(job, "judge_" .. limit, place, figure)}
end

-- "! memory 1 12 @row_sum.lua": which limit it was, in which trace, where.  It may be
-- written twice; the second one knows the place.
local function limit_of(answer)
  local limit, phase, line, chunk
  for a, b, c, d in answer:gmatch "! (%l+) (%d+) (%d+) ([^\n]*)\n" do
    limit, phase, line, chunk = a, tonumber(b), tonumber(c), d
  end
  if figures[limit] then
    return limit, line > 0 and {line = line, chunk = chunk} or nil, phase > 0 and phase or nil
  end
end

-- What the process said, without what is not for users' eyes.
local function said(p)
  return (p.said:sub(1, 2000):gsub("%s+$", ""))
end

local function outcome(job, p)
  local limit, place, phase = limit_of(p.answer:sub(1, 2) == "! " and p.answer:sub(1, 1000) or "")
  if p.interrupted then
    return nil, {reason = "stopped", detail = "interrupted"}
  elseif limit then
    return beyond(job, limit, place, phase)
  elseif p.late or p.cpu then
    return beyond(job, "time")
  elseif p.large then
    return beyond(job, "memory")
  elseif p.signal then
    return failed(job, "killed", p.signal, "judge_killed", p.signal)
  end
  local answer, why = json.decode(p.answer)
  if p.code ~= 0 or type(answer) ~= "table" or type(answer.results) ~= "table" then
    local detail = said(p)
    detail = detail ~= "" and detail or p.answer == "" and
      ("no answer, exit status %s"):format(tostring(p.code)) or why or "no answer"
    return failed(job, "trouble", detail, "judge_trouble", detail)
  end
  return answer
end

-- ---------------------------------------------------------------------------------------

local spare -- a process that waits for a job

-- Starts a process for the next evaluation, which then takes a few milliseconds.  An
-- evaluation does so at its end: who checks once checks again.
function M.warm()
  spare = spare or sandbox.start()
end

-- What a process makes of a job; nil and why there is no process.  One that ends without
-- a word, and not by a limit, is no fault of the job's, as when somebody has ended it while
-- it waited: it is tried once more.
local function run(job, seconds, again)
  local p, waited, why = spare, spare ~= nil, nil
  spare = nil
  if not p then
    p, why = sandbox.start()
  end
  if not p then
    return nil, why
  end
  local r = sandbox.run(p, job, seconds)
  if not again and r.answer == "" and not (r.late or r.interrupted or r.large) and
    (waited or not r.signal) then
    return run(job, seconds, true)
  end
  return r
end

local function limits_of(given)
  local limits = {}
  for name, v in pairs(M.limits) do
    limits[name] = given and given[name] or v
  end
  return limits
end

-- A question about somebody else's puzzles (judge/foreign.lua) -> what the process answers, a
-- table and bytes behind it; or nil and {reason =, figure = the limit, detail =, phase =}.
function M.ask(job)
  job.limits = limits_of(job.limits)
  local p, why = run(json.encode(numbers.pack(job)), job.limits.seconds * Wall + Start)
  if job.question ~= "course" then -- which often is all
    M.warm()
  end
  if not p then
    return nil, {reason = "trouble", detail = why}
  elseif p.interrupted then
    return nil, {reason = "stopped"}
  end
  local limit, _, phase = limit_of(p.answer:sub(1, 2) == "! " and p.answer:sub(1, 1000) or "")
  limit = limit or (p.late or p.cpu) and "time" or p.large and "memory"
  if limit then
    return nil, {reason = limit, figure = figures[limit](job.limits), phase = phase}
  end
  local stop = p.answer:find("\0", 1, true)
  local answer = stop and json.decode(p.answer:sub(1, stop - 1))
  if p.code ~= 0 or type(answer) ~= "table" then
    return nil, {reason = "trouble", detail = p.signal or said(p)}
  end
  return numbers.unpack(answer), p.answer:sub(stop + 1)
end

function M.evaluate(spec)
  local limits = limits_of(spec.limits)
  local chunk = (spec.chunk or "@solution.lua"):gsub("^@moontile/", "@./moontile/") -- not ours
  local job = {text = spec.text, chunk = chunk, traces = spec.traces or {},
    before = spec.before, target = spec.target, lang = spec.lang or diag.lang(), limits = limits}
  if #job.text > Text then
    return {kernels = {}, results = {}, output = "",
      error = message(job, "judge_size", nil, #job.text, Text)}
  end
  local p, why = run(json.encode(numbers.pack(job)), limits.seconds * Wall + Start)
  M.warm()
  if not p then
    return failed(job, "trouble", why, "judge_trouble", why)
  end
  return outcome(job, p)
end

return M
