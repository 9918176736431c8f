-- repl/puzzles.lua: a puzzle inside the prompt: the solution is what was typed.
--
--     session.open(p)   session.puzzle()   session.folder()
--     session.use(name)  -> F of that pack, or of our own track for "moontile" | nil, why
--     session.texts(p)  -> {{text =, chunk =}, ..}, the last one holds a kernel; names of the
--                          kernels that were not typed, as a set | nil, why
--     session.judge(p)  -> verdict, that set | nil, why
--
-- The judge gets those inputs, and of them only the statements, that define the puzzle's
-- kernels or something that these need; all else is blank, so that lines and columns are
-- those of the inputs.  Locals of an input outlive it at the prompt; here they are globals,
-- which means the same.  What was not typed comes from the starter.

local folder = require "moontile.puzzles.course.folder"
local says = require "moontile.puzzles.course.says"
local session = require "moontile.prompt"
local tokens = require "moontile.repl.tokens"

local M = {}

local say = says.say

local state = {} -- folder, puzzle

function M.folder()
  local why
  if not state.folder then
    state.folder, why = folder.of_state()
  end
  return state.folder, why
end

function M.use(name)
  local F, why = folder.of_state(name ~= "moontile" and name or nil)
  if not F then
    return nil, why
  end
  state.folder, state.puzzle = F, nil
  if session.suggestion == state.suggestion then
    session.suggestion = nil
  end
  state.suggestion = nil
  return F
end

function M.puzzle()
  return state.puzzle
end

-- What was typed ---------------------------------------------------------------------------

local function blank(text)
  return (text:gsub("[^\n]", " "))
end

-- A statement without its `local` and its attributes, of the same columns.
local function global(text, s)
  local attribs = s.attribs or {}
  for i = #attribs, 1, -1 do
    local from, to = attribs[i][1] - s.at + 1, attribs[i][2] - s.at + 1
    text = text:sub(1, from - 1) .. blank(text:sub(from, to)) .. text:sub(to + 1)
  end
  if s.locals and s.bare then
    return blank(text)
  end
  return s.locals and "     " .. text:sub(6) or text
end

-- The texts of the session, oldest first, as {text =, chunk =, statements =}.
local function sources(p)
  local list = {{text = p.read "starter.lua" or "", chunk = "@" .. p.file, starter = true}}
  for _, e in ipairs(require("moontile.repl.journal").list) do
    if e.kind == "command" and e.name == "reset" then
      list = {list[1]}
    elseif e.kind == "input" and e.ok then
      list[#list + 1] = {text = e.text, chunk = "=in:" .. e.number}
    elseif e.kind == "file" and e.ok then
      list[#list + 1] = {text = e.text, chunk = "@" .. e.path}
    end
  end
  for _, s in ipairs(list) do
    s.statements = tokens.statements(s.text)
  end
  return list
end

-- The last statement that gives the name a value: its source and itself.
local function definition(list, name)
  for i = #list, 1, -1 do
    for k = #list[i].statements, 1, -1 do
      local s = list[i].statements[k]
      for _, n in ipairs(s.locals or s.sets or {}) do
        if n == name then
          return list[i], s
        end
      end
    end
  end
end

-- Marks what the name needs, and what that needs; true when there is a definition.
local function mark(list, name, seen)
  if seen[name] ~= nil then
    return seen[name]
  end
  local source, s = definition(list, name)
  seen[name] = source or false
  if source then
    source.wanted = source.wanted or {}
    source.wanted[s] = true
    for _, t in ipairs(tokens.list(source.text:sub(s.at, s.to))) do
      if t.kind == "name" then
        mark(list, t.text, seen)
      end
    end
  end
  return source
end

-- The source with only what is wanted.
local function cut(source)
  local out, at = {}, 1
  for _, s in ipairs(source.statements) do
    local text = source.text:sub(s.at, s.to)
    out[#out + 1] = blank(source.text:sub(at, s.at - 1))
    out[#out + 1] = source.wanted[s] and global(text, s) or blank(text)
    at = s.to + 1
  end
  return {text = table.concat(out), chunk = source.chunk}
end

function M.texts(p)
  local list, seen, typed, missing, names = sources(p), {}, false, {}, {}
  for _, part in ipairs(p.parts) do
    local source = mark(list, part.name, seen)
    if source and not source.starter then
      typed = true
    elseif not part.given then
      missing[part.name] = true
      names[#names + 1] = part.name
    end
  end
  if not typed then
    return nil, say("nothing that was typed defines %s", "输入中没有定义 %s",
      table.concat(names, say(", ", "、")))
  end
  local texts = {}
  for _, source in ipairs(list) do
    if source.wanted then
      texts[#texts + 1] = cut(source)
    end
  end
  return texts, missing
end

-- Judging ----------------------------------------------------------------------------------

local function target()
  local config = require "moontile.config"
  return config.target
end

function M.judge(p)
  local texts, missing = M.texts(p)
  if not texts then
    return nil, missing
  end
  local main = table.remove(texts)
  return require("moontile.puzzles.judge").judge(p, {text = main.text, chunk = main.chunk,
    before = texts, target = target(), hidden = true}), missing
end

-- Opening ----------------------------------------------------------------------------------

local watching = false

-- The starter is suggested until one of the puzzle's own kernels was typed.
local function watch(e)
  local p = state.puzzle
  if not p or e.kind ~= "input" or session.suggestion ~= state.suggestion then
    return
  end
  for _, part in ipairs(p.parts) do
    if e.ok and not part.given and tokens.uses(e.text, part.name) then
      session.suggestion, state.suggestion = nil, nil
    end
  end
end

-- The puzzle that :check, :hint and the others are about from now on.  Its starter is shown
-- in grey as the next input; not somebody else's, which here would run with the user's rights.
function M.open(p)
  state.puzzle = p
  state.suggestion = not p.foreign and (p.read "starter.lua" or ""):gsub("%s+$", "") or nil
  session.suggestion = state.suggestion
  if not watching then
    watching = true
    table.insert(session.after, watch)
  end
  local ok, why = M.folder().progress:go(p.name)
  if ok then
    ok, why = M.folder().progress:seen(p.name)
  end
  return ok, why
end

return M
