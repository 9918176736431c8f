-- judge/hosted.lua: somebody else's puzzle files, where they are run: in the process that
-- lua/state/sandbox.c describes.  judge/foreign.lua is the other end.
--
-- The job: {question =, lang =, limits =} and
--   "course"     texts = {{path =, text =}, ..}, the first is index.lua  -> values = {{value =} |
--               {error =}, ..}: what the files return, functions as {["%f"] = true}
--   "case"      folder, text (of puzzle.lua), part (its number), case = {stage, size, seed,
--               number}   -> values, expected: the inputs and what the reference makes of them
--   "scalars"   the same -> values = {number | false, ..} of the inputs
--   "goals"     folder, text, part, facts -> goals = {{met, en, zh}, ..}
-- The answer: JSON, a zero, and the bytes of the tensors one behind the other; a tensor in
-- JSON is {bytes =}.  Or {error = {id, args, text}}.

local cases = require "moontile.puzzles.judge.cases"
local compare = require "moontile.puzzles.judge.compare"
local diag = require "moontile.diag"
local json = require "moontile.tl.json"
local numbers = require "moontile.puzzles.judge.numbers"
local tensor_bytes = require "moontile.bytes"
local puzzle = require "moontile.puzzles.judge.puzzle"
local sandbox = require "moontile.sandbox"
local tensors = require "moontile.tl.tensor"

local M = {}

local Deepest = 12 -- tables in tables

-- Values ---------------------------------------------------------------------------------

-- A value of a puzzle's as data.
local function plain(v, depth)
  local kind = type(v)
  if kind == "function" then
    return {["%f"] = true}
  elseif kind == "userdata" or depth > Deepest then
    error(depth > Deepest and "tables in tables without end" or "a tensor among the fields", 0)
  elseif kind ~= "table" then
    return v
  end
  local r = {}
  for k, x in next, v do
    r[k] = plain(x, depth + 1)
  end
  return r
end

-- The tensor as {bytes =}; its bytes go behind the others.
local function sent(t, blobs)
  local bytes = tensor_bytes.get(t:contiguous())
  blobs[#blobs + 1] = bytes
  return {bytes = #bytes}
end

local function told(e)
  local known = diag.isdiag(e)
  local t = {text = type(e) == "table" and not known and "an error that is a table" or tostring(e)}
  if known then
    t.id, t.args = e.id, e.args
  end
  return t
end

-- Questions ------------------------------------------------------------------------------

local answers = {}

function answers.course(job)
  local values, wanted = {}, {}
  for i, file in ipairs(job.texts) do
    sandbox.phase(i)
    if i == 1 or wanted[file.path] then
      local ok, r = xpcall(puzzle.evaluate, told, file.text, file.path)
      if ok then
        ok, r = xpcall(plain, told, r, 0)
      end
      values[i] = ok and {value = r} or {error = r}
    else
      values[i] = {}
    end
    local list = i == 1 and type(values[1].value) == "table" and values[1].value.puzzles
    for _, folder in ipairs(type(list) == "table" and list or {}) do
      wanted[tostring(folder) .. "/puzzle.lua"] = true
    end
  end
  return {values = values}
end

local function opened(job)
  local p = puzzle.open(job.folder, job.text)
  return p, p.parts[job.part]
end

function answers.case(job, blobs)
  local p, part = opened(job)
  local values, x = cases.inputs(p, part, job.case)
  local r = {values = {}, expected = {}}
  for i, e in ipairs(compare.expected(p, part, job.case, x)) do
    r.expected[i] = {want = sent(e.want, blobs), limit = sent(e.limit, blobs),
      weak = e.weak and sent(e.weak, blobs), most = e.most, near = e.near}
  end
  for i, v in ipairs(values) do
    r.values[i] = tensors.istensor(v) and sent(v, blobs) or {value = v}
  end
  return r
end

function answers.scalars(job)
  local p, part = opened(job)
  local values = {}
  for i in ipairs(part.inputs) do
    values[i] = cases.scalar(p, part, i, job.case) or false
  end
  return {values = values}
end

function answers.goals(job)
  local _, part = opened(job)
  local list = {}
  for i, goal in ipairs(part.goals or {}) do
    local met, en, zh = goal.test(job.facts)
    list[i] = {met = met and true or false, en = en and tostring(en), zh = zh and tostring(zh)}
  end
  return {goals = list}
end

-- The process ------------------------------------------------------------------------------

-- job -> answer
function M.run(job)
  local limits, blobs = job.limits, {}
  diag.setlang(job.lang)
  rawset(string, "dump", nil) -- which strings have as a method
  sandbox.limit(limits.seconds, limits.memory, limits.instructions)
  local ok, r = xpcall(answers[job.question], told, job, blobs)
  local answer = json.encode(numbers.pack(ok and r or {error = r})) .. "\0" ..
    (ok and table.concat(blobs) or "")
  sandbox.free()
  return answer
end

return M
