-- journal.lua: what was done in the session, in order: for :save, :edit, :reload,
-- :history and the versions of kernels.
--
--     journal.list            entries:
--         {kind = "input", number =, text =, ok =, results =, python =}
--         {kind = "command", text =, name =, args =}        that were not refused
--         {kind = "file", path =, text =, ok =, example =}  run by :load, :reload, :watch
--         {kind = "revert", name =, n =}                    a kernel became current again
--
-- It is loaded after the first input or command and from then on told of all.

local session = require "moontile.prompt"

local M = { list = {} }

local function add(entry)
  table.insert(M.list, entry)
  return entry
end

-- Kernels may have changed: see versions.lua.  Nobody has made one before T is there.
local function scan(at)
  if package.loaded["moontile.T"] then
    at.entry = #M.list
    return require("moontile.repl.versions").scan(at)
  end
  return {}
end

function M.file(path, text, ok, example)
  add { kind = "file", path = path, text = text, ok = ok, example = example }
  return scan { path = path }
end

function M.command(text, name, args)
  add { kind = "command", text = text, name = name, args = args }
end

function M.revert(name, n)
  add { kind = "revert", name = name, n = n }
end

-- The last entry of a kind, or nil.
function M.last(kind)
  for i = #M.list, 1, -1 do
    if M.list[i].kind == kind then
      return M.list[i]
    end
  end
  return nil
end

-- Did the last input or file fail?
function M.failed()
  for i = #M.list, 1, -1 do
    local e = M.list[i]
    if e.kind == "input" or e.kind == "file" then
      return not e.ok
    end
  end
  return false
end

-- Input `number`, or nil.
function M.input(number)
  for i = #M.list, 1, -1 do
    local e = M.list[i]
    if e.kind == "input" and e.number == number then
      return e
    end
  end
  return nil
end

table.insert(session.after, function(e)
  if e.kind ~= "input" then
    return -- commands come with their names, from commands.lua
  end
  add { kind = "input", number = e.number, text = e.text, ok = e.ok, results = e.results, python = e.python }
  scan { number = e.number }
end)

return M
