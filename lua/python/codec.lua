-- python/codec.lua: bytes as texts, as encodings say: bytes.decode(), str.encode(), open().

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"

local M = {}

-- The encoding that a name says: "utf8" or "ascii"; name: encode or decode, for messages
function M.coding(name, encoding)
  if encoding == nil or encoding == core.None and name == "open" then
    return "utf8"
  elseif type(encoding) ~= "string" then
    exc.fail("TypeError", ("%s() argument 'encoding' must be str, not %s"):format(name, core.typename(encoding)))
  end
  local plain = encoding:lower():gsub("[-_]", "")
  if plain ~= "utf8" and plain ~= "ascii" and plain ~= "usascii" then
    exc.fail("LookupError", ("moontile knows the encodings utf-8 and ascii, not '%s'"):format(encoding))
  end
  return plain == "utf8" and plain or "ascii"
end

-- How many bytes from `at` on are no character, and why, as CPython says it.
local function broken(s, at)
  local lead = s:byte(at)
  local want = lead >= 0xf0 and 3 or lead >= 0xe0 and 2 or 1
  if lead < 0xc2 or lead > 0xf4 then
    return 1, "invalid start byte"
  end
  local least = ({[0xe0] = 0xa0, [0xf0] = 0x90})[lead] or 0x80
  local most = ({[0xed] = 0x9f, [0xf4] = 0x8f})[lead] or 0xbf
  for i = 1, want do
    local c = s:byte(at + i)
    if not c then
      return i, "unexpected end of data"
    elseif c < least or c > most then
      return i, "invalid continuation byte"
    end
    least, most = 0x80, 0xbf
  end
end

-- s as a text; start: of its first byte, for messages
function M.decode(s, coding, start)
  start = start or 0
  local at = coding == "ascii" and s:find "[\x80-\xff]" or not utf8.len(s) and select(2, utf8.len(s))
  if not at then
    return s
  end
  local n, why = 1, "ordinal not in range(128)"
  if coding ~= "ascii" then
    n, why = broken(s, at)
  end
  local from = start + at - 1
  exc.fail("UnicodeDecodeError", n == 1 and
    ("'%s' codec can't decode byte 0x%02x in position %d: %s"):format(coding == "ascii" and coding or "utf-8",
      s:byte(at), from, why) or
    ("'utf-8' codec can't decode bytes in position %d-%d: %s"):format(from, from + n - 1, why))
end

-- The bytes of a text.
function M.encode(s, coding)
  if coding == "ascii" and s:find "[\x80-\xff]" then
    exc.fail("UnicodeEncodeError", "'ascii' codec can't encode characters: ordinal not in range(128)")
  end
  local ok, at = utf8.len(s)
  if not ok and utf8.len(s, 1, -1, true) then
    exc.fail("UnicodeEncodeError", ("'utf-8' codec can't encode character '\\u%04x' in position %d: surrogates not allowed")
      :format(utf8.codepoint(s, at, at, true), utf8.len(s, 1, at - 1, true) or 0))
  end
  return s
end

return M
