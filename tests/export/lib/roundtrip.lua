-- Run by roundtrip.sh: each kernel of the files in arg[2..], as TileLang Python, read again: the same tile
-- program but for its places, and the same Python text.  What has no counterpart in TileLang is counted.
local dry = require "moontile.tl.dry"
local export = require "moontile.export"

local dir, files = arg[1], table.move(arg, 2, #arg, 1, {})

-- Names that are words of Python's, and second ones, have a number behind them there.
local words = {pass = true, None = true, class = true, from = true, import = true, lambda = true, is = true}

local function same_names(s)
  return (s:gsub("%f[%w_](%a+)_2%f[^%w_]", function(word) return words[word] and word end):gsub("(%a)%.(%d)", "%1_%2"))
end

-- The IR's text without the file's name and the places.
local function bare(P)
  return same_names(tostring(P):gsub("^file [^\n]*\n", ""):gsub(" @[%d:]+", ""))
end

local function text(P)
  local s, missing = export.python(P)
  return s:gsub("  # line %d+", ""), missing
end

-- The first line in which two texts differ.
local function difference(a, b)
  local other = b:gmatch "([^\n]*)\n"
  for line in a:gmatch "([^\n]*)\n" do
    local theirs = other()
    if line ~= theirs then
      return ("  - %s\n  + %s"):format(line, theirs or "")
    end
  end
  return "  one is longer"
end

local function compare(name, what, a, b)
  if a ~= b then
    print(("%s: %s differs\n%s"):format(name, what, difference(a, b)))
  end
  return a == b
end

-- The kernels that file compiles: {name, ir, text, missing}
local function kernels(file)
  local list = {}
  arg = {[0] = file, "small"}
  dry.run(file, function(k)
    local s, missing = text(k.P)
    list[#list + 1] = {name = k.name, ir = bare(k.P), text = s, missing = missing}
  end, dry.checked)
  return list
end

local same, without, seen = 0, 0, {}

local function check(k, path)
  local f = assert(io.open(path, "w"))
  f:write(k.text)
  f:close()
  local ok, again = pcall(kernels, path)
  if not ok or #again ~= 1 then
    print(("%s: not read again: %s"):format(k.name, ok and #again .. " kernels" or tostring(again)))
  elseif compare(k.name, "the tile program", k.ir, again[1].ir) and compare(k.name, "the text", same_names(k.text), same_names(again[1].text)) then
    same = same + 1
  end
end

for _, file in ipairs(files) do
  for _, k in ipairs(kernels(file)) do
    if k.missing > 0 then
      without = without + 1
    elseif not seen[k.text] then
      seen[k.text] = true
      check(k, ("%s/%s.py"):format(dir, k.name))
    end
  end
end
print(same > 0 and "kernels that come back the same: " .. same or "none", "without a counterpart: " .. without)
