-- watch.lua: files that run again when they are saved.
--
--     watch.add(path)        from now on; runs it when the session has not yet
--     watch.off([path])      that one, or all; the paths that were watched
--     watch.paths()          what is watched
--
-- While the prompt waits for a key it also waits for these files.  A save is known
-- from inotify; where there is none, and for file systems that do not tell, the
-- texts are compared once a second.

local disk = require "moontile.files"
local files = require "moontile.repl.files"
local session = require "moontile.prompt"
local term = require "moontile.term"

local M = { list = {}, poll = false } -- poll: no inotify, for tests

local Settle = 0.04 -- seconds without a further save before the file is run
local Patience = 25 -- waits for that

local function say(...)
  return require("moontile.repl.commands").say(...)
end

function M.paths()
  local list = {}
  for i, w in ipairs(M.list) do
    list[i] = w.path
  end
  return list
end

-- The error of a run, as an input's is shown.
local function complain(err)
  io.stdout:flush()
  if type(err) == "string" then
    io.stderr:write(err, "\n")
  else
    session.fail(err)
  end
end

-- Runs the file, says how that went.
local function run(w)
  w.text = disk.read(w.path)
  local ok, err, changes = files.run(w.path)
  if err ~= nil and not ok then
    complain(err)
  else
    files.report(w.path, changes)
  end
end

-- Was the file saved?  Several writes that follow each other are one save.
local function saved(w)
  local text
  if not (w.notify and w.notify:changed()) then
    text = disk.read(w.path)
    if text == nil or text == w.text then
      return false
    end
  end
  for _ = 1, Patience do
    term.sleep(Settle)
    local before = text
    text = disk.read(w.path)
    if not (w.notify and w.notify:changed()) and (text == before or before == nil) then
      break
    end
  end
  return text ~= nil
end

local function again(w)
  print(say("-- %s was saved", "-- %s 已保存", w.path))
  run(w)
end

local function find(path)
  for i, w in ipairs(M.list) do
    if w.path == path then
      return w, i
    end
  end
  return nil
end

function M.add(path)
  if find(path) then
    return
  end
  local text, why = disk.read(path)
  if not text then
    return say("cannot read %s", "无法读取 %s", why)
  end
  local w = { path = path, text = text }
  w.notify = not M.poll and term.notify(path) or nil
  w.stop = session.idle(w.notify and w.notify:fd() or nil, 1, function() again(w) end,
    function() return saved(w) end)
  table.insert(M.list, w)
  print(say("%s runs again on each save; :watch off stops that",
    "每次保存 %s 都会重新运行；:watch off 结束",
    path))
  local known = files.known(path)
  if not (known and known.text == text) then
    run(w)
  end
end

function M.off(path)
  local gone = {}
  for i = #M.list, 1, -1 do
    local w = M.list[i]
    if not path or w.path == path then
      w.stop()
      if w.notify then
        w.notify:close()
      end
      table.remove(M.list, i)
      table.insert(gone, 1, w.path)
    end
  end
  return gone
end


return M
