-- judge/foreign.lua: courses of somebody else's: what they say of themselves, and what their
-- functions answer.
--
-- Nothing of theirs runs in this process.  Their Lua is evaluated in one of its own
-- (judge/hosted.lua), behind the limits and walls of lua/state/sandbox.c, a fresh one for each
-- question; what comes back is data that anybody may have made up: it is held against what
-- the puzzle declares, and texts are cleaned.
--
--   value = foreign.values(from)     value(path) -> what index.lua or NN-name/puzzle.lua returns,
--                                    each function a stand-in that refuses to be called
--   foreign.inputs(p, part, case)    as cases.inputs
--   foreign.expected(p, part, case)  as compare.expected
--   foreign.scalars(p, part, case)   values of the inputs that are scalars
--   foreign.goals(p, part, facts)    {{met =, en =, zh =}, ..}

local cases = require "moontile.puzzles.judge.cases"
local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local tensor_bytes = require "moontile.bytes"
local sandbox = require "moontile.puzzles.judge.sandbox"

local M = {}

local Texts = 4 << 20 -- bytes of all the Lua of a course
local Told = 2000     -- bytes of a message

-- Asking ---------------------------------------------------------------------------------

-- Rows of the tables of messages that the process may fill in.
local rows = {puzzle_lua = true, puzzle_field = true, puzzle_shape = true, puzzle_file = true}

-- Raises what the process said instead of an answer.  file: what does not run; nil: it does,
-- but a function of it fails, which is the judge's trouble.
local function complain(file, e)
  if type(e) == "table" and rows[e.id] and type(e.args) == "table" then
    local args = {}
    for i = 1, math.min(#e.args, 6) do
      args[i] = clean.line(tostring(e.args[i]), Told)
    end
    diag.fail(e.id, table.unpack(args))
  end
  local text = clean.text(tostring(type(e) == "table" and e.text or e)):sub(1, Told)
  if not file then
    error(text, 0)
  end
  diag.fail("puzzle_lua", file, text)
end

local ended = {time = "puzzle_time", memory = "puzzle_memory", instructions = "puzzle_steps"}

-- The answer and its bytes; `name`: of a phase, the file it is about
local function ask(job, name)
  job.lang = diag.lang()
  local answer, why = sandbox.ask(job)
  if not answer and why.reason == "stopped" then
    diag.fail "stopped"
  elseif not answer and ended[why.reason] then
    diag.fail(ended[why.reason], name(why.phase), why.figure)
  elseif not answer then
    diag.fail("puzzle_process", name(why.phase), clean.line(tostring(why.detail or ""), Told))
  elseif answer.error then
    complain(nil, answer.error)
  end
  return answer, why
end

-- Of one puzzle.
local function ask_puzzle(p, question, more)
  local file = p.folder .. "/puzzle.lua"
  local job = {question = question, folder = p.folder, text = p.text}
  for k, v in pairs(more) do
    job[k] = v
  end
  return ask(job, function() return file end)
end

-- Anything else than it should be: the process was made to say it.
local function strange(p)
  diag.fail("puzzle_process", p.folder .. "/puzzle.lua", "?")
end

-- What a course says of itself ------------------------------------------------------------

local function elsewhere()
  error("a function of somebody else's, called here", 2)
end

-- Data with stand-ins for the functions.
local function received(v)
  if type(v) ~= "table" then
    return type(v) == "string" and clean.text(v) or v
  elseif v["%f"] then
    return elsewhere
  end
  local r = {}
  for k, x in pairs(v) do
    r[type(k) == "string" and clean.text(k) or k] = received(x)
  end
  return r
end

-- index.lua and the puzzle.lua of every folder that could be a puzzle's.
local function texts_of(from)
  local list, bytes = {{path = "index.lua", text = from.read "index.lua"}}, 0
  for _, name in ipairs(from.list "") do
    local path = name:find "^%d+%-[%l%d%-]+/$" and name .. "puzzle.lua"
    local text = path and from.read(path)
    list[#list + 1] = text and {path = path, text = text} or nil
  end
  for _, file in ipairs(list) do
    bytes = bytes + #(file.text or "")
  end
  if bytes > Texts then
    diag.fail("pack_limit", from.dir, ("%d B"):format(bytes), ("%d B"):format(Texts))
  end
  return list
end

function M.values(from)
  local known
  local function evaluate()
    local texts, found = texts_of(from), {}
    if not texts[1].text then
      return found
    end
    local answer = ask({question = "course", texts = texts}, function(phase)
      return texts[phase or 1] and texts[phase or 1].path or "index.lua"
    end)
    for i, file in ipairs(texts) do
      found[file.path] = type(answer.values) == "table" and answer.values[i] or nil
    end
    return found
  end
  return function(path)
    known = known or evaluate()
    local r = known[path]
    if type(r) ~= "table" then
      diag.fail("puzzle_file", path:match "^(.*)/" or ".", path:match "[^/]*$")
    elseif r.error then
      complain(path, r.error)
    end
    return received(r.value)
  end
end

-- Cases --------------------------------------------------------------------------------------

local function number_of(p, part)
  for i, q in ipairs(p.parts) do
    if q == part then
      return i
    end
  end
end

local function brief(case)
  return {stage = case.stage, size = case.size, seed = case.seed, number = case.number}
end

local answered = setmetatable({}, {__mode = "k"}) -- case -> {values, x, expected}

-- The next tensor of the bytes; state: {bytes =, at =}
local function tensor(p, e, shape, dtype, state)
  local t = type(e) == "table" and math.type(e.bytes) == "integer" and
    tensor_bytes.tensor(shape, dtype, state.bytes, state.at)
  if not t or t:nbytes() ~= e.bytes then
    strange(p)
  end
  state.at = state.at + e.bytes
  return t
end

local function number(p, v)
  return type(v) == "number" and v or strange(p)
end

local function expected(p, part, case, list, state)
  local r = {}
  for i, output in ipairs(part.outputs) do
    local e = type(list) == "table" and type(list[i]) == "table" and list[i] or strange(p)
    local shape = cases.shape(p, output.shape, case.size)
    r[i] = {name = output.name, dtype = output.dtype,
      want = tensor(p, e.want, shape, "float64", state),
      limit = tensor(p, e.limit, shape, "float64", state),
      weak = e.weak and tensor(p, e.weak, shape, "float64", state) or nil,
      most = number(p, e.most), near = number(p, e.near)}
  end
  return r
end

local function inputs(p, part, case, list, state)
  local values, x = {}, {}
  for i, input in ipairs(part.inputs) do
    local e = type(list) == "table" and type(list[i]) == "table" and list[i] or strange(p)
    local v
    if input.scalar then
      v = type(e.value) == "boolean" and e.value or number(p, e.value)
    else
      v = tensor(p, e, cases.shape(p, input.shape, case.size), input.dtype, state)
    end
    values[i], x[input.name] = v, v
  end
  return values, x
end

local function about(p, part, case)
  if not answered[case] then
    local answer, bytes = ask_puzzle(p, "case", {part = number_of(p, part), case = brief(case)})
    local state, r = {bytes = bytes, at = 0}, {}
    r.expected = expected(p, part, case, answer.expected, state)
    r.values, r.x = inputs(p, part, case, answer.values, state)
    answered[case] = r
  end
  return answered[case]
end

function M.inputs(p, part, case)
  local r = about(p, part, case)
  return r.values, r.x
end

function M.expected(p, part, case)
  return about(p, part, case).expected
end

function M.scalars(p, part, case)
  local answer = ask_puzzle(p, "scalars", {part = number_of(p, part), case = brief(case)})
  local values = {}
  for i, input in ipairs(part.inputs) do
    local v = type(answer.values) == "table" and answer.values[i]
    values[i] = input.scalar and (type(v) == "boolean" and v or number(p, v)) or nil
  end
  return values
end

function M.goals(p, part, facts)
  local answer = ask_puzzle(p, "goals", {part = number_of(p, part), facts = facts})
  local list = {}
  for i in ipairs(part.goals or {}) do
    local g = type(answer.goals) == "table" and type(answer.goals[i]) == "table" and
      answer.goals[i] or strange(p)
    list[i] = {met = g.met == true, en = g.en and clean.line(tostring(g.en), Told),
      zh = g.zh and clean.line(tostring(g.zh), Told)}
  end
  return list
end

return M
