-- judge/clean.lua: texts of somebody else's, before they reach a terminal or a file.
--
--   clean.text(s)        valid UTF-8, of control characters only tabs and ends of lines
--   clean.line(s, most)  the same in one line of at most `most` bytes
--   clean.all(v)         a table of such texts, in which every string is cleaned
--   clean.first(s)       the first character that clean.text would take out, "U+001B", and its
--                        line; nil: there is none
--
-- Taken out are what moves the cursor, changes colours or titles, and what turns the order of
-- the characters around, so that a text reads other than it is.

local M = {}

-- Sequences of UTF-8 that no text needs: C1, and the marks that turn a line around.
local hidden = {"\xC2[\x80-\x9F]", "\xD8\x9C", "\xE2\x80[\x8E\x8F\xA8-\xAE]", "\xE2\x81[\xA6-\xA9]",
  "\xEF\xBB\xBF"}
local control = "[\0-\8\11-\31\127]"

-- Bytes that are no UTF-8 become "?".
local function valid(s)
  local parts, from = {}, 1
  while from <= #s do
    local n, bad = utf8.len(s, from)
    if n then
      break
    end
    parts[#parts + 1] = s:sub(from, bad - 1)
    parts[#parts + 1] = "?"
    from = bad + 1
  end
  return #parts == 0 and s or table.concat(parts) .. s:sub(from)
end

function M.text(s)
  s = valid((s:gsub("\r\n", "\n"):gsub(control, "")))
  for _, pattern in ipairs(hidden) do
    s = s:gsub(pattern, "")
  end
  return s
end

function M.line(s, most)
  s = M.text(s):gsub("%s+", " ")
  if #s > most then
    s = s:sub(1, (utf8.offset(s, 0, most + 1) or most + 1) - 1)
  end
  return s
end

function M.all(v)
  if type(v) == "string" then
    return M.text(v)
  elseif type(v) == "table" then
    local r = {}
    for k, x in pairs(v) do
      r[type(k) == "string" and M.text(k) or k] = M.all(x)
    end
    return r
  end
  return v
end

local function line_of(s, at)
  return select(2, s:sub(1, at - 1):gsub("\n", "")) + 1
end

function M.first(s)
  local n, bad = utf8.len(s)
  if not n then
    return ("0x%02X"):format(s:byte(bad)), line_of(s, bad)
  end
  local at = s:find(control)
  for _, pattern in ipairs(hidden) do
    local i = s:find(pattern)
    at = i and (not at or i < at) and i or at
  end
  if at then
    return ("U+%04X"):format(utf8.codepoint(s, at)), line_of(s, at)
  end
end

return M
