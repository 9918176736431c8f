-- course/show.lua: small pieces that the watch mode, the batch commands and the prompt
-- show alike.

local columns = require "moontile.term.columns"
local markdown = require "moontile.puzzles.course.markdown"
local page = require "moontile.help.text"
local says = require "moontile.puzzles.course.says"
local store = require "moontile.puzzles.course.pack_store"
local texts = require "moontile.puzzles.judge.texts"
local term = require "moontile.term"

local M = {}

local say, pick = says.say, says.pick

-- Paint ----------------------------------------------------------------------------------

local sgr = {bold = "1", dim = "2", red = "31", green = "32", yellow = "33", cyan = "36",
  head = "1;36"}

function M.paint(s, what, style)
  return style.colour > 0 and s ~= "" and ("\27[%sm%s\27[0m"):format(sgr[what], s) or s
end
local paint = M.paint

-- Names ----------------------------------------------------------------------------------

local levels = {easy = {en = "easy", zh = "入门"}, medium = {en = "medium", zh = "进阶"},
  hard = {en = "hard", zh = "挑战"}}

-- "5. Row sums"
function M.title(p)
  return ("%d. %s"):format(p.number, pick(p.title))
end

-- "easy, 20 minutes"
function M.level(p)
  return say("%s, %s", "%s，%s", pick(levels[p.level]) or p.level,
    say("%d minutes", "约 %d 分钟", p.minutes))
end

-- "★★☆"; of: how many there are
function M.stars(stars, of, style)
  if not stars or not of then
    return ""
  end
  local full, empty = "*", "-"
  if style.unicode then
    full, empty = "★", "☆"
  end
  return paint(full:rep(stars), "yellow", style) .. paint(empty:rep(of - stars), "dim", style)
end

-- A path that a terminal may open.
function M.link(path, style)
  local full = style.tty and style.colour > 0 and require("moontile.keep").absolute(path)
  if not full then
    return path
  end
  local address = full:gsub("[^%w/._~-]", function(c) return ("%%%02X"):format(c:byte()) end)
  return ("\27]8;;file://%s\27\\%s\27]8;;\27\\"):format(address, path)
end

-- The progress bar -----------------------------------------------------------------------

-- "Progress [####>-----------]  4/22", in the width that there is
function M.bar(F, style)
  local n, of, stars, most = F:count()
  local label = say("Progress", "进度")
  local right = (" %d/%d"):format(n, of)
  if most > 0 then
    right = right .. ("  %s %d"):format(style.unicode and "★" or "*", stars)
  end
  local room = math.min(60, style.width - 1 - term.width(label) - 3 - term.width(right))
  if room < 8 then
    return paint(label, "bold", style) .. right
  end
  local filled = of > 0 and n * room // of or 0
  local head = n > 0 and n < of and ">" or ""
  local bar = paint(("#"):rep(filled) .. head, "green", style) ..
    paint(("-"):rep(room - filled - #head), "dim", style)
  return ("%s [%s]%s"):format(paint(label, "bold", style), bar, right)
end

-- Texts ----------------------------------------------------------------------------------

local function lines_of(text)
  local list = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "([^\n]*)\n" do
    list[#list + 1] = line
  end
  return list
end
M.lines_of = lines_of

-- Adds lines to a list.
function M.add(to, lines)
  for _, line in ipairs(lines) do
    to[#to + 1] = line
  end
  return to
end

function M.statement(p, style)
  local text = texts.statement(p, says.zh())
  return text and markdown.lines(text, style) or
    {say("%s has no statement", "%s 没有题目", p.folder)}
end

function M.after(p, style)
  local text = texts.after(p, says.zh())
  return text and markdown.lines(text, style) or {}
end

-- Reports --------------------------------------------------------------------------------

-- What stands between two places where a line may break, escape sequences left out.
local function visible(s)
  return term.width((s:gsub("\27%[[%d;]*m", "")))
end

-- A coloured line in lines of at most n columns; those below the first as far in.
local function wrapped(line, n)
  local lead = line:match "^ *"
  local list, now, used, colour = {}, lead, #lead, ""
  local plain = line:sub(#lead + 1)
  for _, piece in ipairs(page.pieces(plain)) do
    local w = visible(piece.text)
    if used > #lead and used + (piece.blank and 1 or 0) + w > n then
      list[#list + 1] = now .. (colour ~= "" and "\27[0m" or "")
      now, used = lead .. colour, #lead
    elseif piece.blank then
      now, used = now .. " ", used + 1
    end
    now, used = now .. piece.text, used + w
    for code in piece.text:gmatch "\27%[[%d;]*m" do
      colour = (code == "\27[0m" or code == "\27[m") and "" or code
    end
  end
  list[#list + 1] = now
  return list
end

-- The mark below a line of a program, `  |    ^^^^ what is said of it`, in lines of at most n
-- columns: what is said goes on below the mark.
local function marked(line, n)
  local lead, said = line:match "^(.-%^+[\27%[%dm]* )(.*)$"
  local bar = lead and lead:gsub("\27%[[%d;]*m", ""):match "^%s*|"
  local at = lead and visible(lead)
  if not bar or at > n - 24 then
    return {line}
  end
  local list, colours = {}, lead:match "\27%[[%d;]*m" or ""
  local plain = said:gsub("\27%[[%d;]*m", "")
  for i, part in ipairs(page.wrap(plain, n - at)) do
    list[i] = i == 1 and lead .. part or bar .. (" "):rep(at - #bar) .. colours .. part
    list[i] = list[i] .. (said:find "\27" and "\27[0m" or "")
  end
  return list
end

-- Is it a line of a program, with its number or the mark below it?
local function is_source(line)
  return line:gsub("\27%[[%d;]*m", ""):find "^%s*%d* | " ~= nil
end

-- A verdict's report in lines of the terminal's width.
function M.report(v, style)
  local out = {}
  for _, line in ipairs(lines_of(require("moontile.puzzles.judge.report").text(v, style))) do
    if style.tty ~= false and visible(line) >= style.width then
      M.add(out, (is_source(line) and marked or wrapped)(line, style.width - 1))
    else
      out[#out + 1] = line
    end
  end
  return out
end

-- Hints ----------------------------------------------------------------------------------

local stages = {idea = {en = "the idea", zh = "思路"}, api = {en = "what to use", zh = "用什么"},
  skeleton = {en = "the skeleton", zh = "骨架"}, line = {en = "the line", zh = "关键的一行"}}

-- "Hint 2 of 4: what to use"
local function hint_title(h, i, of, p)
  local stage = pick(stages[h.stage]) or h.stage
  local part = #p.parts > 1 and say(" (%s)", "（%s）", h.part) or ""
  return say("Hint %d of %d%s: %s", "提示 %d/%d%s：%s", i, of, part, stage)
end

-- The hints of a part up to the n-th.
function M.hints(p, part, n, style)
  local list, out = texts.hints_of(p, part, says.zh()), {}
  for i = 1, math.min(n, #list) do
    if i > 1 then
      out[#out + 1] = ""
    end
    out[#out + 1] = paint(hint_title(list[i], i, #list, p), "head", style)
    M.add(out, markdown.lines(list[i].text, style))
  end
  return out, #list
end

-- Which part hints are for: the one that fails, where it has some, else the first to solve.
function M.part_for(p, verdict)
  local failing = verdict and not verdict.ok and verdict.part
  return failing and #texts.hints_of(p, failing, says.zh()) > 0 and failing or texts.own_part(p)
end

-- Solutions ------------------------------------------------------------------------------

function M.solution(p)
  return p.shown "solution.lua"
end

-- A program, its comments set back.
function M.program(p, text, style)
  return markdown.lines("```" .. (p.code or "lua") .. "\n" .. text:gsub("\n$", "") .. "\n```", style)
end

-- Lists ----------------------------------------------------------------------------------

-- "done" "begun" "new" "gone" "seen", and its mark
function M.state(F, p)
  local s = F.progress.state
  if s.done[p.name] then
    return s.solution[p.name] and "seen" or "done"
  elseif F.dir and not F:text(p) then
    return "gone"
  end
  local begun = F.dir and F:begun(p) or not F.dir and s.read[p.name]
  return begun and "begun" or "new"
end

local states = {
  done = {en = "done", zh = "完成", colour = "green"},
  seen = {en = "done, solution seen", zh = "完成（看过答案）", colour = "green"},
  begun = {en = "begun", zh = "进行中", colour = "yellow"},
  new = {en = "pending", zh = "未开始", colour = "dim"},
  gone = {en = "no file", zh = "没有文件", colour = "red"},
}

function M.state_text(state)
  return pick(states[state]), states[state].colour
end

-- Headings by the name of the puzzle that they stand above.
local function arcs(F)
  local list = {}
  for _, a in ipairs(F.course.index.arcs or {}) do
    list[a.first] = pick(a.title)
  end
  return list
end

-- All puzzles, a line each; `current` is marked.
function M.list(F, current, style)
  local rows, out, heading = {}, {}, arcs(F)
  for i, p in ipairs(F.course.puzzles) do
    local d = F.progress.state.done[p.name]
    rows[i] = {p == current and ">" or " ", ("%02d"):format(p.number), p.name,
      (M.state_text(M.state(F, p))),
      d and M.stars(d.stars, d.of, {colour = 0, unicode = style.unicode}) or "", pick(p.title)}
  end
  local text = columns.table(rows, {indent = 0, width = style.width - 1})
  for i, line in ipairs(lines_of(text)) do
    local title = rows[i] and heading[F.course.puzzles[i].name]
    if title then
      M.add(out, i > 1 and {""} or {})
      out[#out + 1] = paint(title, "bold", style)
    end
    out[#out + 1] = line:match "^(.-)%s*$"
  end
  return M.add(out, {"", M.bar(F, style)})
end

-- A line that names the packs that are here; none: {}
function M.packs(F)
  local names = {}
  for i, it in ipairs(store.list()) do
    names[i] = it.name .. (F.course.dir == it.dir and "*" or "")
  end
  return #names > 0 and {say("Packs: %s", "谜题包：%s", table.concat(names, say(", ", "、")))} or {}
end

return M
