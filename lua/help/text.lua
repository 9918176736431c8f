-- help/text.lua: pages of text that fit the terminal: wrapped by display width,
-- coloured where colour is on.
--
--     local page = text.page {width = 80, colour = false}
--     page:head("T.gemm(A, B, C)")  page:para("...")  page:code("...")
--     page:rows({{"left", "right"}, ..})  io.write(page:text())

local config = require "moontile.config"
local term = require "moontile.term"

local M = {}

local width = term.width

-- Wrapping ------------------------------------------------------------------------

-- What may not begin a line, and what may not end one.
local closing, opening = {}, {}
for _, c in utf8.codes "，。、；：！？）】》」』”’…" do
  closing[utf8.char(c)] = true
end
for _, c in utf8.codes "（【《「『“‘" do
  opening[utf8.char(c)] = true
end

-- Pieces that stay together: words, and single wide characters with the marks
-- that belong to them.  {text, blank before it?}
local function pieces(s)
  local list, blank, glue, quoted = {}, false, false, false
  for c in s:gmatch(utf8.charpattern) do
    local last = list[#list]
    if c == "`" then
      quoted = not quoted
    end
    if c == " " and not (quoted and last and not blank) then
      blank, glue = last ~= nil, false
    else
      local w = width(c)
      local alone = w == 2 and not closing[c]
      local join = last and not blank and
        (glue or closing[c] or not alone and (not last.wide or quoted))
      if join then
        last.text, last.wide = last.text .. c, not quoted and (w == 2 or closing[c] or false)
      else
        list[#list + 1] = {text = c, blank = blank, wide = alone or closing[c] or false}
      end
      glue, blank = opening[c] or false, false
    end
  end
  return list
end

M.pieces = pieces

-- s in lines of at most n columns; what has no place to break stays longer.
function M.wrap(s, n)
  local lines, line, used = {}, "", 0
  for _, p in ipairs(pieces(s)) do
    local w = width(p.text)
    local gap = p.blank and used > 0 and 1 or 0
    if used > 0 and used + gap + w > n then
      lines[#lines + 1], line, used, gap = line, "", 0, 0
    end
    line = line .. (" "):rep(gap) .. p.text
    used = used + gap + w
  end
  lines[#lines + 1] = line
  return lines
end

-- A signature in lines of at most n columns, broken behind commas, the
-- arguments below each other.
function M.wrap_call(s, n)
  if width(s) <= n then
    return {s}
  end
  local indent = (s:find("[({]") or 4)
  indent = indent > n // 2 and 4 or indent
  local lines, line = {}, ""
  for part in (s .. " "):gmatch "([^,]*,?)%s*" do
    if part ~= "" and line ~= "" and width(line) + width(part) + 1 > n then
      lines[#lines + 1], line = line, (" "):rep(indent) .. part
    elseif part ~= "" then
      line = (line == "" or line:find "^ *$") and line .. part or line .. " " .. part
    end
  end
  lines[#lines + 1] = (line:gsub("%s+$", ""))
  return lines
end

-- The terminal --------------------------------------------------------------------

-- Columns to write in, and whether with colours.  Text wider than 80 columns
-- reads badly, so there are at most so many.
function M.terminal()
  return {width = math.max(24, math.min(80, term.terminal().width)), colour = config.colour or false}
end

-- Pages -----------------------------------------------------------------------------

local Page = {}
Page.__index = Page

local sgr = {head = "1;36", name = "1", dim = "2", accent = "36"}

function M.page(style)
  style = style or M.terminal()
  return setmetatable({width = style.width - 1, colour = style.colour, lines = {}}, Page)
end

function Page:paint(what, s)
  return self.colour and s ~= "" and ("\27[%sm%s\27[0m"):format(sgr[what], s) or s
end

-- A line as it is.
function Page:line(s, what)
  self.lines[#self.lines + 1] = what and self:paint(what, s) or s
  return self
end

-- An empty line, unless there is one.
function Page:gap()
  local last = self.lines[#self.lines]
  if last and last ~= "" then
    self.lines[#self.lines + 1] = ""
  end
  return self
end

-- Text in one style, wrapped: a heading, a note at the end.
function Page:title(s, what)
  for _, l in ipairs(M.wrap(s, self.width)) do
    self:line(l, what or "head")
  end
  return self
end

function Page:aside(s)
  local list = width(s) <= self.width and {s} or M.wrap(s, self.width)
  for _, l in ipairs(list) do
    self:line(l, "dim")
  end
  return self
end

-- A signature.
function Page:head(s)
  for _, l in ipairs(M.wrap_call(s, self.width)) do
    self:line(l, "head")
  end
  return self
end

-- Text: paragraphs between empty lines are filled, lines that begin with a blank
-- stand as they are.
function Page:para(s, indent)
  local pad, fill = (" "):rep(indent or 0), {}
  local function flush()
    if #fill > 0 then
      for _, l in ipairs(M.wrap(table.concat(fill, " "), self.width - #pad)) do
        self:line(pad .. l)
      end
      fill = {}
    end
  end
  for l in (s .. "\n"):gmatch "(.-)\n" do
    if l == "" or l:find "^%s" then
      flush()
      self:line(l == "" and "" or pad .. l)
    else
      local before = fill[#fill]
      -- no blank where two lines of Chinese meet
      if before and before:find "[\xe3-\xef][\x80-\xbf][\x80-\xbf]$" and
          l:find "^[\xe3-\xef][\x80-\xbf][\x80-\xbf]" then
        fill[#fill] = before .. l
      else
        fill[#fill + 1] = l
      end
    end
  end
  flush()
  return self
end

-- Code, as it is, indented.
function Page:code(s, indent)
  local pad = (" "):rep(indent or 2)
  for l in (s:gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do
    self:line(l == "" and "" or pad .. l)
  end
  return self
end

-- Two columns: {left, right, [style]}; the left one as wide as its longest up to
-- `most`, a longer left has its right below it.
function Page:rows(list, most)
  local left = 0
  most = math.min(most or 26, self.width // 2)
  for _, r in ipairs(list) do
    local w = width(r[1])
    if w <= most then
      left = math.max(left, w)
    end
  end
  for _, r in ipairs(list) do
    local lines = M.wrap(r[2], self.width - left - 4)
    local first = "  " .. self:paint("name", r[1])
    if width(r[1]) > left then
      self:line(first)
    else
      self:line(r[2] == "" and first or
        first .. (" "):rep(left - width(r[1]) + 2) .. table.remove(lines, 1))
    end
    for _, l in ipairs(r[2] == "" and {} or lines) do
      self:line((" "):rep(left + 4) .. l)
    end
  end
  return self
end

-- Names side by side.
function Page:names(list, indent)
  local pad = (" "):rep(indent or 2)
  for _, l in ipairs(M.wrap(table.concat(list, "  "), self.width - #pad)) do
    self:line(pad .. l)
  end
  return self
end

function Page:text()
  return table.concat(self.lines, "\n") .. "\n"
end

return M
