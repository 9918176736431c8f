-- judge/docs.lua: the texts of a puzzle: are they whole, in both languages, and true?
--
-- Pictures (blocks ```picture NAME) must be what pictures.lua draws now; excerpts of
-- generated code (```generated KIND PART) must occur in what the reference solution
-- becomes; every name that a text sends to `help` must be there.

local cases = require "moontile.puzzles.judge.cases"
local diag = require "moontile.diag"
local device = require "moontile.tl.device"
local files = require "moontile.files"
local help = require "moontile.help"
local puzzle = require "moontile.puzzles.judge.puzzle"
local run = require "moontile.puzzles.judge.run"
local sandbox = require "moontile.puzzles.judge.sandbox"
local texts = require "moontile.puzzles.judge.texts"

local M = {}

local Width = 92 -- columns of a line
local Picture = {format = "text", colour = 0, unicode = true, width = 72}

local headings = {
  ["en.md"] = {"What to compute", "Picture", "What is new", "Your file", "Links"},
  ["zh.md"] = {"要计算什么", "图", "新东西", "你的文件", "相关"},
}
local stages = {"idea", "api", "skeleton", "line"}
local chinese = "[\xE3-\xE9][\x80-\xBF][\x80-\xBF]"

-- Blocks ---------------------------------------------------------------------------------------

-- f(kind, argument, body) for each fenced block with an info string; what it returns
-- takes the body's place.  -> the whole text
local function blocks(text, f)
  local out, info, body = {}, nil, {}
  for line in (text:gsub("\n*$", "\n")):gmatch "(.-)\n" do
    if not info and line:find "^```" then
      info, body = line:sub(4), {}
      out[#out + 1] = line
    elseif info and line:find "^```%s*$" then
      local kind, argument = info:match "^(%w+)%s*(.-)%s*$"
      local whole = table.concat(body, "\n")
      local new = kind and f(kind, argument, whole) or whole
      if new ~= "" then
        out[#out + 1] = new
      end
      out[#out + 1] = line
      info = nil
    elseif info then
      body[#body + 1] = line
    else
      out[#out + 1] = line
    end
  end
  return table.concat(out, "\n") .. "\n"
end

-- A text without blanks at its lines' ends.
local function trimmed(s)
  return (s:gsub("[ \t]+\n", "\n"):gsub("%s+$", ""))
end

-- Figures by name: {NAME = function(zh)}; only of our own course, which may run anything.
local function pictures(p, complain)
  local text = p.read "pictures.lua"
  if not text or p.foreign then
    return {}
  end
  local f, err = load(text, "@puzzles/" .. p.folder .. "/pictures.lua")
  local ok, r = pcall(f or error, f and nil or err)
  if not ok or type(r) ~= "table" then
    complain("pictures.lua: " .. tostring(r))
    return {}
  end
  return r
end

local function rendered(make, zh)
  local lang = diag.lang()
  diag.setlang(zh and "zh" or "en")
  local ok, f = pcall(make, zh)
  local text = ok and (type(f) == "string" and f or f:render(Picture))
  diag.setlang(lang)
  if not ok then
    error(f, 0)
  end
  return trimmed(text)
end

-- Generated code ---------------------------------------------------------------------------------

-- What the solution's part becomes: kind -> how
local kinds = {
  tile = function(ir) -- without the option of the judge's own
    return (run.kernel(ir, "sim"):ir():gsub(" own_stages=1", ""))
  end,
  thread = function(ir) return (run.kernel(ir, "sim"):ir "thread") end,
  cpu = function(ir) return run.kernel(ir, "cpu"):get_kernel_source() end,
  cuda = function(ir) return run.kernel(ir, "cuda -arch=sm_80"):get_kernel_source() end,
}

local function generated(p, kind, name)
  local part = puzzle.part(p, name) or p.parts[1]
  local case = cases.list(p, part, {seed = 1})[1]
  local r, why = sandbox.evaluate {text = p.read "solution.lua", chunk = "@" .. p.file,
    traces = {cases.trace(p, part, case)}, target = device.simulator "sim", lang = "en"}
  local e = not r and why or r.error or r.results[1].error
  if e then
    diag.fail("puzzle_lua", p.folder .. "/solution.lua", e.text or e.detail or e.reason)
  end
  return kinds[kind](r.results[1].ir)
end

-- Does every line of the excerpt occur, in order?  -> nil, or the line that does not
local function missing_line(excerpt, text)
  local at = 1
  for line in (excerpt .. "\n"):gmatch "%s*(.-)%s*\n" do
    if line ~= "" and line ~= "..." then
      local _, to = text:find(line, at, true)
      if not to then
        return line
      end
      at = to + 1
    end
  end
end

-- Files ------------------------------------------------------------------------------------------

local function write_back(p, file, text, complain)
  local dir = p.dir or files.tree() and files.tree() .. "/puzzles"
  if not dir then
    return complain("no folder to write " .. file .. " into: set MOONTILE_LUA_PATH")
  end
  local f, err = io.open(("%s/%s/%s"):format(dir, p.folder, file), "wb")
  if not f or not f:write(text) or not f:close() then
    complain(("%s cannot be written: %s"):format(file, tostring(err)))
  end
end

local function check_file(p, file, figures, complain, update)
  local text = p.read(file)
  if not text then
    return complain(file .. " is missing")
  end
  local zh = file:find "^zh" ~= nil or file:find "%.zh%." ~= nil
  local new = blocks(text, function(kind, argument, body)
    if kind == "picture" and not p.foreign then
      if not figures[argument] then
        complain(("%s: pictures.lua has no %s"):format(file, argument))
        return
      end
      local now = rendered(figures[argument], zh)
      if now ~= trimmed(body) and not update then
        complain(("%s: the picture %s is not what the program draws now"):format(file, argument))
      end
      return now
    elseif kind == "generated" then
      local what, name = argument:match "^(%w+)%s*(%S*)"
      if not kinds[what] then
        return complain(("%s: generated %s: unknown"):format(file, argument))
      end
      local line = missing_line(body, generated(p, what, name))
      if line then
        complain(("%s: generated %s: there is no line `%s`"):format(file, argument, line))
      end
    end
  end)
  if update and new ~= text then
    write_back(p, file, new, complain)
  end
  if zh and not text:find(chinese) then
    complain(file .. " is not Chinese")
  end
  local term = require "moontile.term"
  for line in new:gmatch "[^\n]+" do
    if term.width(line) > Width then
      complain(("%s: a line of %d columns: %s"):format(file, term.width(line), line))
    end
  end
  for name in new:gmatch "`help%s+([%w_.:]+)`" do
    if not help.find(name) then
      complain(("%s: `help %s` finds nothing"):format(file, name))
    end
  end
  for _, heading in ipairs(headings[file] or {}) do
    if not ("\n" .. new):find("\n## " .. heading .. "%f[\n\r ]") then
      complain(("%s has no section `## %s`"):format(file, heading))
    end
  end
end

local function check_hints(p, zh, complain)
  local have = {}
  for _, h in ipairs(texts.hints(p, zh)) do
    if h.text:match "%S" then
      have[(h.part or texts.own_part(p)) .. ":" .. h.stage] = true
    end
  end
  for _, part in ipairs(p.parts) do
    for _, stage in ipairs(part.given and {} or stages) do
      if not have[part.name .. ":" .. stage] then
        complain(("hints.%s.md has no hint %s of %s"):format(zh and "zh" or "en", stage,
          part.name))
      end
    end
  end
end

-- complain(text) for everything that is not as it should be.
function M.check(p, complain, update)
  local figures = pictures(p, complain)
  for _, file in ipairs {"en.md", "zh.md", "after.en.md", "after.zh.md", "hints.en.md",
    "hints.zh.md"} do
    check_file(p, file, figures, complain, update)
  end
  check_hints(p, false, complain)
  check_hints(p, true, complain)
  for _, name in ipairs(p.names) do
    if not help.find(name) then
      complain(("puzzle.lua: names: `help %s` finds nothing"):format(name))
    end
  end
end

return M
