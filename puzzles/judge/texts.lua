-- judge/texts.lua: what a puzzle's folder says in words: statement, hints, afterword.
--
--     texts.statement(p, zh)   Markdown, or nil
--     texts.after(p, zh)       Markdown, or nil
--     texts.hints(p, zh)       {{part =, stage =, text =}, ..} in the order of the file
--     texts.stages             the stages that there are, in order
--     texts.sections(text)     {{title =, text =, line =}, ..} of the "## " headings
--
-- A puzzle that has only one of the languages, as somebody else's may, is shown in that.
-- Of hints each section is a stage: "## idea", or "## PART: idea" where a puzzle has
-- several parts to solve.

local M = {}

M.stages = {"idea", "api", "skeleton", "line"}

-- The file of that language, else of the other one.
local function read(p, stem, zh)
  local mine, other = zh and "zh" or "en", zh and "en" or "zh"
  return p.shown(stem .. mine .. ".md") or p.shown(stem .. other .. ".md")
end

function M.statement(p, zh)
  return read(p, "", zh)
end

function M.after(p, zh)
  return read(p, "after.", zh)
end

-- Is line the beginning or the end of a block of code?
local function is_fence(line)
  return line:find "^```" ~= nil
end

function M.sections(text)
  local list, fenced, number = {}, false, 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local title = not fenced and line:match "^##%s+(.-)%s*$"
    if title then
      list[#list + 1] = {title = title, line = number}
    elseif list[#list] then
      table.insert(list[#list], line)
    end
    if is_fence(line) then
      fenced = not fenced
    end
  end
  for _, s in ipairs(list) do
    s.text = table.concat(s, "\n"):match "^%s-\n?(.-)%s*$"
  end
  return list
end

-- The first part that is not given: whose hints stand without a name.
function M.own_part(p)
  for _, part in ipairs(p.parts) do
    if not part.given then
      return part.name
    end
  end
  return p.parts[1].name
end

function M.hints(p, zh)
  local list, own = {}, M.own_part(p)
  for _, s in ipairs(M.sections(read(p, "hints.", zh) or "")) do
    local part, stage = s.title:match "^([%w_]+)%s*[:：]%s*(.-)$"
    list[#list + 1] = {part = part or own, stage = stage or s.title, text = s.text}
  end
  return list
end

-- Those of one part.
function M.hints_of(p, part, zh)
  local list = {}
  for _, h in ipairs(M.hints(p, zh)) do
    if h.part == part then
      list[#list + 1] = h
    end
  end
  return list
end

return M
