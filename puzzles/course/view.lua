-- course/view.lua: the screen of the watch mode: a text that can be scrolled, and below it
-- the progress and the keys.
--
--     local v = view.new(footer)   footer(style) -> lines at the foot
--     v:set(title, make)           make(style) -> lines [, the one to begin with]; called
--                                  again for another width
--     v:paint()  v:scroll(key)
--     v:say(text)                  a line above the foot until the next key
--     view.open()  view.close()  view.style()
--
-- The screen is the terminal's second one, so that leaving shows again what was there.
-- Lines that are too long are cut by the terminal.

local page = require "moontile.help.text"
local says = require "moontile.puzzles.course.says"
local screen = require "moontile.screen"
local show = require "moontile.puzzles.course.show"
local term = require "moontile.term"

local M = {}

local On = "\27[?1049h\27[?25l\27[?7l"   -- second screen, no cursor, no wrapping
local Off = "\27[?7h\27[?25h\27[?1049l"
local Begin, End = "\27[?2026h", "\27[?2026l" -- all of it at once, where terminals know that

function M.open()
  screen.open()
  screen.goodbye(Off)
  io.stdout:write(On)
end

function M.close()
  io.stdout:write(Off)
  io.stdout:flush()
  screen.close()
end

-- Something else has the terminal, for as long as f takes.
function M.aside(f)
  M.close()
  local r = table.pack(f())
  M.open()
  return table.unpack(r, 1, r.n)
end

function M.style()
  local s = term.terminal()
  s.width, s.height = screen.size()
  return s
end

local View = {}
View.__index = View

function M.new(footer)
  return setmetatable({footer = footer, top = 0, lines = {}, title = ""}, View)
end

function View:set(title, make)
  self.title, self.make, self.top, self.width = title, make, 0, nil
end

-- The lines for the present width.
function View:fit(style)
  if self.width ~= style.width then
    local first
    self.lines, first = self.make(style)
    self.top = not self.width and first and first - 1 or self.top
    self.width = style.width
  end
end

function View:say(text)
  self.message = text
end

-- "1-20/64 ↓ Space", where there is more than fits: the key shows the rest
local function position(top, room, n, style)
  if n <= room then
    return nil
  end
  local text = ("%d-%d/%d "):format(top + 1, math.min(n, top + room), n)
  local more = top + room < n
  local sign = style.unicode and (more and "↓" or "↑") or ""
  return text .. sign .. (more and style.width >= 40 and says.say(" Space", " 空格") or "")
end

local function foot(self, style)
  local list = {}
  if self.message then
    for _, line in ipairs(page.wrap(self.message, style.width - 1)) do
      list[#list + 1] = show.paint(line, "yellow", style)
    end
  end
  return show.add(list, self.footer(style))
end

-- The head line: the title left, where one is in the text right.
local function head(self, style, room)
  local where = position(self.top, room, #self.lines, style)
  local left = term.cut(self.title, style.width - 1 - (where and term.width(where) + 2 or 0), "...")
  local line = show.paint(left, "head", style)
  if where then
    line = line .. (" "):rep(style.width - 1 - term.width(left) - term.width(where)) ..
      show.paint(where, "dim", style)
  end
  return line
end

function View:paint()
  local style = M.style()
  self:fit(style)
  local below = foot(self, style)
  local room = math.max(1, style.height - 3 - #below)
  local most = math.max(0, #self.lines - room)
  self.room = room
  self.top = math.max(0, math.min(self.top, most))
  local out = {head(self, style, room), ""}
  for i = 1, room do
    out[#out + 1] = self.lines[self.top + i] or ""
  end
  while #out < style.height - #below do
    out[#out + 1] = ""
  end
  show.add(out, below)
  while #out > style.height do -- a very low terminal: the foot stays
    table.remove(out, 1)
  end
  io.stdout:write(Begin, "\27[H", table.concat(out, "\27[K\r\n"), "\27[K\27[J", End)
  io.stdout:flush()
end

local steps = {
  ["\27[A"] = -1, ["\27OA"] = -1, k = -1, ["\27[B"] = 1, ["\27OB"] = 1, j = 1,
  ["\27[5~"] = "up", b = "up", ["\27[6~"] = "down", [" "] = "down",
  g = "first", ["\27[H"] = "first", ["\27[1~"] = "first", ["\27OH"] = "first",
  G = "last", ["\27[F"] = "last", ["\27[4~"] = "last", ["\27OF"] = "last",
}

-- Moves by a key; false when it is none of these.
function View:scroll(key)
  local by = steps[key]
  if not by then
    return false
  end
  local room = self.room or 1
  if by == "first" then
    self.top = 0
  elseif by == "last" then
    self.top = #self.lines
  else
    self.top = self.top + (by == "up" and -(room - 1) or by == "down" and room - 1 or by)
  end
  return true
end

return M
