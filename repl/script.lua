-- script.lua: the session as a script, for :save.
--
--     script.text()  -> the script | nil, why it cannot be one
--     script.python()  -> the same in Python: a script is in one language, and what is in the other stands
--                         there as comments
--     script.left(python)  -> how many inputs and files are in the other language
--
-- What was typed stands there in order, without inputs that failed; files that were
-- run stand in full, commands as comments.  At the prompt the locals of an input
-- outlive it, and a name that is given again is the same variable for every function
-- that asks for it by name.  In one text it would be a second variable; so only the
-- first `local` of a name stays, and a name that earlier text asks for is a global.

local journal = require "moontile.repl.journal"
local tokens = require "moontile.repl.tokens"

local M = {}

local Most = 150 -- locals of a script: Lua allows 200 in one function

local function say(...)
  return require("moontile.repl.commands").say(...)
end

-- Commands that other entries stand for, or that only concern the script itself.
local silent = { load = true, reload = true, watch = true, edit = true, save = true,
  revert = true, quit = true, history = true, help = true }

function M.is_python(e)
  return e.python or e.kind == "file" and e.path:find "%.py$" ~= nil
end

-- What the entries since the last :reset leave to be written: a list of
-- {text =, entry =, index =}.
local function parts_of(list)
  local parts = {}
  for i, e in ipairs(list) do
    local written = e.kind ~= "input" and e.kind ~= "file" or e.ok
    if e.kind == "command" and e.name == "reset" then
      parts = {}
    elseif written and M.is_python(e) then
      parts[#parts + 1] = { entry = { kind = "command", name = "Python", args = "", text = e.text }, index = i,
        text = e.text }
    elseif written then
      local text = e.text
      if e.kind == "file" then
        text = text:gsub("^\xef\xbb\xbf", ""):gsub("^#[^\n]*", "")
      end
      parts[#parts + 1] = { entry = e, index = i, text = text or "" }
    end
  end
  return parts
end

-- Results -------------------------------------------------------------------------------

local function later_uses(parts, from, name)
  for i = from + 1, #parts do
    if parts[i].entry.kind ~= "command" and tokens.uses(parts[i].text, name) then
      return true
    end
  end
  return false
end

-- Does `_` of part i, the last result, appear before there is another one?
local function last_used(parts, i)
  for k = i + 1, #parts do
    local e = parts[k].entry
    if e.kind == "input" then
      if tokens.uses(parts[k].text, "_") then
        return true
      elseif (e.results or 0) > 0 then
        return false
      end
    end
  end
  return false
end

-- An expression that was typed for its value: printed, and kept where it is used.
local function expression(parts, i)
  local p = parts[i]
  local results = p.entry.results or 0
  local bare = p.text:gsub("[;%s]+$", ""):gsub("^%s*return%f[^%w_]%s*", "")
  local muted = p.text:find ";%s*$" ~= nil
  if p.entry.kind ~= "input" or not load("return " .. bare, "=save") then
    return
  end
  local names = {}
  if later_uses(parts, i, "_" .. p.entry.number) then
    names[1] = "_" .. p.entry.number
  end
  if last_used(parts, i) then
    names[#names + 1] = "_"
  end
  if #names > 0 then
    p.text = ("%s = %s"):format(names[1], bare)
    for k = 2, #names do
      p.text = ("%s\n%s = %s"):format(p.text, names[k], names[1])
    end
    p.text = p.text .. (muted and "" or ("\nprint(%s)"):format(names[1]))
  elseif results > 0 and not muted then
    p.text = ("print(%s)"):format(bare)
  elseif not load(bare, "=save") then
    p.text = "local _ = " .. bare
  end
end

-- Locals ---------------------------------------------------------------------------------

local function earlier_uses(parts, upto, name)
  for i = 1, upto - 1 do
    if parts[i].names and parts[i].names[name] then
      return true
    end
  end
  return false
end

-- All names in a text.
local function names_in(text)
  local set = {}
  for _, t in ipairs(tokens.list(text)) do
    if t.kind == "name" then
      set[t.text] = true
    end
  end
  return set
end

-- How the script has each name: "local" once it stands there, or "global".
local function kind_of(state, parts, i, name)
  if state.all_global then
    state[name] = "global"
  elseif not state[name] and earlier_uses(parts, i, name) then
    state[name] = "global"
  end
  return state[name]
end

-- `local a, b = 1, 2` where some names are there already: those that are not are
-- declared in front.
local function declaration(parts, i, s, state, text)
  local fresh = {}
  for _, name in ipairs(s.locals) do
    if not kind_of(state, parts, i, name) then
      fresh[#fresh + 1] = name
    end
  end
  for k = #(s.attribs or {}), 1, -1 do
    local a = s.attribs[k]
    if a[3] == "const" or #fresh < #s.locals then
      text = text:sub(1, a[1] - s.at):gsub("%s+$", "") .. text:sub(a[2] - s.at + 2)
    end
  end
  local new = #fresh == #s.locals
  for _, name in ipairs(fresh) do
    state[name] = "local"
    state.count = state.count + 1
  end
  if new then
    return text
  end
  text = text:gsub("^local%s+", "", 1)
  if s.bare then
    text = text .. " = nil"
  end
  return #fresh > 0 and ("local %s; %s"):format(table.concat(fresh, ", "), text) or text
end

-- The text of part i with its declarations as the script needs them.
local function rewrite(parts, i, state)
  local p, out, at = parts[i], {}, 1
  local body = p.text
  for _, s in ipairs(tokens.statements(body)) do
    out[#out + 1] = body:sub(at, s.at - 1)
    local text = body:sub(s.at, s.to)
    if s.locals then
      text = declaration(parts, i, s, state, text)
    elseif s.word == "return" then -- of a file
      text = text:find "^return%s*$" and "" or (text:gsub("^return", "local _ =", 1))
    end
    out[#out + 1] = text
    at = s.to + 1
  end
  out[#out + 1] = body:sub(at)
  return table.concat(out)
end

-- Writing --------------------------------------------------------------------------------

-- Versions that are made current again later: they get a name of their own.
local function kept_versions(list)
  local kept = {}
  for _, e in ipairs(list) do
    local v = e.kind == "revert" and require("moontile.repl.versions").get(e.name, e.n)
    if v and v.entry then
      kept[v.entry] = kept[v.entry] or {}
      kept[v.entry][e.name] = ("%s_%d"):format(e.name, e.n)
    end
  end
  return kept
end

local function comment(p)
  local e = p.entry
  if e.kind == "file" then
    return ("-- %s"):format(e.path)
  elseif e.name == "target" and e.args ~= "" then
    return ("tl.set_target %q"):format(e.args)
  elseif not silent[e.name] then
    return "-- " .. e.text:gsub("^%s*", ""):gsub("\n", "\n-- ")
  end
  return nil
end

local function compose(all_global)
  local list, out = journal.list, { "" }
  local parts, kept = parts_of(list), kept_versions(list)
  local state = { all_global = all_global, count = 0 }
  for i, p in ipairs(parts) do
    local e = p.entry
    expression(parts, i)
    local lines = {}
    if e.kind ~= "input" and e.kind ~= "revert" then
      lines[1] = comment(p)
    end
    if e.kind == "revert" then
      lines[1] = ("%s = %s_%d"):format(e.name, e.name, e.n)
    elseif e.kind ~= "command" then
      lines[#lines + 1] = (rewrite(parts, i, state):gsub("%s+$", ""))
      p.names = names_in(p.text)
    end
    for name, as in pairs(kept[p.index] or {}) do
      lines[#lines + 1] = ("%s = %s"):format(as, name)
    end
    if #lines > 0 then
      out[#out + 1] = table.concat(lines, "\n") .. "\n"
    end
  end
  return table.concat(out), state.count
end

function M.left(python)
  local n = 0
  for _, e in ipairs(journal.list) do
    if e.kind == "command" and e.name == "reset" then
      n = 0
    elseif e.ok and (e.kind == "input" or e.kind == "file") and (M.is_python(e) == true) ~= python then
      n = n + 1
    end
  end
  return n
end

-- An entry as it stands in a script in Python.
local function python_part(e)
  if M.is_python(e) then
    local bare = e.text:gsub("[;%s]+$", "")
    local value = (e.results or 0) > 0 and not bare:find "\n" and not e.text:find ";%s*$"
    return e.ok and (value and ("print(%s)"):format(bare) or bare) or nil
  elseif e.kind == "command" and silent[e.name] or e.kind == "revert" or e.ok == false then
    return nil
  end
  return "# " .. e.text:gsub("%s+$", ""):gsub("\n", "\n# ")
end

function M.python()
  local out = {}
  for _, e in ipairs(journal.list) do
    if e.kind == "command" and e.name == "reset" then
      out = {}
    else
      out[#out + 1] = python_part(e)
    end
  end
  return table.concat(out, "\n\n") .. "\n"
end

function M.text()
  local text, count = compose(false)
  if count > Most or not load(text, "=save") then
    text = compose(true)
  end
  local ok, why = load(text, "=save")
  if not ok then
    return nil, say("these inputs do not form one script: %s", "这些输入无法组成一个脚本：%s", why)
  end
  return "#!/usr/bin/env moontile\n" .. text
end

return M
