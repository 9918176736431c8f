-- python/letters.lua: upper and lower case of texts beyond ASCII, and which characters are letters.
--
-- Latin (to U+024F as far as its pairs are regular), Greek and Cyrillic are known, and writing without case, as
-- Chinese.  Of other letters with case nothing is guessed: ValueError names the character.

local codec = require "moontile.python.codec"
local exc = require "moontile.python.exc"

local M = {}

-- Lower case: from, to, what upper case adds; or "even", "odd": pairs that begin with an even or odd upper case.
local ranges = {
  {0xb5, 0xb5, 0x39c - 0xb5}, {0xe0, 0xf6, -32}, {0xf8, 0xfe, -32}, {0xff, 0xff, 0x178 - 0xff},
  {0x100, 0x12f, "even"}, {0x132, 0x137, "even"}, {0x139, 0x148, "odd"}, {0x14a, 0x177, "even"},
  {0x179, 0x17e, "odd"}, {0x3ac, 0x3ac, -38}, {0x3ad, 0x3af, -37}, {0x3b1, 0x3c1, -32}, {0x3c2, 0x3c2, -31},
  {0x3c3, 0x3cb, -32}, {0x3cc, 0x3cc, -64}, {0x3cd, 0x3ce, -63}, {0x430, 0x44f, -32}, {0x450, 0x45f, -80},
  {0x460, 0x481, "even"}, {0x48a, 0x4bf, "even"}, {0x4d0, 0x52f, "even"},
}

-- Letters with case that are not in the table, and signs among them.
local unknown = {
  {0x130, 0x131}, {0x138, 0x138}, {0x149, 0x149}, {0x17f, 0x2ff}, {0x370, 0x373}, {0x376, 0x377}, {0x37b, 0x37f},
  {0x390, 0x390}, {0x3b0, 0x3b0}, {0x3cf, 0x3ff}, {0x4c0, 0x4cf}, {0x531, 0x587}, {0x10a0, 0x10ff}, {0x13a0, 0x13fd},
  {0x1c80, 0x1cbf}, {0x1e00, 0x1fff}, {0x2100, 0x218f}, {0x24b6, 0x24e9}, {0x2c00, 0x2d2d}, {0xa640, 0xa7ff},
  {0xab30, 0xabbf}, {0xfb00, 0xfb17}, {0xff21, 0xff5a}, {0x10400, 0x1057f}, {0x1e900, 0x1e943},
}

local upper_of, lower_of = {}, {}
for _, r in ipairs(ranges) do
  for low = r[1], r[2] do
    local by = r[3]
    if by == "even" or by == "odd" then
      by = (low % 2 == 0) == (by == "odd") and -1 or nil
    end
    if by then
      upper_of[low] = low + by
      lower_of[low + by] = lower_of[low + by] or low
    end
  end
end
lower_of[0x39c], lower_of[0x3a3] = 0x3bc, 0x3c3

local function within(code, list)
  for _, r in ipairs(list) do
    if code >= r[1] and code <= r[2] then
      return true
    end
  end
  return false
end

local function known(code)
  if within(code, unknown) then
    exc.fail("ValueError", ("moontile knows no upper and lower case of '%s' (U+%04X)"):format(utf8.char(code), code))
  end
end

local function upper(code)
  if code < 0x80 then
    return string.char(code):upper()
  elseif code == 0xdf then
    return "SS"
  end
  known(code)
  return utf8.char(upper_of[code] or code)
end

local function lower(code)
  if code < 0x80 then
    return string.char(code):lower()
  end
  known(code)
  return utf8.char(lower_of[code] or code)
end

local function title_case(code)
  return code == 0xdf and "Ss" or upper(code)
end

local function is_upper(code)
  return code >= 65 and code <= 90 or lower_of[code] ~= nil
end

local function is_lower(code)
  return code >= 97 and code <= 122 or upper_of[code] ~= nil or code == 0xdf or code == 0xaa or code == 0xba
end

local function ascii(s)
  return not s:find "[\x80-\xff]"
end

-- Each character's code through f(code, whether a letter with case stands before it).
local function mapped(s, f)
  local out, cased = {}, false
  if not utf8.len(s, 1, -1, true) then
    codec.decode(s) -- a text of Lua's: says where it is none
  end
  for _, code in utf8.codes(s, true) do
    out[#out + 1] = f(code, cased)
    cased = is_upper(code) or is_lower(code)
  end
  return table.concat(out)
end

-- A final sigma is another letter: what CPython does with the words' ends is not done here.
local function no_sigma(s)
  if s:find("\xce\xa3", 1, true) then
    known(0x3cf)
  end
  return s
end

function M.upper(s)
  return ascii(s) and s:upper() or mapped(s, upper)
end

function M.lower(s)
  return ascii(s) and s:lower() or mapped(no_sigma(s), lower)
end

function M.casefold(s)
  return (M.lower(s):gsub("\xc3\x9f", "ss"):gsub("\xcf\x82", "\xcf\x83"):gsub("\xc2\xb5", "\xce\xbc"))
end

function M.title(s)
  return mapped(no_sigma(s), function(code, cased) return cased and lower(code) or title_case(code) end)
end

function M.capitalize(s)
  local first = true
  return mapped(no_sigma(s), function(code)
    local c = first and title_case(code) or lower(code)
    first = false
    return c
  end)
end

function M.swapcase(s)
  return mapped(no_sigma(s), function(code)
    return is_upper(code) and lower(code) or is_lower(code) and upper(code) or upper(code)
  end)
end

-- Letters with case of one kind only, at least one.
local function one_case(is, other)
  return function(s)
    local some = false
    for _, code in utf8.codes(s, true) do
      if code >= 0x80 then
        known(code)
      end
      if other(code) then
        return false
      end
      some = some or is(code)
    end
    return some
  end
end
M.isupper, M.islower = one_case(is_upper, is_lower), one_case(is_lower, is_upper)

function M.istitle(s)
  local some, cased = false, false
  for _, code in utf8.codes(s, true) do
    if code >= 0x80 then
      known(code)
    end
    if is_upper(code) and cased or is_lower(code) and not cased then
      return false
    end
    cased = is_upper(code) or is_lower(code)
    some = some or cased
  end
  return some
end

-- Beyond ASCII: marks, signs, digits, pictures, which are no letters.
local signs = {
  {0x80, 0xa9}, {0xab, 0xb4}, {0xb6, 0xb9}, {0xbb, 0xbf}, {0xd7, 0xd7}, {0xf7, 0xf7}, {0x300, 0x36f}, {0x375, 0x375},
  {0x37e, 0x37e}, {0x384, 0x385}, {0x387, 0x387}, {0x482, 0x489}, {0x660, 0x669}, {0x2000, 0x2070}, {0x2072, 0x207e}, {0x2080, 0x208e},
  {0x20a0, 0x2101}, {0x2103, 0x2106}, {0x2108, 0x2109}, {0x2190, 0x2bff}, {0x2e00, 0x2e2e}, {0x2e30, 0x3004},
  {0x3007, 0x3030}, {0x3036, 0x303a}, {0x303d, 0x3040}, {0x3099, 0x309c}, {0x30a0, 0x30a0}, {0x30fb, 0x30fb},
  {0x3190, 0x319f}, {0x31c0, 0x31ef},
  {0x3200, 0x33ff}, {0xe000, 0xf8ff}, {0xfe00, 0xfe6f}, {0xff00, 0xff20}, {0xff3b, 0xff40}, {0xff5b, 0xff65},
  {0x1f000, 0x1faff},
}

function M.is_letter(code)
  if code < 0x80 then
    return string.char(code):find "%a" ~= nil
  end
  known(code)
  return not within(code, signs)
end

-- Is the text letters, and with digits these too, throughout?
function M.all_letters(s, digits)
  if s == "" or ascii(s) then
    return s:find(digits and "^%w+$" or "^%a+$") ~= nil
  end
  for _, code in utf8.codes(s, true) do
    if not (M.is_letter(code) or digits and code >= 48 and code <= 57) then
      return false
    end
  end
  return true
end

return M
