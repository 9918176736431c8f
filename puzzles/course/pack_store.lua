-- course/pack_store.lua: the packs of this machine: where they lie, and what is known of them.
--
--   store.root()                 the folder that holds them
--   store.list()                 {{name =, dir =, lock =}, ..} by name
--   store.named(name)            one of them, or nil
--   store.resolve(from)          what `--from` says -> a folder, and how a learner's folder
--                                remembers it: "pack:course", or a path; nil: there is none
--   store.at(dir)                the pack in that folder, or nil
--   store.ready(dir)             clears up what an earlier run left around that place
--   store.install(P, dir, source)  puts P there -> where what was not its own was kept, or nil
--   store.remove(it)             takes one away -> the same
--   store.strangers(it)          paths of what is not as it came
--
-- Beside a pack's files lies pack.lock, a text of one fact a line: where the pack came from,
-- its hash and those of its files.  A pack is written beside its place and put there in one
-- step; what somebody has changed or added in its folder is never deleted.  Work and progress
-- of learners are elsewhere, in folders of their own.

local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local files = require "moontile.files"
local keep = require "moontile.keep"
local pack = require "moontile.pack"
local puzzle = require "moontile.puzzles.judge.puzzle"

local M = {}

local Lock, New, Old = "pack.lock", ".moontile-new-", ".moontile-old-"

-- Locks ------------------------------------------------------------------------------------

local facts = {"name", "version", "license", "title.en", "title.zh", "source", "sha256", "vouched"}

local function lock_text(t, list)
  local out = {"# Where this pack of puzzles came from; moontile reads and writes it."}
  for _, key in ipairs(facts) do
    out[#out + 1] = ("%s %s"):format(key, clean.line(tostring(t[key] or "-"), 2000))
  end
  for _, f in ipairs(list) do
    out[#out + 1] = ("file %s %s"):format(f.sha256, f.path)
  end
  return table.concat(out, "\n") .. "\n"
end

-- nil: there is none that makes sense
local function read_lock(dir)
  local text = pack.slurp(dir, Lock)
  local t = {files = {}, puzzles = 0}
  for line in (text or ""):gmatch "[^\n]+" do
    local key, value = clean.line(line, 4000):match "^([%w.]+) (.+)$"
    local sum, path = (key == "file" and value or ""):match "^(%x+) (%S+)$"
    if sum then
      t.files[path] = sum
      t.puzzles = t.puzzles + (path:find "^[^/]+/puzzle%.lua$" and 1 or 0)
    elseif key then
      t[key] = value
    end
  end
  return t.name and t.sha256 and t or nil
end

-- What is there ----------------------------------------------------------------------------

function M.root()
  return keep.data "packs"
end

function M.at(dir)
  local lock = keep.kind(dir) == "folder" and read_lock(dir)
  return lock and {name = lock.name, dir = dir, lock = lock} or nil
end

function M.list()
  local root, list = M.root(), {}
  for _, name in ipairs(root and files.list(root) or {}) do
    local it = name:find "/$" and M.at(root .. "/" .. name:sub(1, -2))
    list[#list + 1] = it or nil
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

function M.named(name)
  local root = M.root()
  local it = root and name:find "^[a-z0-9][a-z0-9%-]*$" and M.at(root .. "/" .. name)
  return it and it.name == name and it or nil
end

function M.resolve(from)
  local name = from:match "^pack:(.*)$"
  local it = M.named(name or from)
  local folder = not name and keep.kind(from) == "folder"
  if it and not (folder and keep.kind(from .. "/index.lua")) then
    return it.dir, "pack:" .. it.name
  elseif folder then
    return keep.absolute(from) or from, keep.absolute(from) or from
  end
end

-- All paths below the folder, hidden ones too.
local function walk(dir, below, depth, list)
  local here = dir .. "/" .. below
  for _, prefix in ipairs {"", "."} do
    for _, name in ipairs(files.list(here, prefix) or {}) do
      if name:find "/$" and depth > 0 then
        walk(dir, below .. name, depth - 1, list)
      else
        list[#list + 1] = below .. name
      end
    end
  end
  return list
end

function M.strangers(it)
  local list = {}
  for _, path in ipairs(walk(it.dir, "", 6, {})) do
    local sum = it.lock.files[path]
    local text = sum and pack.slurp(it.dir, path)
    if path ~= Lock and not (text and pack.sha256(text) == sum) then
      list[#list + 1] = path
    end
  end
  table.sort(list)
  return list
end

-- Is a file of it gone?
local function lacks(it)
  for path in pairs(it.lock.files) do
    if not keep.kind(it.dir .. "/" .. path) then
      return true
    end
  end
  return false
end

-- Is it all there, and as it came?
function M.whole(it)
  return #M.strangers(it) == 0 and not lacks(it)
end

-- Changing ---------------------------------------------------------------------------------

local function done(path, ok, why)
  if not ok then
    diag.fail("pack_write", path, why)
  end
  return ok
end

-- A folder that is not wanted any more: deleted, or kept aside when it holds what is not the
-- pack's; the name that it has then.
local function drop(parent, name, as)
  local it = M.at(parent .. "/" .. name)
  if not it or #M.strangers(it) == 0 then
    done(parent .. "/" .. name, pack.discard(parent, name))
    return nil
  end
  local n = 1
  while keep.kind(("%s/.kept-%s-%d"):format(parent, as, n)) do
    n = n + 1
  end
  local kept = (".kept-%s-%d"):format(as, n)
  done(parent .. "/" .. kept, pack.swap(parent, name, kept))
  return parent .. "/" .. kept
end

-- What an earlier run left when it was ended in the middle.
local function recover(parent)
  for _, name in ipairs(files.list(parent, Old) or {}) do
    local was = name:match("^" .. Old:gsub("%p", "%%%0") .. "([a-z0-9][a-z0-9%-]*)/$")
    if was and not keep.kind(parent .. "/" .. was) then
      pack.swap(parent, name:sub(1, -2), was)
    end
  end
  for _, name in ipairs(files.list(parent, New) or {}) do
    if name:find(("%x"):rep(16) .. "/$") then
      drop(parent, name:sub(1, -2), "unknown")
    end
  end
end

-- {parent =, name =} of a pack's folder, which is made ready.
local function place_of(dir)
  local parent, name = dir:match "^(.*)/([^/]+)/*$"
  if not parent then
    parent, name = ".", dir:match "^([^/]+)/*$"
  end
  parent = parent == "" and "/" or parent
  done(parent, keep.mkdir(parent))
  return parent, name
end

-- Clears up around the place of a pack; what an earlier run did not finish counts from now on.
function M.ready(dir)
  local parent = place_of(dir)
  local _ <close> = keep.lock(parent)
  recover(parent)
end

-- In the new folder, before it counts: does moontile understand its index and puzzles?
local function try(parent, temp)
  local ok, err = pcall(puzzle.course, parent .. "/" .. temp)
  if not ok then
    pack.discard(parent, temp)
    error(err, 0)
  end
end

-- source: {source =, sha256 =, vouched =}
function M.install(P, dir, source)
  local parent, name = place_of(dir)
  local _ <close> = keep.lock(parent)
  recover(parent)
  local before = M.at(dir)
  if keep.kind(dir) and not before then
    diag.fail("pack_taken", dir)
  end
  local t = {name = P.name, version = P.version, license = P.license, ["title.en"] = P.title.en,
    ["title.zh"] = P.title.zh}
  for key, v in pairs(source) do
    t[key] = v
  end
  local list = table.move(P.files, 1, #P.files, 1, {})
  list[#list + 1] = {path = Lock, text = lock_text(t, P.files)}
  local temp, why = pack.unpack(parent, list)
  done(dir, temp, why)
  try(parent, temp)
  local how, failed = pack.swap(parent, temp, name)
  if not how then
    pack.discard(parent, temp)
    done(dir, how, failed)
  end
  return how == "swapped" and drop(parent, temp, P.name) or nil
end

function M.remove(it)
  local parent, name = place_of(it.dir)
  local _ <close> = keep.lock(parent)
  recover(parent)
  local gone = ("%s%016x"):format(New, math.random(0))
  done(it.dir, pack.swap(parent, name, gone))
  return drop(parent, gone, it.name)
end

return M
