-- track/folder.lua: a learner's folder: a file for each puzzle, and the progress beside.
--
--     folder.open(dir)          -> F | nil, why (in the user's language)
--     folder.init(dir, from)    -> {made =, kept =, again =} | nil, why
--     F:path(p)  F:text(p)  F:starter(p)  F:begun(p)  F:reset(p)
--     F:current()  F:next(p)  F:is_done(p)  F:count()  F:find(word)
--
-- F: {dir =, track =, progress =}.  The track is ours, or the folder that the progress names
-- as the one it came from.

local judge = require "moontile.puzzles.judge.puzzle"
local keep = require "moontile.keep"
local progress = require "moontile.puzzles.track.progress"
local says = require "moontile.puzzles.track.says"

local M = {}

local say = says.say

local Folder = {}
Folder.__index = Folder

local function join(dir, name)
  return dir == "." and name or (dir:gsub("/*$", "")) .. "/" .. name
end

local function read(path)
  local f = keep.kind(path) == "file" and io.open(path, "rb")
  if not f then
    return nil
  end
  local text = f:read "a"
  f:close()
  return text
end
M.read = read

-- The track that a folder came from, or nil and why it is not there.
local function track_of(from)
  if from and keep.kind(from) ~= "folder" then
    return nil, say("the puzzles come from %s, which is not there any more",
      "谜题来自 %s，而它已不存在", from)
  end
  return judge.track(from)
end

-- Does the folder hold files of the track?
local function has_files(dir, track)
  for _, p in ipairs(track.puzzles) do
    if keep.kind(join(dir, p.file)) == "file" then
      return true
    end
  end
  return false
end

local function make(dir, track, state)
  return setmetatable({dir = dir, track = track, progress = state}, Folder)
end

-- F of any folder, whether it was prepared or not.
function M.at(dir)
  if keep.kind(dir) ~= "folder" then
    return nil, say("there is no folder %s", "没有文件夹 %s", dir)
  end
  local state, why = progress.open(join(dir, progress.name))
  if not state then
    return nil, say("cannot read the progress: %s", "无法读取进度：%s", why)
  end
  local track, none = track_of(state.state.from)
  if not track then
    return nil, none
  end
  return make(dir, track, state)
end

function M.open(dir)
  local F, why = M.at(dir)
  if F and not keep.kind(F.progress.path) and not has_files(dir, F.track) then
    return nil, say("%s holds no puzzles; `moontile puzzles init DIR` makes a folder of them",
      "%s 中没有谜题；`moontile puzzles init 目录` 可创建一个", dir == "." and
      say("this folder", "当前文件夹") or dir)
  end
  return F, why
end

-- F for the prompt: our track, no files, the progress where the user's state is.
function M.of_state()
  local state, why = progress.open(keep.state "puzzles")
  if not state then
    return nil, say("cannot read the progress: %s", "无法读取进度：%s", why)
  end
  return make(nil, judge.track(), state)
end

-- Files ----------------------------------------------------------------------------------

function Folder:path(p)
  return join(self.dir, p.file)
end

function Folder:text(p)
  return read(self:path(p))
end

function Folder:starter(p)
  return p.read "starter.lua" or ""
end

-- Has the learner changed the file?
function Folder:begun(p)
  local text = self:text(p)
  return text ~= nil and text ~= self:starter(p)
end

-- Puts the starter back; what was there stays as FILE.old.  -> true, old's path | nil, why
function Folder:reset(p)
  local path, text = self:path(p), self:text(p)
  local old = text and text ~= self:starter(p) and path .. ".old" or nil
  if old then
    local ok, why = keep.replace(old, text)
    if not ok then
      return nil, why
    end
  end
  local ok, why = keep.replace(path, self:starter(p))
  return ok, ok and old or why
end

-- Makes the files that are not there.
local function fill(F)
  local made, kept = 0, 0
  for _, p in ipairs(F.track.puzzles) do
    local ok, why, exists = keep.create(F:path(p), F:starter(p))
    if ok then
      made = made + 1
    elseif exists then
      kept = kept + 1
    else
      return nil, ("%s: %s"):format(F:path(p), why)
    end
  end
  return {made = made, kept = kept}
end

function M.init(dir, from)
  from = from and (keep.absolute(from) or from)
  local track, why = track_of(from)
  if not track then
    return nil, say("there is no folder %s", "没有文件夹 %s", from) or why
  end
  local ok, cannot = keep.mkdir(dir)
  if not ok then
    return nil, ("%s: %s"):format(dir, cannot)
  end
  local state, unreadable = progress.open(join(dir, progress.name))
  if not state then
    return nil, unreadable
  end
  local again = keep.kind(state.path) ~= nil
  if again and state.state.from ~= from then
    return nil, say("%s holds other puzzles already, of %s", "%s 中已有其他谜题，来自 %s", dir,
      state.state.from or "moontile")
  end
  local F = make(dir, track, state)
  local r, failed = fill(F)
  if not r then
    return nil, failed
  end
  local wrote, not_written = state:update(function(s)
    s.from = from
    s.current = s.current or track.puzzles[1].name
  end)
  if not wrote then
    return nil, ("%s: %s"):format(state.path, not_written)
  end
  r.again = again
  return r
end

-- Order ----------------------------------------------------------------------------------

function Folder:is_done(p)
  return self.progress.state.done[p.name] ~= nil
end

-- How many are done, of how many; stars, of how many were given.
function Folder:count()
  local n, stars, of = 0, 0, 0
  for _, p in ipairs(self.track.puzzles) do
    local d = self.progress.state.done[p.name]
    n = n + (d and 1 or 0)
    stars, of = stars + (d and d.stars or 0), of + (d and d.of or 0)
  end
  return n, #self.track.puzzles, stars, of
end

-- The first one behind p, around the end, that is not done; nil: all are.
function Folder:next(p)
  local list, at = self.track.puzzles, 0
  for i, q in ipairs(list) do
    at = p and q.name == p.name and i or at
  end
  for k = 1, #list do
    local q = list[(at + k - 1) % #list + 1]
    if not self:is_done(q) then
      return q
    end
  end
  return nil
end

function Folder:current()
  local p = self.progress.state.current
  return p and self.track.by[p] or self:next() or self.track.puzzles[1]
end

-- The puzzle that a word or a path names; raises who is near otherwise.
function Folder:find(word)
  return judge.find(self.track, word)
end

return M
