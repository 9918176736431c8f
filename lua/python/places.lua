-- python/places.lua: where the characters of a text are.
--
--   places.length(s)      how many there are
--   places.byte(s, i)     the first byte of character i, counted from 0; of the last's successor: #s + 1
--
-- Of long texts it is kept what was found, so that a loop over s[i] takes as long as the text is, not its square.

local M = {}

local Long = 64  -- bytes from which on it is worth it
local Step = 128 -- characters between two places that are kept
local Kept = 8   -- texts

local known, count = {}, 0 -- text -> {n =, [k] = byte of character k * Step}; n = #text: nothing beyond ASCII

local function counted(s)
  return s:find "[\x80-\xff]" and (utf8.len(s, 1, -1, true) or #s) or #s
end

local function facts(s)
  local f = known[s]
  if not f then
    if count == Kept then
      known, count = {}, 0
    end
    f = {n = counted(s), ascii = not s:find "[\x80-\xff]"}
    known[s], count = f, count + 1
  end
  return f
end

-- The places of a text with other characters, found when somebody asks.
local function fill(s, f)
  local at, k = 1, 0
  while at do
    f[k], k = at, k + 1
    at = utf8.offset(s, Step + 1, at)
  end
end

function M.length(s)
  return #s < Long and counted(s) or facts(s).n
end

function M.byte(s, i)
  if #s < Long then
    return s:find "[\x80-\xff]" and utf8.offset(s, i + 1) or i + 1
  end
  local f = facts(s)
  if f.ascii then
    return i + 1
  elseif not f[0] then
    fill(s, f)
  end
  local k = i // Step
  return f[k] and utf8.offset(s, i - k * Step + 1, f[k]) or #s + 1
end

return M
