-- files.lua: the files that the session has run: :load, :reload, :edit, :watch.
--
--     files.load(name)       runs a file, or an example, keeping its locals; raises its
--                            error; a text: why it was not run
--     files.run(path)        the same for files alone; -> ok, error | nil, changes
--     files.list             {path =, text =, ok =, example =}, in the order of loading
--     files.stale()          those whose text on disk is another one now; missing ones
--     files.report(path, changes)   prints which kernels are new

local diag = require "moontile.diag"
local disk = require "moontile.files"
local journal = require "moontile.repl.journal"
local session = require "moontile.prompt"

local M = { list = {} }

local function say(...)
  return require("moontile.repl.commands").say(...)
end

local function entry(path)
  for _, e in ipairs(M.list) do
    if e.path == path then
      return e
    end
  end
  local e = { path = path }
  table.insert(M.list, e)
  return e
end

function M.known(path)
  for _, e in ipairs(M.list) do
    if e.path == path then
      return e
    end
  end
  return nil
end

-- Runs a chunk of that file; -> ok, error | nil, changes of kernels.  Its constants are
-- kept as its other locals are: see locals.c.
local function run(path, chunk, text, example)
  local e = entry(path)
  local kept = text:find "<%s*const" and not path:find "%.py$" and package.loaded["moontile.sources"]["@" .. path]
  if kept then
    chunk = assert(load(require("moontile.repl.tokens").unconst(kept), "@" .. path))
  end
  e.text, e.example = text, example
  local ok, err = xpcall(session.run, diag.handler, chunk)
  e.ok = ok
  local changes = journal.file(path, text, ok, example)
  return ok, err, changes
end

function M.run(path)
  local text, why = disk.read(path)
  if not text then
    return false, why, {}
  end
  local chunk, err = session.open(path)
  if not chunk then
    local e = entry(path)
    e.text, e.ok = text, false
    return false, err, {}
  end
  return run(path, chunk, text)
end

-- The text of an example of ours, as it was kept for messages.
local function example_text(name)
  local chunk = session.example(name)
  local path = ("lua/examples/%s.lua"):format(name)
  return chunk, path, chunk and package.loaded["moontile.sources"]["@" .. path]
end

function M.load(name)
  local chunk, err, missing = session.open(name)
  local path, text, example = name, nil, nil
  if missing and not name:find "[/.]" then
    chunk, path, text = example_text(name)
    example = name
  end
  if missing and not chunk then
    return err
  elseif not chunk then
    local e = entry(path)
    e.text, e.ok = disk.read(path), false -- :reload tries it again
    error(err, 0)
  end
  local ok, e = run(path, chunk, text or disk.read(path), example)
  if not ok then
    error(e, 0)
  end
end

function M.stale()
  local changed, gone = {}, {}
  for _, e in ipairs(M.list) do
    local text = not e.example and disk.read(e.path)
    if not e.example and not text then
      gone[#gone + 1] = e
    elseif not e.example and text ~= e.text then
      changed[#changed + 1] = e
    end
  end
  return changed, gone
end

-- "k.lua: mm is now mm@2; scale and add are unchanged"
function M.report(path, changes)
  local versions = require "moontile.repl.versions"
  local new, same, is_new = {}, {}, {}
  for _, c in ipairs(changes) do
    is_new[c.name] = true
    new[#new + 1] = c.old and say("%s is now %s@%d", "%s 现为 %s@%d", c.name, c.name, c.version.n) or
      say("%s is new", "新增 %s", c.name)
  end
  for _, name in ipairs(versions.names()) do
    local list = versions.of(name)
    local now = list[list.current]
    if not is_new[name] and now.path == path then
      same[#same + 1] = name
    end
  end
  if #same > 0 then
    new[#new + 1] = say(#same == 1 and "%s is unchanged" or "%s are unchanged", "%s 未变",
      table.concat(same, ", "))
  end
  print(("%s: %s"):format(diag.visible(path), #new > 0 and table.concat(new, say("; ", "；")) or
    say("run, no kernels", "已运行，没有内核")))
end

return M
