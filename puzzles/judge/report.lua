-- judge/report.lua: a verdict as text for people and as data for programs.
--
-- The text's order: what is wrong in one sentence; a hint chosen by the failure, which must
-- be seen without scrolling; the message of the compiler or the simulator where there is one;
-- the first bad element with got, wanted and who wrote it, and the form of the errors and a
-- small map of them.
-- Of a right kernel: stars and the score.

local cases = require "moontile.puzzles.judge.cases"
local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local differences = require "moontile.layout_viz.differences"
local words = require "moontile.puzzles.judge.translations"

local M = {}

local function say(en, zh, ...)
  local s = diag.lang() == "zh" and zh or en
  return select("#", ...) > 0 and s:format(...) or s
end

-- Colours ----------------------------------------------------------------------------------

local codes = {good = "32", bad = "31", warn = "33", dim = "2", head = "1", accent = "36"}

local function painter(style)
  return function(hue, s)
    return (style.colour or 0) > 0 and ("\27[%sm%s\27[0m"):format(codes[hue], s) or s
  end
end

-- Numbers ----------------------------------------------------------------------------------

local function number(v)
  if math.type(v) == "integer" then
    return tostring(v)
  elseif v ~= v then
    return "NaN"
  end
  return math.tointeger(v) and math.abs(v) < 2^53 and ("%d"):format(v) or ("%.7g"):format(v)
end

local units = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}

local function bytes(n)
  for _, u in ipairs(units) do
    if n >= u[1] then
      return ("%.3g %s"):format(n / u[1], u[2])
    end
  end
  return ("%d B"):format(n)
end

local function milliseconds(ms)
  return ms >= 1 and ("%.3g ms"):format(ms) or ("%.3g us"):format(ms * 1000)
end

-- Wrong results ------------------------------------------------------------------------------

local function place(w)
  return ("%s[%s]"):format(w.name, table.concat(w.at, ", "))
end

local function first_lines(v, add, paint)
  local w = v.wrong
  local off = math.abs(w.got - w.wanted)
  add("  " .. say("first    %s = %s, wanted %s", "首个错误 %s = %s，应为 %s", place(w), paint("bad",
    number(w.got)), paint("good", number(w.wanted))) .. (w.limit > 0 and off < math.huge and
    say(" (limit %.2g, off by %.2g)", "（误差限 %.2g，偏差 %.2g）", w.limit, off) or ""))
  local who = v.writer
  if who == "nobody" then
    add("  " .. say("writer   nobody wrote it: it holds what was there before",
      "写入者   没有人写过它：其中是原来的内容"))
  elseif who then
    add("  " .. say("writer   thread %d of block %s, line %d", "写入者   线程块 %s 的线程 %d，第 %d 行",
      table.unpack(diag.lang() == "zh" and {who.block, who.thread, who.line} or
        {who.thread, who.block, who.line})))
    local line = diag.source(who.file, who.line)
    if line then
      add("           " .. paint("dim", (line:gsub("^%s+", ""))))
    end
  end
end

local Rows = 8 -- of the map: the hint behind it shall be in sight at 24 lines

-- A map of the errors, where it shows more than a word does.
local function map_lines(w, add, style)
  if w.count < 4 or w.bad == w.count then
    return
  end
  add ""
  local errors = require "moontile.layout_viz.errors"
  local f, high, wide = errors.map(w.settled, w.want, style, say("where %s is wrong",
    "%s 的错误所在", w.name), Rows)
  for line in f:render({format = "text", colour = style.colour, unicode = style.unicode,
    width = style.width}):gmatch "[^\n]*" do
    if line ~= "" then
      add("  " .. line)
    end
  end
  if high * wide > 1 then
    add("  " .. say("a cell is %d x %d elements", "每格为 %d x %d 个元素", high, wide))
  end
end

local function wrong_lines(v, add, paint)
  local w = v.wrong
  first_lines(v, add, paint)
  if w.d.text then
    add("  " .. say("where    ", "位置     ") .. differences.say(w.d.text))
  end
  for _, c in ipairs(v.cause == "unwritten" and {} or w.d.causes) do
    add("  " .. say("looks    ", "看来     ") .. differences.say(c))
  end
end

-- Is there something wrong to be shown, besides the message?
local function shows_wrong(v)
  return v.wrong and not (v.cause == "unwritten" and v.error and v.wrong.bad == 0)
end

-- The message of the compiler or the simulator.  What it advises of an output that is not
-- written is a guess, which the hint replaces.
local function message(v)
  local text = clean.text(v.error.text):gsub("\n+$", "")
  if v.hint and v.error.code == "E609" then
    text = text:gsub("\n[^\n]-help:[^\n]*$", ""):gsub("\n[^\n]-建议:[^\n]*$", "")
  end
  return text
end

local function hint_lines(v, add, paint)
  if v.hint then
    add(paint("accent", say("hint: ", "提示：")) .. words.say(v.hint))
  end
  if v.note then
    add(paint("dim", words.say(v.note)))
  end
end

-- Score --------------------------------------------------------------------------------------

local function stars(v, style)
  local full, none = "*", "."
  if style.unicode then
    full, none = "★", "☆"
  end
  return full:rep(v.stars) .. none:rep(v.stars_of - v.stars)
end

local function score_lines(s, add, paint)
  add(("  %s, %s"):format(paint("head", s.part), cases.text(s.size)))
  add("    " .. say("bytes moved %s; the least possible %s (%.2f x), the reference solution %s",
    "搬运字节 %s；下限 %s（%.2f 倍），参考解 %s", bytes(s.bytes), bytes(s.least), s.bytes /
    math.max(1, s.least), bytes(s.reference_bytes)))
  if s.waves > 0 or s.reference_waves > 0 then
    add("    " .. say("shared memory %d waves, ideal %d, the reference solution %d; worst conflict %d-way",
      "共享内存 %d 个波次，理想 %d，参考解 %d；最差冲突 %d 路", s.waves, s.ideal_waves, s.reference_waves,
      s.ways))
  end
  local t = s.time
  if t and t.failed then
    add("    " .. paint("warn", say("the results for %s differ from the reference solution's: no time",
      "%s 时结果与参考解不同：不计时", cases.text(t.size))))
  elseif t then
    add("    " .. say("time for %s: %s; the reference solution %s (%.2f x), the roof %s",
      "%s 用时：%s；参考解 %s（%.2f 倍），上限 %s", cases.text(t.size), milliseconds(t.ms),
      milliseconds(t.reference_ms), t.ms / t.reference_ms, milliseconds(t.roof_ms)))
  end
  if not s.lean then
    add("    " .. paint("warn", say("a star is left: move no more than 1.1 x what the reference solution does",
      "还差一颗星：搬运量与冲突不超过参考解的 1.1 倍")))
  elseif t and not s.fast then
    add("    " .. paint("warn", say("a star is left: be within 1.25 x of the reference solution's time",
      "还差一颗星：用时不超过参考解的 1.25 倍")))
  end
end

-- The whole ------------------------------------------------------------------------------------

-- The parts of a puzzle with several, one line.
local function parts_line(v, style, paint)
  local list = {}
  for i, part in ipairs(v.parts) do
    local mark = part.ok and (style.unicode and "✓" or "+") or part.outcome == "pending" and
      (style.unicode and "·" or ".") or (style.unicode and "✗" or "x")
    local hue = part.ok and "good" or part.outcome == "pending" and "dim" or "bad"
    list[i] = paint(hue, mark .. " " .. part.name)
  end
  return table.concat(list, "  ")
end

-- The report of a verdict, lines with "\n"; style: term.terminal()'s.
function M.text(v, style)
  style = style or {width = 80, colour = 0, unicode = true}
  local out = {}
  local function add(s)
    out[#out + 1] = s
  end
  local paint = painter(style)
  local mark = v.ok and (style.unicode and "✓" or "+") or (style.unicode and "✗" or "x")
  add(paint(v.ok and "good" or "bad", ("%s %s"):format(mark, words.say(v.sentence))) ..
    (v.ok and "  " .. paint("warn", stars(v, style)) or ""))
  if #v.parts > 1 then
    add("  " .. parts_line(v, style, paint))
  end
  hint_lines(v, add, paint)
  if v.error and v.error.text ~= "" then
    add ""
    add(message(v))
  end
  if shows_wrong(v) then
    add ""
    wrong_lines(v, add, paint)
    map_lines(v.wrong, add, style)
  end
  if v.goal and v.goal.found then
    add("  " .. say("found    ", "实际     ") .. words.say(v.goal.found))
  end
  if v.warnings and v.warnings ~= "" and not v.error then
    add ""
    add((clean.text(tostring(v.warnings)):gsub("\n+$", "")))
  end
  if v.output and v.output ~= "" then
    add ""
    add(say("printed while the file was read:", "读取文件时的输出："))
    add((clean.text(v.output):gsub("\n+$", "")))
  end
  if v.stage == "hidden" then
    add(paint("dim", say("(a hidden check; again with seed %d)", "（隐藏检查；种子 %d 可重现）", v.seed)))
  end
  if v.ok and v.warnings and v.warnings ~= "" then
    add ""
  end
  for _, s in ipairs(v.ok and v.score or {}) do
    score_lines(s, add, paint)
  end
  return table.concat(out, "\n") .. "\n"
end

-- Data -------------------------------------------------------------------------------------

local function wrong_data(w)
  local causes = {}
  for i, c in ipairs(w.d.causes) do
    causes[i] = c.id
  end
  return {output = w.name, at = w.at, got = w.got, wanted = w.wanted, limit = w.limit, bad = w.bad,
    count = w.count, pattern = w.d.pattern, where = w.d.text and words.say(w.d.text), causes = causes}
end

local function score_data(s)
  local t = s.time
  return {part = s.part, size = s.size, bytes = s.bytes, least = s.least,
    reference_bytes = s.reference_bytes, waves = s.waves, ideal_waves = s.ideal_waves,
    reference_waves = s.reference_waves, ways = s.ways, lean = s.lean, fast = s.fast,
    time = t and {failed = t.failed, ms = t.ms, reference_ms = t.reference_ms, roof_ms = t.roof_ms,
      size = t.size}}
end

-- The same for --json.
function M.data(v)
  local r = {puzzle = v.puzzle, ok = v.ok, outcome = v.outcome, part = v.part, stage = v.stage,
    size = v.size, target = v.target, seed = v.seed, sentence = words.say(v.sentence),
    hint = v.hint and words.say(v.hint), note = v.note and words.say(v.note), stars = v.stars, stars_of = v.stars_of, ms = v.ms,
    changed = v.changed, goal = v.goal and v.goal.id, cause = v.cause, parts = {}, score = {}}
  for i, part in ipairs(v.parts) do
    r.parts[i] = {name = part.name, outcome = part.outcome, ok = part.ok}
  end
  for i, s in ipairs(v.score) do
    r.score[i] = score_data(s)
  end
  if v.wrong then
    r.wrong = wrong_data(v.wrong)
  end
  local e = v.error
  if e then
    r.error = {code = e.code, id = e.id, text = e.text, line = e.line, file = e.file}
  end
  local who = v.writer
  if type(who) == "table" then
    r.writer = {line = who.line, thread = who.thread, block = who.block}
  elseif who then
    r.writer = who
  end
  return r
end

return M
