-- course/markdown.lua: Markdown as lines of a terminal.
--
--     markdown.lines(text, style)   -> list of lines
--
-- style: {width =, colour =, tty =} as moontile.term.terminal gives it; colour 0 leaves the
-- marks of Markdown where they stand, so that nothing is said by colour alone.  Known:
-- headings, paragraphs, lists, quotes, blocks of code, `code`, **strong**, *stress*,
-- [text](address).  Blocks of code stay as they are; on a terminal that is too narrow a comment
-- goes above its line, other lines are broken; those of pictures are left to the terminal to cut.

local page = require "moontile.help.text"
local term = require "moontile.term"

local M = {}

local Most = 92    -- columns: longer lines read badly
local Indent = 4   -- of code

-- Inline ---------------------------------------------------------------------------------

local Reset = "\27[0m"
local tint = {head = "\27[1;36m", section = "\27[1m", code = "\27[36m", strong = "\27[1m",
  stress = "\27[4m", link = "\27[4m", dim = "\27[2m"}

-- [text](address) -> text (address); where the text says the address already, only that
local function plain_links(s)
  return (s:gsub("%[([^%]\n]+)%]%(([^)%s]+)%)", function(text, address)
    return (text == address or text == "`" .. address .. "`") and text or
      ("%s (%s)"):format(text, address)
  end):gsub("<(https?://[^>%s]+)>", "%1"))
end

-- Does the `*` at i begin or end a *word*, and is no product?
local function stresses(s, i, open)
  local before, behind = s:sub(1, i - 1):match ".$", s:sub(i + 1, i + 1)
  if open.stress then
    return not before or before:find "%S"
  end
  return (not before or before:find "[%s%(\x80-\xff]") and behind:find "[%a\x80-\xff]"
end

-- The marks of one line as colours.  open: what a line before left open.
local function coloured(s, base, open)
  local out = {}
  local function now()
    return base .. (open.strong and tint.strong or "") .. (open.stress and tint.stress or "") ..
      (open.code and tint.code or "")
  end
  local function again()
    return Reset .. now()
  end
  local begin = now()
  local i = 1
  while i <= #s do
    if s:sub(i, i) == "`" then
      open.code = not open.code
      out[#out + 1] = again()
      i = i + 1
    elseif not open.code and s:sub(i, i + 1) == "**" then
      open.strong = not open.strong
      out[#out + 1] = again()
      i = i + 2
    elseif not open.code and s:sub(i, i) == "*" and stresses(s, i, open) then
      open.stress = not open.stress
      out[#out + 1] = again()
      i = i + 1
    else
      local to = s:find("[`*]", i + 1) or #s + 1
      out[#out + 1] = s:sub(i, to - 1)
      i = to
    end
  end
  return begin .. table.concat(out) .. Reset
end

-- Blocks ---------------------------------------------------------------------------------

local Writer = {}
Writer.__index = Writer

function Writer:put(line)
  self[#self + 1] = line
end

-- An empty line, unless there is one.
function Writer:gap()
  if #self > 0 and self[#self] ~= "" then
    self:put ""
  end
end

-- Text wrapped to the width: `first` before its first line, `rest` before the others.
function Writer:fill(text, first, rest, what)
  local open, base = {}, what and tint[what] or ""
  local room = math.max(12, self.width - term.width(rest))
  for i, line in ipairs(page.wrap(plain_links(text), room)) do
    local lead = i == 1 and first or rest
    self:put(lead .. (self.colour and coloured(line, base, open) or line))
  end
end

-- What begins a comment, by the language of a block.
local marks = {python = "#"}
local Comment = "--"

-- A line of code in lines of the width: its comment above it, then lines further in.
local function broken(s, room, mark)
  local indent, code, comment = s:match("^( *)(%S.-) +(" .. mark:gsub("%p", "%%%0") .. " .*)$")
  if term.width(s) > room and code and not code:find(mark, 1, true) and
    term.width(indent .. code) <= room and term.width(indent .. comment) <= room then
    return {indent .. comment, indent .. code}
  end
  local list, hang = {}, (" "):rep(math.min(#s:match "^ *" + 2, room // 2))
  while term.width(s) > room do
    local head = term.cut(s, room)
    local at = head:match "^.*()[ ,;]"
    if at and at > #head // 2 and head:sub(1, at):find "%S" then
      head = head:sub(1, at)
    end
    list[#list + 1] = (head:gsub(" +$", ""))
    s = hang .. s:sub(#head + 1):gsub("^ +", "")
  end
  list[#list + 1] = s
  return list
end

-- A line of a program: comments stand back.
function Writer:program(s, mark)
  local at = self.colour and s:find(mark, 1, true) or nil
  if at and not s:sub(1, at - 1):find "[\"']" then
    return s:sub(1, at - 1) .. tint.dim .. s:sub(at) .. Reset
  end
  return s
end

function Writer:code(list, info)
  local kind = info:match "^%S*"
  local mark = marks[kind] or Comment
  local lead = kind == "picture" and "" or (" "):rep(Indent)
  local room = self.tty and kind ~= "picture" and self.full - Indent or math.maxinteger
  self:gap()
  for _, s in ipairs(list) do
    for _, line in ipairs(broken(s, room, mark)) do
      self:put(lead .. (kind == "picture" and line or self:program(line, mark)))
    end
  end
  self:gap()
end

-- Paragraphs: their lines joined, without a blank between Chinese ones.
local function joined(list)
  local s = list[1]
  for i = 2, #list do
    local last = s:match "[^\x80-\xbf][\x80-\xbf]*$"
    local first = list[i]:match "^[^\x80-\xbf][\x80-\xbf]*"
    local wide = term.width(last or "") == 2 and term.width(first or "") == 2
    s = s .. (wide and "" or " ") .. list[i]
  end
  return s
end

function Writer:paragraph(list, lead, rest)
  if #list > 0 then
    self:fill(joined(list), lead or "", rest or lead or "")
  end
end

-- What begins a block of its own: kind, then its parts.
local function begins(line)
  local level, title = line:match "^(#+)%s+(.-)%s*#*$"
  if level then
    return "heading", #level, title
  end
  local blank, sign, text = line:match "^(%s*)([-*+])%s+(.*)$"
  if sign then
    return "item", blank .. "- ", text
  end
  blank, sign, text = line:match "^(%s*)(%d+[.)])%s+(.*)$"
  if sign then
    return "item", blank .. sign .. " ", text
  end
  text = line:match "^>%s?(.*)$"
  if text then
    return "item", "  ", text
  end
  if line:find "^%s*|" then
    return "as it is"
  end
  return line:find "%S" and "text" or "blank"
end

local function split(text)
  local list = {}
  for line in (text:gsub("\r\n?", "\n") .. "\n"):gmatch "([^\n]*)\n" do
    list[#list + 1] = line
  end
  return list
end

-- Reads from line i of a block of code to its end.
local function take_code(lines, i)
  local list = {}
  local info = lines[i]:match "^```%s*(.-)%s*$"
  i = i + 1
  while lines[i] and not lines[i]:find "^```%s*$" do
    list[#list + 1] = lines[i]
    i = i + 1
  end
  return list, info, i + 1
end

function M.lines(text, style)
  local full = style.tty == false and Most or math.max(20, style.width - 1)
  local w = setmetatable({width = math.min(Most, full), full = full, tty = style.tty ~= false,
    colour = (style.colour or 0) > 0}, Writer)
  local lines, held, lead, rest = split(text), {}, "", ""
  local function flush()
    w:paragraph(held, lead, rest)
    held, lead, rest = {}, "", ""
  end
  local i = 1
  while i <= #lines do
    local kind, a, b = begins(lines[i])
    if lines[i]:find "^```" then
      flush()
      local list, info
      list, info, i = take_code(lines, i)
      w:code(list, info)
    else
      if kind ~= "text" then
        flush()
      end
      if kind == "heading" then
        w:gap()
        w:fill(w.colour and b or ("#"):rep(a) .. " " .. b, "", "", a == 1 and "head" or "section")
        w:gap()
      elseif kind == "item" then
        held, lead, rest = {b}, a, (" "):rep(term.width(a))
      elseif kind == "text" then
        held[#held + 1] = lines[i]:match "^%s*(.-)%s*$"
      elseif kind == "as it is" then
        w:put(lines[i])
      else
        w:gap()
      end
      i = i + 1
    end
  end
  flush()
  while w[#w] == "" do
    w[#w] = nil
  end
  return w
end

-- The lines as one text.
function M.text(text, style)
  return table.concat(M.lines(text, style), "\n") .. "\n"
end

return M
