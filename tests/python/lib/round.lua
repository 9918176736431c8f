-- Run by round.sh, arg DIR SEED COUNT ["show"]: kernels that round_made.lua makes, in Python; exported as Python and read again,
-- and converted to Lua: the same tile program.  The comments of the file stand in the Lua, too.
local dry = require "moontile.tl.dry"
local export = require "moontile.export"
local reader = require "moontile.pyreader"

local here = arg[0]:match "^(.*/)[^/]*$" or "./"
local dir, first, count, show = arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4]
local made = dofile(here .. "round_made.lua")

-- A variable's name is unique in printed Python: `v_2`.  Here each has a number, in the order of their lines
local function renamed(ir)
  local out, open, n = {}, {}, 0
  ir = ir:gsub("(%a)%.(%d)", "%1_%2")
  for line in ir:gmatch "([^\n]*)\n" do
    local indent = #line:match "^ *"
    while #open > 0 and open[#open].indent > indent do
      open[#open] = nil
    end
    local new = line:match "^ *let ([%w_.]+) ="
    local function name(word)
      for i = #open, 1, -1 do
        if open[i].name == word then
          return open[i].as
        end
      end
    end
    local value = new and line:match "= (.*)$":gsub("[%a_][%w_.]*", name)
    if new then
      n = n + 1
      open[#open + 1] = {name = new, as = "let" .. n, indent = indent}
      out[#out + 1] = (" "):rep(indent) .. "let let" .. n .. " = " .. value
    else
      out[#out + 1] = line:gsub("[%a_][%w_.]*", name)
    end
  end
  return table.concat(out, "\n") .. "\n"
end

-- The IR's text without the file's name and the places.
local function bare(P)
  return renamed(tostring(P):gsub("^file [^\n]*\n", ""):gsub(" @[%d:]+", ""))
end

local function text(P)
  local s, missing = export.python(P)
  return s:gsub("  # line %d+", ""), missing
end

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

local function put(name, s)
  local path = dir .. "/" .. name
  local f = assert(io.open(path, "w"))
  f:write(s)
  f:close()
  return path
end

-- The kernel that a file compiles: P, or nil and why
local function kernel(path)
  local found
  arg = {[0] = path}
  local ok, err = pcall(dry.run, path, function(k) found = k.P end, dry.checked)
  if not ok then
    return nil, tostring(err)
  end
  return found, "no kernel"
end

local tally = {made = 0, refused = 0, exported = 0, without = 0, converted = 0, wrong = 0}
local why = {}

local function wrong(seed, fmt, ...)
  tally.wrong = tally.wrong + 1
  print(("seed %d: "):format(seed) .. fmt:format(...))
end

local function exported(seed, P, ir)
  local s, missing = text(P)
  if missing > 0 then
    tally.without = tally.without + 1
    return
  end
  local path = put("again.py", s)
  local Q, err = kernel(path)
  if not Q then
    return wrong(seed, "the exported Python is refused: %s", err)
  elseif bare(Q) ~= ir then
    return wrong(seed, "the exported Python is another program\n%s", difference(ir, bare(Q)))
  end
  tally.exported = tally.exported + 1
end

local function converted(seed, path, source, ir, comments)
  local lua, err, left = reader.convert(source, "@" .. path)
  if not lua or left and left ~= 0 then
    return wrong(seed, "is not converted: %s", tostring(err))
  end
  for _, c in ipairs(comments) do
    if not lua:find(c, 1, true) then
      return wrong(seed, "the Lua lacks the comment %q", c)
    end
  end
  local Q, why_not = kernel(put("again.lua", lua))
  if not Q then
    return wrong(seed, "the Lua is refused: %s", why_not)
  elseif bare(Q) ~= ir then
    return wrong(seed, "the Lua is another program\n%s", difference(ir, bare(Q)))
  end
  tally.converted = tally.converted + 1
end

for seed = first, first + count - 1 do
  local source, comments = made(seed)
  local path = put("made.py", source)
  tally.made = tally.made + 1
  local P, err = kernel(path)
  if P then
    local ir = bare(P)
    exported(seed, P, ir)
    converted(seed, path, source, ir, comments)
  else
    tally.refused = tally.refused + 1
    local code = err:match "%[(E%d+)%]" or err
    why[code] = (why[code] or 0) + 1
  end
end
print(("%d kernels, %d refused; as Python and back: %d, without a counterpart %d; as Lua: %d; wrong: %d"):format(tally.made,
  tally.refused, tally.exported, tally.without, tally.converted, tally.wrong))
for code, n in pairs(show and why or {}) do
  print(code, n)
end
