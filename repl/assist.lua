-- assist.lua: what the line editor asks while somebody types.
--
--   complete(text, point) -> {from =, list = {{text =, note =}, ..}}
--   hint(text, point [, width]) -> the signature of the open call, or nil
--   open(text) -> what is open, "for (", for the continuation prompt
--   indent(text) -> blanks for the next line
--
-- point: bytes before the cursor.  from: bytes before the word that is completed.
-- These are called at every key: they take well under 2 ms for some hundred lines,
-- call nothing of the user's, and never raise; what they cannot read gives nothing.

local M = {}

local Longest = 1 << 16 -- of a longer text only the end is read

local function scan(text)
  return require("moontile.repl.assist.scan").scan(text)
end

-- The text before the cursor.
local function before(text, point)
  text = text:sub(1, math.max(0, math.min(point or #text, #text)))
  return #text > Longest and text:sub(-Longest) or text
end

-- f, which gives default() where it fails.
local function guard(f, default)
  return function(...)
    local ok, r = pcall(f, ...)
    if ok then
      return r
    end
    return default()
  end
end

local function none() end
local function zero() return 0 end
local function empty() return "" end
local function no_words() return {from = 0, list = {}} end

-- Completion ----------------------------------------------------------------------

M.complete = guard(function(text, point)
  local head = before(text, point)
  local session = package.loaded["moontile.prompt"]
  local python = session and not head:find "^%s*[:?!]" and session.language(text) == "python"
  local r = require(python and "moontile.repl.assist.python" or "moontile.repl.assist.complete").complete(head)
  r.from = r.from + math.min(point or #text, #text) - #head
  return r
end, no_words)

-- Hints -----------------------------------------------------------------------------

-- How a parameter reads in a hint.
local function shown(p)
  local kind = p.kind and not p.default and p.tensor and ": tensor" or ""
  return p.default and p.default ~= "nil" and p.name .. " = " .. p.default or p.name .. kind
end

-- Which parameter stands at the cursor: its index in the list of texts, or nil.
local function current(at, positions)
  local params = at.call.params
  if at.in_table then
    local word = at.key or at.part:match "^%s*([%a_][%w_]*)$"
    for i, p in ipairs(params) do
      if word and (p.key or p.name) == word then
        return i
      end
    end
    if at.key or at.index == 0 then
      return nil
    end
  end
  return positions[at.index]
end

-- Parts from `from` to `to` in at most n columns around the current one, "..." for
-- what is left out.
local function squeeze(parts, now, n)
  local width = require("moontile.term").width
  local from, to, used = now or 1, now or 0, now and width(parts[now]) or 0
  local ahead = 0 -- all that stands before it, where that leaves room for something behind
  for i = 1, (now or 1) - 1 do
    ahead = ahead + width(parts[i]) + 2
  end
  if used + ahead <= n * 3 // 4 then
    from, used = 1, used + ahead
  end
  while true do
    local right, left = parts[to + 1], parts[from - 1]
    if right and used + width(right) + 2 <= n then
      to, used = to + 1, used + width(right) + 2
    elseif left and used + width(left) + 2 <= n then
      from, used = from - 1, used + width(left) + 2
    else
      break
    end
  end
  local list = table.move(parts, from, to, 1, {})
  if from > 1 then
    table.insert(list, 1, "...")
  end
  if to < #parts then
    list[#list + 1] = "..."
  end
  return table.concat(list, ", ")
end

M.hint = guard(function(text, point, width)
  local head = before(text, point)
  local s = scan(head)
  if s.where == "comment" then
    return nil
  end
  local at = require("moontile.repl.assist.calls").innermost(head, s)
  if not at then
    return nil
  end
  local parts, positions = {}, {}
  local rest, params = at.call.rest, at.call.params
  if rest and rest ~= "..." then -- T.Kernel(*blocks, threads=None)
    parts[1] = "*" .. rest
    positions = setmetatable({}, {__index = function() return 1 end})
  end
  local first = #parts
  for i, p in ipairs(params) do
    parts[#parts + 1] = shown(p)
    if first == 0 and not p.named then
      positions[#positions + 1] = i
    end
  end
  if rest == "..." then
    parts[#parts + 1] = rest
    setmetatable(positions, {__index = function() return #parts end})
  end
  local now = current(at, positions)
  now = now and (first > 0 and not at.in_table and now or now + first)
  if now and parts[now] then
    parts[now] = "«" .. parts[now] .. "»"
  else
    now = nil
  end
  local room = (width or 80) - #at.call.name - 2 - 10
  return ("%s(%s)"):format(at.call.name, squeeze(parts, now, math.max(room, 10)))
end, none)

-- What is open ------------------------------------------------------------------------

M.open = guard(function(text)
  local s, words = scan(text:sub(-Longest)), {}
  for i, e in ipairs(s.open) do
    words[i] = e.word
  end
  if s.where == "long" then
    words[#words + 1] = "[["
  elseif s.where == "comment" and s.long then
    words[#words + 1] = "--[["
  elseif s.where == "string" then
    words[#words + 1] = s.quote
  end
  return table.concat(words, " ")
end, empty)

-- Two blanks more than the line that opened the innermost thing that is open; inside
-- of a long string or comment none.
M.indent = guard(function(text)
  text = text:sub(-Longest)
  local s = scan(text)
  if s.where == "long" or s.where == "comment" and s.long then
    return 0
  end
  local e = s.open[#s.open]
  if not e then
    return 0
  end
  local start = 1
  for at in text:sub(1, e.at - 1):gmatch "\n()" do
    start = at
  end
  return #text:match("^ *", start) + 2
end, zero)

return M
