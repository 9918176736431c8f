-- course/batch.lua: the words of `moontile puzzles` that print and end.
--
--     batch[word](o)   -> exit status: 0 right, 1 not right, 2 usage, 3 the judge's trouble
--
-- o: as options.parse gives it, with json, target and code beside.

local diag = require "moontile.diag"
local folder = require "moontile.puzzles.course.folder"
local json = require "moontile.tl.json"
local markdown = require "moontile.puzzles.course.markdown"
local says = require "moontile.puzzles.course.says"
local screen = require "moontile.screen"
local show = require "moontile.puzzles.course.show"
local store = require "moontile.puzzles.course.pack_store"
local texts = require "moontile.puzzles.judge.texts"
local term = require "moontile.term"

local M = {}

local say = says.say

M.Right, M.Wrong, M.Usage, M.Trouble = 0, 1, 2, 3
local Stopped = 130

-- Saying ---------------------------------------------------------------------------------

local function complain(text)
  io.stdout:flush()
  io.stderr:write(text:find "^moontile: " and "" or "moontile: ", diag.visible(text), "\n")
end
M.complain = complain

local function put(lines)
  if #lines > 0 then
    io.stdout:write(diag.visible(table.concat(lines, "\n"), term.terminal().colour), "\n")
  end
end

local function emit(t)
  io.stdout:write(json.public(t), "\n")
end

local function style()
  return term.terminal()
end

-- What should have been written to the progress.  What was not is not forgotten: M.lost.
local function kept(ok, why)
  if not ok then
    M.lost = true
    complain(say("the progress is not saved: %s", "进度未保存：%s", why))
  end
end

-- Folders and names ----------------------------------------------------------------------

-- "moon/05-row-sum.lua" -> "moon"; a word that is no path -> nil
local function dir_of(word)
  if word and (word:find "%.lua$" or word:find "%.py$") then
    return word:match "^(.*)/[^/]*$"
  end
end

-- The learner's folder; nil and the exit status otherwise.
local function open(o)
  local F, why = folder.open(o.dir or dir_of(o.rest[1]) or ".", o.from, o.code)
  if not F then
    complain(why)
    return nil, M.Usage
  end
  return F
end

-- The puzzle that the word names, else the current one.
local function puzzle_of(F, word)
  if not word then
    return F:current()
  end
  local ok, p = pcall(F.find, F, word)
  if not ok then
    complain(tostring(p))
    return nil
  end
  return p
end

-- F and the puzzle; nil and the exit status when there is none.
local function both(o)
  local F, status = open(o)
  if not F then
    return nil, status
  end
  local p = puzzle_of(F, o.rest[1])
  if not p then
    return nil, M.Usage
  end
  return F, p
end

-- Texts can be read anywhere: in a folder of the learner's, else of our own course or of --from.
local function both_or_ours(o)
  local F = folder.open(o.dir or dir_of(o.rest[1]) or ".", o.from, o.code)
  if F or o.dir then
    return both(o)
  end
  local ours, why = folder.of_state(o.from, o.code)
  if not ours then
    complain(why)
    return nil, M.Usage
  elseif not o.rest[1] then
    complain(say("which puzzle? %s takes its name or number", "哪道谜题？%s 需要名称或编号", o.word))
    return nil, M.Usage
  end
  local p = puzzle_of(ours, o.rest[1])
  return p and ours, p or M.Usage
end

-- Words ----------------------------------------------------------------------------------

function M.init(o)
  local dir = o.rest[1]
  local r, why, disk = folder.init(dir, o.from, o.code)
  if not r then
    complain(why)
    return disk and M.Trouble or M.Usage
  end
  local s = style()
  if r.again and r.made == 0 then
    put {say("%s already holds the puzzles; nothing was changed.", "%s 中已有这些谜题，没有改动。", dir)}
  else
    put {say(r.made == 1 and "Made %d file in %s." or "Made %d files in %s.",
      "已创建 %d 个文件，位于 %s。", r.made, dir) ..
      (r.kept > 0 and say(" %d were already there and stay unchanged.", "另有 %d 个原有文件保持不变。", r.kept)
      or "")}
  end
  put {say("Now type:", "接下来请输入：")}
  if dir ~= "." then
    put {"  " .. show.paint("cd " .. dir, "bold", s)}
  end
  put {"  " .. show.paint("moontile puzzles", "bold", s)}
  return M.Right
end

local function row_of(F, p)
  local d, state = F.progress.state.done[p.name], show.state(F, p)
  return {number = p.number, name = p.name, title = p.title, level = p.level, minutes = p.minutes,
    state = state, stars = d and d.stars, stars_of = d and d.of, file = F:path(p),
    current = p == F:current()}
end

function M.list(o)
  local F, status = open(o)
  if not F then
    return status
  end
  if not o.json then
    put(show.list(F, F:current(), style()))
    put(show.packs(F))
    return M.Right
  end
  for _, p in ipairs(F.course.puzzles) do
    emit(row_of(F, p))
  end
  return M.Right
end

-- Judging --------------------------------------------------------------------------------

-- One puzzle's file; the verdict, or nil and the exit status.
local function judge(F, p, o)
  local text, why = F:text(p)
  if not text and not why then
    complain(say("there is no %s; `moontile puzzles reset %s` makes it", "没有 %s；" ..
      "`moontile puzzles reset %s` 可创建", F:path(p), p.name))
    return nil, M.Usage
  end
  local engine = require "moontile.puzzles.judge"
  local ok, v, stopped = screen.run(function()
    local job = F:solution(p)
    job.target, job.part, job.hidden, job.seed = o.target, o.part, true, o.seed
    return engine.judge(p, job)
  end)
  if stopped then
    return nil, Stopped
  elseif not ok then
    error(v, 0)
  end
  return v
end

local function status_of(v)
  return v.outcome == "trouble" and M.Trouble or v.ok and M.Right or M.Wrong
end

-- Does this verdict finish the puzzle?  One part alone does not.
local function finishes(v, o)
  return v.ok and not o.part
end

function M.run(o)
  local F, p = both(o)
  if not F then
    return p
  end
  local v, status = judge(F, p, o)
  if not v then
    return status
  end
  local report = require "moontile.puzzles.judge.report"
  local first = not F:is_done(p)
  if finishes(v, o) then
    kept(F.progress:done(p.name, v.stars, v.stars_of))
  end
  if o.json then
    emit(report.data(v))
    return status_of(v)
  end
  local s = style()
  put(show.report(v, s))
  if finishes(v, o) then
    local after = first and show.after(p, s) or {}
    if #after > 0 then
      put {""}
      put(after)
    end
    local q = F:next(p)
    put {"", q and say("Next: moontile puzzles text %s; your file is %s",
      "下一道：moontile puzzles text %s；您的文件是 %s", q.name, q.file) or
      say("All puzzles are done.", "全部谜题均已完成。")}
    if q then
      kept(F.progress:go(q.name))
    end
  elseif not v.ok and v.outcome ~= "trouble" then
    put {"", say("More hints: moontile puzzles hint %s", "更多提示：moontile puzzles hint %s", p.name)}
  end
  return status_of(v)
end

-- "05 row-sum   right ★★☆" of one file
local function result_line(p, v, s)
  local name = ("%02d %s"):format(p.number, term.pad(p.name, 18))
  if not v then
    return name .. show.paint(say("not begun", "未动手"), "dim", s)
  end
  local what = v.ok and show.paint(say("right", "正确"), "green", s) .. " " ..
    show.stars(v.stars, v.stars_of, s) or show.paint(says.pick(v.sentence), "red", s)
  return name .. what
end
M.result_line = result_line

M["check-all"] = function(o)
  local F, status = open(o)
  if not F then
    return status
  end
  local s, worst, all, notes = style(), M.Right, true, {}
  local report = require "moontile.puzzles.judge.report"
  for _, p in ipairs(F.course.puzzles) do
    local v
    if F:begun(p) then
      v, status = judge(F, p, o)
      if not v then
        return status
      end
      worst = math.max(worst, status_of(v))
      if v.ok then
        kept(F.progress:done(p.name, v.stars, v.stars_of))
      end
    end
    all = all and v ~= nil
    if v and v.note and not notes[says.pick(v.note)] then
      notes[says.pick(v.note)], notes[#notes + 1] = true, says.pick(v.note)
    end
    if not o.json then
      put {result_line(p, v, s)}
      io.stdout:flush()
    elseif v then
      emit(report.data(v))
    else
      emit {puzzle = p.name, ok = false, outcome = "new"}
    end
  end
  if not o.json then
    put {"", show.bar(F, s)}
    for _, note in ipairs(notes) do
      put {show.paint(note, "dim", s)}
    end
  end
  return math.max(worst, all and M.Right or M.Wrong)
end

-- Words about one puzzle -----------------------------------------------------------------

-- The part whose hints are wanted: where there are several, the one that fails now.
local function part_of(F, p, o)
  local several = #p.parts > 1 and F.dir and F:begun(p)
  if o.part or not several then
    return o.part or texts.own_part(p)
  end
  local ok, v = screen.run(function()
    local job = F:solution(p)
    job.target, job.hidden = o.target, false
    return require("moontile.puzzles.judge").judge(p, job)
  end)
  return show.part_for(p, ok and v or nil)
end

function M.hint(o)
  local F, p = both_or_ours(o)
  if not F then
    return p
  end
  local part = part_of(F, p, o)
  local list = texts.hints_of(p, part, says.zh())
  if #list == 0 then
    complain(say("%s has no hints for %s", "%s 没有针对 %s 的提示", p.name, part))
    return M.Usage
  end
  local n = math.min(F.progress:hints(p.name, part) + 1, #list)
  kept(F.progress:hinted(p.name, part, n))
  if o.json then
    local shown = {}
    for i = 1, n do
      shown[i] = {stage = list[i].stage, text = list[i].text}
    end
    emit {puzzle = p.name, part = part, hints = shown, of = #list}
    return M.Right
  end
  put(show.hints(p, part, n, style()))
  put {"", n < #list and say("(the same command shows one more)", "（再次执行可多看一条）") or
    say("(that was the last one; moontile puzzles solution %s --yes)",
      "（这是最后一条；moontile puzzles solution %s --yes 可查看解答）", p.name)}
  return M.Right
end

function M.text(o)
  local F, p = both_or_ours(o)
  if not F then
    return p
  end
  local s = style()
  if o.after then
    put(show.after(p, s))
    return M.Right
  end
  put(show.statement(p, s))
  if F.dir then
    kept(F.progress:seen(p.name))
  end
  return M.Right
end

-- Asks on the terminal; true for y.
local function asked(question)
  if not term.capable() then
    return false
  end
  io.stdout:write(question, " ")
  io.stdout:flush()
  local answer = io.read "l"
  return answer ~= nil and answer:find "^%s*[yY]" ~= nil
end

function M.solution(o)
  local F, p = both_or_ours(o)
  if not F then
    return p
  end
  local text = show.solution(p)
  if not text then
    complain(say("%s has no solution", "%s 没有参考解答", p.folder))
    return M.Usage
  end
  if not F:is_done(p) then
    if not o.yes and not asked(say("%s is not solved yet; show it anyway? y/N",
      "%s 尚未完成，仍要显示吗？y/N", p.name)) then
      complain(say("%s is not solved yet; --yes shows the solution anyway",
        "%s 尚未完成；加 --yes 仍可显示解答", p.name))
      return M.Wrong
    end
    kept(F.progress:looked(p.name))
  end
  io.stdout:write(text)
  return M.Right
end

function M.reset(o)
  local F, p = both(o)
  if not F then
    return p
  end
  local path = F:path(p)
  local ok, old, at = F:reset(p)
  if not ok then
    complain(("%s: %s"):format(at, old))
    return M.Usage
  end
  put {old and say("%s is the starter again; your text is now in %s.",
    "%s 已恢复为起始文件；原文保存为 %s。", path, old) or
    say("%s is the starter.", "%s 就是起始文件。", path)}
  return M.Right
end

function M.verify(o)
  local names, from = #o.rest > 0 and o.rest or nil, o.from or o.dir
  local dir = from and store.resolve(from)
  if from and not dir then
    complain(say("there is no pack and no folder of puzzles %s", "没有名为 %s 的谜题包或谜题文件夹", from))
    return M.Usage
  end
  return require("moontile.puzzles.judge.verify").run {names = names, from = dir,
    target = o.target, seeds = o.seeds, update = o.update, quick = o.quick}
end

-- The first words that somebody reads.
function M.welcome(F, s)
  local index = F.course.index
  return index.welcome and markdown.lines(says.pick(index.welcome), s) or {}
end

function M.final(F, s)
  local index = F.course.index
  return markdown.lines(index.final and says.pick(index.final) or
    say("# All puzzles are done", "# 全部谜题均已完成"), s)
end

return M
