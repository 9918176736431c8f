-- course/list.lua: the list of puzzles, walked through with keys.
--
--     list.run(w)   -> the puzzle to go on with, or nil; w: the watch mode

local says = require "moontile.puzzles.course.says"
local screen = require "moontile.screen"
local show = require "moontile.puzzles.course.show"
local view = require "moontile.puzzles.course.view"
local term = require "moontile.term"

local M = {}

local say, pick, paint = says.say, says.pick, show.paint

-- Columns: heading, what a row shows; where there is no room, the last ones are left out.
local columns = {
  {en = " ", zh = " ", cell = function(r) return r.current and ">" or " " end},
  {en = "State", zh = "状态", cell = function(r) return (show.state_text(r.state)) end},
  {en = "Stars", zh = "星", cell = function(r, s) return show.stars(r.stars, r.of,
    {colour = 0, unicode = s.unicode}) end},
  {en = "Name", zh = "名称", cell = function(r) return ("%02d %s"):format(r.p.number, r.p.name) end},
  {en = "Title", zh = "标题", spare = true, cell = function(r) return pick(r.p.title) end},
  {en = "Path", zh = "路径", spare = true, cell = function(r) return r.path end},
}

local List = {}
List.__index = List

-- Rows -----------------------------------------------------------------------------------

local filters = {
  d = function(state) return state == "done" or state == "seen" end,
  p = function(state) return state ~= "done" and state ~= "seen" end,
}

local function matches(p, text)
  local t = text:lower()
  local title = p.title.en:lower() .. " " .. p.title.zh
  return p.folder:find(t, 1, true) ~= nil or title:find(t, 1, true) ~= nil
end

-- The rows that filter and search leave; the cursor stays on its puzzle where it can.
function List:fill()
  local F = self.w.F
  local on = self.rows and self.rows[self.at] and self.rows[self.at].p
  self.rows = {}
  for _, p in ipairs(F.course.puzzles) do
    local state, d = show.state(F, p), F.progress.state.done[p.name]
    if (not self.filter or filters[self.filter](state)) and
      (not self.search or matches(p, self.search)) then
      self.rows[#self.rows + 1] = {p = p, state = state, stars = d and d.stars, of = d and d.of,
        path = F:path(p), current = p == self.w.p}
    end
  end
  self.at = math.max(1, math.min(self.at, #self.rows))
  for i, r in ipairs(self.rows) do
    if r.p == on then
      self.at = i
    end
  end
end

-- Painting -------------------------------------------------------------------------------

local function widths(rows, style)
  local list, used = {}, 1
  for k, c in ipairs(columns) do
    local n = term.width(pick(c))
    for _, r in ipairs(rows) do
      n = math.max(n, term.width(c.cell(r, style)))
    end
    used = used + n + 2
    if c.spare and used >= style.width then
      break
    end
    list[k] = n
  end
  return list
end

-- One line of the table; chosen: under the cursor, which a letter says too.
local function line_of(cells, list, style, what, chosen)
  local parts = {}
  for k, text in ipairs(cells) do
    if list[k] then
      parts[#parts + 1] = term.pad(text, list[k])
    end
  end
  local text = (chosen and "* " or "  ") .. table.concat(parts, "  ")
  text = term.cut(text, style.width - 1, "..."):gsub("%s+$", "")
  if chosen and style.colour > 0 then
    return "\27[7m" .. term.pad(text, style.width - 1) .. "\27[0m"
  end
  return what and paint(text, what, style) or text
end

local function header(list, style)
  local cells = {}
  for k, c in ipairs(columns) do
    cells[k] = pick(c)
  end
  return line_of(cells, list, style, "bold")
end

function List:keys()
  if self.typing then
    return say("/%s   (Enter keeps it, Esc drops it)", "/%s   （Enter 保留，Esc 取消）", self.search or "")
  elseif self.w.question then
    return self.w.question.text
  elseif self.message then
    return self.message
  end
  local on = self.filter == "d" and say("done only", "只看完成") or self.filter == "p" and
    say("pending only", "只看未完成") or nil
  return say("Enter go on there  r reset  d done  p pending  / search  q back",
    "Enter 从这里继续  r 重置  d 完成  p 未完成  / 搜索  q 返回") .. (on and "  [" .. on .. "]" or "") ..
    (self.search and "  [/" .. self.search .. "]" or "")
end

function List:paint()
  local style = view.style()
  local list, out = widths(self.rows, style), {}
  out[1] = header(list, style)
  local foot = require("moontile.help.text").wrap(self:keys(), style.width - 1)
  local room = math.max(1, style.height - 2 - #foot)
  self.room = room
  self.top = math.max(math.min(self.top or 0, self.at - 1), self.at - room)
  self.top = math.max(0, math.min(self.top, #self.rows - room))
  for i = self.top + 1, math.min(#self.rows, self.top + room) do
    local r, cells = self.rows[i], {}
    for k, c in ipairs(columns) do
      cells[k] = c.cell(r, style)
    end
    local _, colour = show.state_text(r.state)
    out[#out + 1] = line_of(cells, list, style, colour, i == self.at)
  end
  if #self.rows == 0 then
    out[2] = say("  nothing here", "  没有匹配的谜题")
  end
  while #out < style.height - 1 - #foot do
    out[#out + 1] = ""
  end
  out[#out + 1] = show.bar(self.w.F, style)
  show.add(out, foot)
  while #out > style.height do
    table.remove(out, 1)
  end
  io.stdout:write("\27[?2026h\27[H", table.concat(out, "\27[K\r\n"), "\27[K\27[J\27[?2026l")
  io.stdout:flush()
end

-- Keys -----------------------------------------------------------------------------------

local steps = {["\27[A"] = -1, ["\27OA"] = -1, k = -1, ["\27[B"] = 1, ["\27OB"] = 1, j = 1}
local ends = {g = -math.huge, ["\27[H"] = -math.huge, ["\27[1~"] = -math.huge,
  ["\27OH"] = -math.huge, G = math.huge, ["\27[F"] = math.huge, ["\27[4~"] = math.huge,
  ["\27OF"] = math.huge}
local pages = {["\27[5~"] = -1, ["\27[6~"] = 1, [" "] = 1, b = -1}

function List:move(by)
  self.at = math.tointeger(math.max(1, math.min(#self.rows, self.at + by)))
end

-- Typing behind "/": what is typed filters at once.
function List:type(key)
  local s = self.search or ""
  if key == "\r" or key == "\n" then
    self.typing = false
    self.search = s ~= "" and s or nil
  elseif key == "\27" then
    self.typing, self.search = false, nil
  elseif key == "\127" or key == "\b" then
    self.search = s:sub(1, (utf8.offset(s, -1) or 1) - 1)
  elseif key:find "^[^%c]" then
    self.search = s .. key
  end
  self:fill()
end

local actions = {
  q = function(l) l.over = true end,
  ["\27"] = function(l) l.over = true end,
  l = function(l) l.over = true end,
  d = function(l) l.filter = l.filter ~= "d" and "d" or nil end,
  p = function(l) l.filter = l.filter ~= "p" and "p" or nil end,
  ["/"] = function(l) l.typing, l.search = true, "" end,
  s = function(l) l.typing, l.search = true, "" end,
  r = function(l)
    local row = l.rows[l.at]
    if row then
      l.w:reset(row.p, function() l:fill() end)
    end
  end,
  ["\r"] = function(l)
    l.chosen = l.rows[l.at] and l.rows[l.at].p
    l.over = l.chosen ~= nil
  end,
}
actions["\n"], actions.c = actions["\r"], actions["\r"]

function List:key(key)
  self.message = nil
  if self.w.question then
    local q = self.w.question
    self.w.question = nil
    if key == "y" or key == "Y" then
      q.yes()
      self.message, self.w.view.message = self.w.view.message, nil
    end
  elseif self.typing then
    self:type(key)
  elseif steps[key] then
    self:move(steps[key])
  elseif pages[key] then
    self:move(pages[key] * ((self.room or 2) - 1))
  elseif ends[key] then
    self.at = ends[key] < 0 and 1 or math.max(1, #self.rows)
  elseif actions[key] then
    actions[key](self)
    self:fill()
  end
end

function M.run(w)
  local l = setmetatable({w = w, at = 1}, List)
  for i, p in ipairs(w.F.course.puzzles) do
    l.at = p == w.p and i or l.at
  end
  l:fill()
  while not l.over do
    l:paint()
    local what, key = screen.wait(1, w.notify and w.notify:fd() or nil)
    if what == "key" then
      l:key(key)
    elseif what == "stop" then
      l.over = true
    elseif what == "end" then
      l.over, w.quit = true, true
    elseif what == "again" then
      view.open()
    else
      w:look_around()
      if w:touched() or w.F:text(w.p) ~= w.text then
        l.over, w.due, w.waits = true, term.clock(), 0 -- a save: its verdict is awaited
      elseif #w.others > 0 then
        l.over = true
      end
    end
  end
  w.question = nil
  return l.chosen
end

return M
