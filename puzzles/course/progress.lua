-- course/progress.lua: what somebody has done, in a small file of plain text.
--
--     local g = progress.open(path [, strange])
--     g.state     {current =, from =, code = "python" or nil, done = {name -> {stars =, of =}}, read = {name -> true},
--                  solution = {name -> true}, hints = {name -> {part -> how many}}}
--     g:update(function(state) ... end)   -> true | nil, why it could not be written
--     g:done(name, stars, of)  g:go(name)  g:seen(name)  g:hinted(name, part, n)
--     g:looked(name)                      such changes; the same results
--
-- Everything is keyed by the names of puzzles.  Names that the course does not have, and
-- lines that mean nothing to us, stay in the file.  A change is made to what the file says
-- at that moment, behind a lock, and the new file takes the old one's place in one step:
-- two programs of ours at once lose nothing.  What could not be written, on a full disk for
-- instance, is tried again with the next change.
--
-- strange: the folder may be somebody else's, as a learner's is to a teacher.  Then the file
-- has to be a plain one, of a size that a text has, and no link is followed: what is read
-- there is written back.

local disk = require "moontile.files"
local files = require "moontile.files"
local keep = require "moontile.keep"
local pack = require "moontile.pack"

local M = {}

M.name = ".moontile-puzzles"

local header = [[
# The progress of `moontile puzzles`, one fact a line; moontile reads and writes it.
# Without this file nothing is lost but the progress.
# `moontile puzzles` 的进度，每行一条，由 moontile 读写；删除它只会丢失进度。
]]

local Progress = {}
Progress.__index = Progress

-- Reading --------------------------------------------------------------------------------

local function fresh()
  return {done = {}, read = {}, solution = {}, hints = {}, extra = {}}
end

-- A line that begins with the word; returns whether it makes sense.
local readers = {
  current = function(s, rest)
    s.current = rest:match "^(%S+)$" or s.current
    return rest:find "^%S+$"
  end,
  from = function(s, rest)
    s.from = rest ~= "" and rest or nil
    return rest ~= ""
  end,
  code = function(s, rest)
    s.code = rest == "python" and rest or s.code
    return s.code ~= nil
  end,
  done = function(s, rest)
    local name, stars, of = rest:match "^(%S+)%s+(%d+)/(%d+)$"
    name = name or rest:match "^(%S+)$"
    if name then
      s.done[name] = {stars = math.tointeger(tonumber(stars)), of = math.tointeger(tonumber(of))}
    end
    return name
  end,
  read = function(s, rest)
    s.read[rest] = true
    return rest:find "^%S+$"
  end,
  solution = function(s, rest)
    s.solution[rest] = true
    return rest:find "^%S+$"
  end,
  hints = function(s, rest)
    local name, part, n = rest:match "^(%S+)%s+(%S+)%s+(%d+)$"
    if name then
      s.hints[name] = s.hints[name] or {}
      s.hints[name][part] = math.tointeger(tonumber(n))
    end
    return name
  end,
}

local ours = {} -- the lines of the header
for line in header:gmatch "[^\n]+" do
  ours[line] = true
end

local function parse(text)
  local s = fresh()
  for line in (text:gsub("\r", "") .. "\n"):gmatch "([^\n]*)\n" do
    local word, rest = line:match "^(%l+)%s+(.-)%s*$"
    if not (word and readers[word] and readers[word](s, rest)) and line:find "%S" and
      not ours[line] then
      s.extra[#s.extra + 1] = line
    end
  end
  return s
end

-- Writing --------------------------------------------------------------------------------

local function names(t)
  local list = {}
  for name in pairs(t) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

local function text_of(s)
  local out = {}
  local function put(fmt, ...)
    out[#out + 1] = fmt:format(...)
  end
  if s.from then put("from %s", s.from) end
  if s.code then put("code %s", s.code) end
  if s.current then put("current %s", s.current) end
  for _, name in ipairs(names(s.done)) do
    local d = s.done[name]
    put(d.stars and "done %s %d/%d" or "done %s", name, d.stars, d.of)
  end
  for _, name in ipairs(names(s.hints)) do
    for _, part in ipairs(names(s.hints[name])) do
      put("hints %s %s %d", name, part, s.hints[name][part])
    end
  end
  for _, name in ipairs(names(s.read)) do put("read %s", name) end
  for _, name in ipairs(names(s.solution)) do put("solution %s", name) end
  for _, line in ipairs(s.extra) do put("%s", line) end
  return header .. table.concat(out, "\n") .. (#out > 0 and "\n" or "")
end

-- The folder of a file, and its name there.
local function parts(path)
  local dir, name = path:match "^(.*)/([^/]*)$"
  return dir == "" and "/" or dir or ".", name or path
end

-- The bytes of the file; "" when there is none; nil and why when it cannot be read.
local function read(path, strange)
  if strange then
    local text, err, what = pack.slurp(parts(path))
    return text or what == "none" and "" or nil, err
  elseif not keep.kind(path) then
    return ""
  end
  return disk.read(path)
end

-- Without a path: only as long as the program runs.
function M.open(path, strange)
  if not path then
    return setmetatable({state = fresh(), pending = {}}, Progress)
  end
  local text, why = read(path, strange)
  if not text then
    return nil, why
  end
  return setmetatable({path = path, strange = strange, state = parse(text), pending = {}}, Progress)
end

function Progress:update(change)
  if not self.path then
    change(self.state)
    return true
  end
  self.pending[#self.pending + 1] = change
  local _ <close> = keep.lock((parts(self.path)))
  local text, why = read(self.path, self.strange)
  local state = parse(text or "")
  for _, f in ipairs(self.pending) do
    f(state)
  end
  self.state = state
  if not text then -- it is there and cannot be read: not to be overwritten
    return nil, why
  end
  local new = text_of(state)
  local ok, err = true, nil
  if new ~= text then
    ok, err = files.write(self.path, new, self.strange)
  end
  if ok then
    self.pending = {}
  end
  return ok, err
end

-- Changes --------------------------------------------------------------------------------

-- Done; the most stars that it ever had.
function Progress:done(name, stars, of)
  return self:update(function(s)
    local d = s.done[name]
    if not d or (stars or -1) > (d.stars or -1) then
      s.done[name] = {stars = stars, of = of}
    end
  end)
end

function Progress:go(name)
  return self:update(function(s) s.current = name end)
end

-- Its statement was shown.
function Progress:seen(name)
  return self.state.read[name] and true or self:update(function(s) s.read[name] = true end)
end

-- So many hints of the part were shown.
function Progress:hinted(name, part, n)
  return self:update(function(s)
    s.hints[name] = s.hints[name] or {}
    s.hints[name][part] = math.max(n, s.hints[name][part] or 0)
  end)
end

-- Its solution was shown before it was solved.
function Progress:looked(name)
  return self.state.solution[name] and true or self:update(function(s) s.solution[name] = true end)
end

function Progress:hints(name, part)
  return self.state.hints[name] and self.state.hints[name][part] or 0
end

return M
