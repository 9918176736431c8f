-- course/folder.lua: a learner's folder: a file for each puzzle, and the progress beside.
--
--     folder.open(dir [, from [, code]]) -> F | nil, why (in the user's language)
--     folder.init(dir, from, code)    -> {made =, kept =, again =} | nil, why, is it the disk?
--     folder.of_state([from [, code]])   -> F without files: our course, or that one
--     folder.holds(dir, from)   is it a folder of that course?
--     F:path(p)  F:text(p)  F:solution(p)  F:starter(p)  F:begun(p)  F:reset(p)
--     F:current()  F:next(p)  F:is_done(p)  F:count()  F:find(word)
--
-- F: {dir =, course =, progress =}.  The course is ours, or the one that the progress names as
-- what it came from: "pack:course", or a folder with index.lua.  from, of --from: another one.
-- code: "python": files and texts are in Python; "lua"; nil: as the progress says.  A file in the other
-- language is judged where the folder has no file in its own, or only the starter.

local clean = require "moontile.puzzles.judge.clean"
local inpython = require "moontile.puzzles.judge.inpython"
local judge = require "moontile.puzzles.judge.puzzle"
local files = require "moontile.files"
local keep = require "moontile.keep"
local pack = require "moontile.pack"
local progress = require "moontile.puzzles.course.progress"
local says = require "moontile.puzzles.course.says"
local store = require "moontile.puzzles.course.pack_store"

local M = {}

local say = says.say

local Folder = {}
Folder.__index = Folder

local function join(dir, name)
  return dir == "." and name or (dir:gsub("/*$", "")) .. "/" .. name
end

-- The course that is called so, and what a folder remembers of it; or nil and why it is not there.
-- recorded: it is what a folder remembers.
local function course_of(from, recorded)
  if not from then
    return judge.course()
  end
  local dir, name = store.resolve(from)
  local lost = not dir and from:match "^pack:(.*)$"
  if lost then
    return nil, say("the puzzles come from the pack %s, which is not here; `moontile puzzles get` " ..
      "fetches it", "谜题来自谜题包 %s，而本机没有；`moontile puzzles get` 可获取", clean.line(lost, 60))
  elseif not dir and recorded then
    return nil, say("the puzzles come from %s, which no longer exists",
      "谜题来自 %s，而它已不存在", clean.line(from, 500))
  elseif not dir then
    return nil, say("there is no pack and no folder of puzzles %s",
      "没有名为 %s 的谜题包或谜题文件夹", clean.line(from, 500))
  end
  return judge.course(dir), name
end

-- The name of a puzzle's file in the other language.
local function other_of(p)
  return p.folder .. (p.code == "python" and ".lua" or ".py")
end

-- The starter in the language of a file.
local function starter_of(p, file)
  local lua = p.read "starter.lua" or ""
  if file:find "%.py$" then
    p.in_python = p.in_python or inpython.file(lua)
    return p.in_python
  end
  return lua
end

-- Does the folder hold files of the course?
local function has_files(dir, course)
  for _, p in ipairs(course.puzzles) do
    if keep.kind(join(dir, p.file)) == "file" or keep.kind(join(dir, other_of(p))) == "file" then
      return true
    end
  end
  return false
end

local function make(dir, course, state, code)
  if code == "python" then
    judge.python(course)
  end
  return setmetatable({dir = dir, course = course, progress = state}, Folder)
end

-- Why a course cannot be had in Python; nil: it can.
local function no_python(course, code)
  return code == "python" and course.dir and
    say("the puzzles of packs are in Lua", "谜题包中的谜题使用 Lua") or nil
end

-- The progress of a folder that may be somebody else's; or nil and why not.
local function progress_of(dir)
  local path = join(dir, progress.name)
  local state, why = progress.open(path, true)
  if not state then
    return nil, say("the progress cannot be read: %s has to be a plain file, not a link, of at most " ..
      "%d MiB (%s)", "无法读取进度：%s 必须是普通文件（不能是链接），且不超过 %d MiB（%s）",
      clean.line(path, 500), pack.textbytes >> 20, why)
  end
  return state
end

-- F of any folder, whether it was prepared or not.
function M.at(dir, from, code)
  if keep.kind(dir) ~= "folder" then
    return nil, say("there is no folder %s", "没有文件夹 %s", dir)
  end
  local state, why = progress_of(dir)
  if not state then
    return nil, why
  end
  local course, none = course_of(from or state.state.from, not from)
  if not course or no_python(course, code) then
    return nil, course and no_python(course, code) or none
  end
  return make(dir, course, state, code or state.state.code)
end

function M.open(dir, from, code)
  local F, why = M.at(dir, from, code)
  if F and not keep.kind(F.progress.path) and not has_files(dir, F.course) then
    return nil, say("%s holds no puzzles; `moontile puzzles init DIR` makes a folder of them",
      "%s 中没有谜题；`moontile puzzles init 目录` 可创建一个", dir == "." and
      say("this folder", "当前文件夹") or dir)
  end
  return F, why
end

-- F for the prompt: no files, the progress where the user's state is.
function M.of_state(from, code)
  local course, name = course_of(from)
  if not course or no_python(course, code) then
    return nil, course and no_python(course, code) or name
  end
  local file = not name and "puzzles" or name:match "^pack:" and "puzzles-" .. name:match ":(.*)"
  local state, why = progress.open(file and keep.state(file))
  if not state then
    return nil, say("cannot read the progress: %s", "无法读取进度：%s", why)
  end
  return make(nil, course, state, code)
end

function M.holds(dir, from)
  local state = keep.kind(dir) == "folder" and progress.open(join(dir, progress.name), true)
  local _, name = store.resolve(from)
  return state and name ~= nil and state.state.from == name
end

-- Files ----------------------------------------------------------------------------------

-- The name of the learner's file: it may be in the other language.
function Folder:file(p)
  local other = other_of(p)
  if not self.dir or self.course.dir or keep.kind(join(self.dir, other)) ~= "file" then
    return p.file
  end
  local mine = pack.slurp(self.dir, p.file)
  return (not mine or mine == self:starter(p)) and other or p.file
end

function Folder:path(p)
  return join(self.dir, self:file(p))
end

-- The learner's text; nil: there is no such file; nil and why (in both languages): there is
-- one, but not a plain file of a size that a text has.  No link is followed, since the folder
-- may be somebody else's, and what is judged is also quoted.
function Folder:text(p)
  local file = self:file(p)
  local text, err, what = pack.slurp(self.dir, file)
  if text or what == "none" then
    return text
  end
  local most = pack.textbytes >> 20
  return nil, {en = ("%s cannot be read as a solution: it has to be a plain file, not a link, of " ..
    "at most %d MiB (%s)."):format(file, most, err), zh = ("%s 不能作为解答读取：它必须是普通文件" ..
    "（不能是链接），且不超过 %d MiB（%s）。"):format(file, most, err)}
end

-- What the judge is given of it.
function Folder:solution(p)
  local text, why = self:text(p)
  return {text = text or "", unreadable = why, chunk = "@" .. self:path(p)}
end

function Folder:starter(p)
  return starter_of(p, p.file)
end

-- Has the learner changed the file?
function Folder:begun(p)
  local text, why = self:text(p)
  return why ~= nil or text ~= nil and text ~= starter_of(p, self:file(p))
end

-- Puts the starter back; what was there stays as FILE.old.  -> true, old's path |
-- nil, why, the path that could not be written
function Folder:reset(p)
  local path, text, starter = self:path(p), self:text(p), starter_of(p, self:file(p))
  local old = text and text ~= starter and path .. ".old" or nil
  if old then
    local ok, why = files.write(old, text, true)
    if not ok then
      return nil, why, old
    end
  end
  local ok, why = files.write(path, starter, true)
  return ok, ok and old or why, not ok and path or nil
end

-- Makes the files that are not there.
local function fill(F)
  local made, kept = 0, 0
  for _, p in ipairs(F.course.puzzles) do
    local path = join(F.dir, p.file)
    local ok, why, exists = keep.create(path, F:starter(p))
    if ok then
      made = made + 1
    elseif exists then
      kept = kept + 1
    else
      return nil, ("%s: %s"):format(path, why)
    end
  end
  return {made = made, kept = kept}
end

function M.init(dir, from, code)
  local course, name = course_of(from)
  if not course or no_python(course, code) then
    return nil, course and no_python(course, code) or name
  end
  local ok, cannot = keep.mkdir(dir)
  if not ok then
    return nil, ("%s: %s"):format(dir, cannot), true
  end
  local state, unreadable = progress_of(dir)
  if not state then
    return nil, unreadable
  end
  local again = keep.kind(state.path) ~= nil
  if again and state.state.from ~= name then
    return nil, say("%s already holds other puzzles, from %s", "%s 中已有其他谜题，来自 %s", dir,
      state.state.from or "moontile")
  end
  local language = code or state.state.code
  local F = make(dir, course, state, language)
  local r, failed = fill(F)
  if not r then
    return nil, failed, true
  end
  local wrote, not_written = state:update(function(s)
    s.from, s.code = name, language == "python" and language or nil
    s.current = s.current or course.puzzles[1].name
  end)
  if not wrote then
    return nil, ("%s: %s"):format(state.path, not_written), true
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
  for _, p in ipairs(self.course.puzzles) do
    local d = self.progress.state.done[p.name]
    n = n + (d and 1 or 0)
    stars, of = stars + (d and d.stars or 0), of + (d and d.of or 0)
  end
  return n, #self.course.puzzles, stars, of
end

-- The first one behind p, around the end, that is not done; nil: all are.
function Folder:next(p)
  local list, at = self.course.puzzles, 0
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
  return p and self.course.by[p] or self:next() or self.course.puzzles[1]
end

-- The puzzle that a word or a path names; raises who is near otherwise.
function Folder:find(word)
  return judge.find(self.course, word)
end

return M
