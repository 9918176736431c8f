-- course/watch.lua: the watch mode: what is saved is judged; a save of another puzzle's file
-- makes that one the current.
--
-- One loop waits for keys, for saves and for the terminal.  A save is known from inotify;
-- where there is none, and for file systems that do not tell, the text is compared once a
-- second.  Whatever changes the progress says so when it cannot be written.

local batch = require "moontile.puzzles.course.batch"
local diag = require "moontile.diag"
local page = require "moontile.help.text"
local says = require "moontile.puzzles.course.says"
local screen = require "moontile.screen"
local show = require "moontile.puzzles.course.show"
local texts = require "moontile.puzzles.judge.texts"
local view = require "moontile.puzzles.course.view"
local term = require "moontile.term"

local M = {}

local say, pick, paint = says.say, says.pick, show.paint

local Settle = 0.03  -- seconds without a further save before a file is judged
local Patience = 20  -- waits for a file that is empty, or not there: an editor is writing it
local Poll = 1       -- seconds between two looks at the text
local Late = 300     -- milliseconds before a check says that it runs

local Watch = {}
Watch.__index = Watch

-- The foot -------------------------------------------------------------------------------

local keys = {
  {"n", en = "next", zh = "下一道", when = "solved"},
  {"h", en = "hint", zh = "提示"}, {"l", en = "list", zh = "列表"},
  {"c", en = "check all", zh = "全部检查"}, {"r", en = "reset", zh = "重置"},
  {"s", en = "solution", zh = "解答"}, {"t", en = "text", zh = "题目"},
  {"q", en = "quit", zh = "退出"},
}

-- The keys in as many words as fit.
local function key_line(w, style)
  local forms, list = {{sep = "  "}, {sep = " "}, {sep = " ", bare = true}}, {}
  for _, k in ipairs(keys) do
    if not k.when or w[k.when](w) then
      list[#list + 1] = k
    end
  end
  for _, form in ipairs(forms) do
    local plain, painted = {}, {}
    for i, k in ipairs(list) do
      local word = form.bare and "" or " " .. pick(k)
      plain[i], painted[i] = k[1] .. word, paint(k[1], "bold", style) .. word
    end
    local line = table.concat(plain, form.sep) .. form.sep .. "?"
    if term.width(line) < style.width or form.bare then
      return table.concat(painted, form.sep) .. form.sep .. paint("?", "bold", style)
    end
  end
end

local function file_line(w, style)
  local p = w.p
  local text = say("File: %s", "文件：%s", show.link(w.F:path(p), style))
  if w.checks > 0 and w.ms then
    return text .. paint(say("   check %d, %.0f ms", "   第 %d 次检查，%.0f ms", w.checks, w.ms),
      "dim", style)
  end
  return text .. paint(say("   saving it checks it", "   保存即检查"), "dim", style)
end

local function footer(w, style)
  local list = {show.bar(w.F, style)}
  if style.height >= 12 then
    table.insert(list, 1, file_line(w, style))
  end
  if w.question then
    for _, line in ipairs(page.wrap(w.question.text, style.width - 1)) do
      list[#list + 1] = paint(line, "bold", style)
    end
  else
    list[#list + 1] = key_line(w, style)
  end
  return list
end

-- What is shown --------------------------------------------------------------------------

function Watch:title()
  return ("%s  (%s)"):format(show.title(self.p), show.level(self.p))
end

-- Above a statement, which begins with its own title.
function Watch:place()
  local at
  for i, p in ipairs(self.F.course.puzzles) do
    at = p == self.p and i or at
  end
  return say("Puzzle %d of %d: %s", "第 %d 道，共 %d 道：%s", at, #self.F.course.puzzles,
    show.level(self.p))
end

function Watch:show_text()
  local p, first = self.p, next(self.F.progress.state.read) == nil
  self.mode = "text"
  self.view:set(self:place(), function(style)
    local lines = first and show.add(batch.welcome(self.F, style), {""}) or {}
    return show.add(lines, show.statement(p, style))
  end)
  self:kept(self.F.progress:seen(p.name))
end

function Watch:show_verdict()
  local v, p = self.verdict, self.p
  self.mode = "verdict"
  self.view:set(self:title(), function(style)
    local lines = show.report(v, style)
    if v.ok then
      local after = show.after(p, style)
      show.add(lines, #after > 0 and {""} or {})
      show.add(lines, after)
    end
    return lines
  end)
end

-- Hints of the part that fails: those that were shown, the newest in sight.
function Watch:show_hints()
  local p, v = self.p, self.verdict
  local part = show.part_for(p, v)
  self.mode = "hints"
  self.view:set(self:title(), function(style)
    local lines, n = {}, self.F.progress:hints(p.name, part)
    if v and v.hint and not v.ok then
      lines[1] = paint(say("For what you have now", "针对目前的结果"), "head", style)
      show.add(lines, page.wrap(pick(v.hint), math.min(92, style.width - 1)))
      lines[#lines + 1] = ""
    end
    local before = #lines + #show.hints(p, part, n - 1, style)
    local hints, of = show.hints(p, part, n, style)
    show.add(lines, hints)
    lines[#lines + 1] = ""
    lines[#lines + 1] = paint(n < of and say("(h shows one more)", "（按 h 再看一条）") or
      say("(that was the last one; s shows the solution)", "（这是最后一条；按 s 查看解答）"), "dim", style)
    return lines, n > 1 and before + 1 or nil
  end)
end

function Watch:show_lines(title, make)
  self.mode = "lines"
  self.view:set(title, make)
end

local help = {
  {"n", en = "the next puzzle, once this one is solved", zh = "下一道谜题（本题完成之后）"},
  {"h", en = "a hint; one more each time", zh = "提示，每次多一条"},
  {"l", en = "the list of puzzles: go anywhere, reset, search", zh = "谜题列表：跳转、重置、搜索"},
  {"c", en = "checks every file that you have begun", zh = "检查所有已动手的文件"},
  {"r", en = "puts the starter back (asks; your text is kept as FILE.old)",
    zh = "恢复起始文件（会先询问；原文保存为 FILE.old）"},
  {"s", en = "the solution, once this is solved, or if you insist",
    zh = "参考解答（完成之后，或您坚持要看）"},
  {"t", en = "the text of the puzzle", zh = "题目"},
  {"v", en = "the last verdict again", zh = "再看最近的判定"},
  {"e", en = "opens the file: --edit-cmd CMD, otherwise $EDITOR",
    zh = "打开文件：--edit-cmd CMD，否则 $EDITOR"},
  {"Enter", en = "checks the file again", zh = "再检查一次文件"},
  {"q", en = "quits; everything is kept", zh = "退出，一切都会保留"},
  {"j k g G", en = "move in a long text; also arrows, Space, b", zh = "在长文本中移动；也可用方向键、空格、b"},
  {"Ctrl-C", en = "stops a check that takes too long", zh = "中止用时过长的检查"},
}

function Watch:show_help()
  self:show_lines(say("Keys", "按键"), function(style)
    local lines = {}
    for _, k in ipairs(help) do
      for i, line in ipairs(page.wrap(pick(k), math.max(12, style.width - 11))) do
        local name = i == 1 and paint(term.pad(k[1], 9), "bold", style) or (" "):rep(9)
        lines[#lines + 1] = name .. line
      end
    end
    return lines
  end)
end

-- Judging --------------------------------------------------------------------------------

-- Says what could not be written.
function Watch:kept(ok, why)
  if not ok then
    self.view:say(say("the progress is not saved: %s", "进度未保存：%s", why))
  end
end

local stages = {
  evaluate = {en = "reading the file", zh = "读取文件"},
  visible = {en = "the sizes shown", zh = "题目中的大小"},
  hidden = {en = "hidden sizes", zh = "隐藏的大小"},
  score = {en = "score", zh = "评分"},
}

-- The line at the foot while a check runs.
local function checking(file, event)
  local _, rows = screen.size()
  local what = event and stages[event.stage] and pick(stages[event.stage]) or ""
  local several = event and event.of and event.of > 1
  local count = several and (" %d/%d"):format(event.done, event.of) or ""
  return ("\27[%d;1H\27[K%s"):format(rows, say("checking %s ... %s%s  (Ctrl-C stops it)",
    "正在检查 %s……%s%s （Ctrl-C 中止）", file, what, count))
end

-- Takes p out of those whose turn is still to come.
function Watch:drop(p)
  for i, other in ipairs(self.others) do
    if other == p then
      table.remove(self.others, i)
      return
    end
  end
end

-- A puzzle whose file was saved beside the current one: the last that was saved comes last.
function Watch:queue(p)
  self:drop(p)
  table.insert(self.others, p)
end

-- Was the current puzzle's file saved since the last look, and no other before it?  All else
-- that was saved is kept in self.others, in this order.
function Watch:touched()
  local own = false
  for _, file in ipairs(self.notify and self.notify:changed() or {}) do
    local p = self.files[file]
    if p == self.p and #self.others == 0 then
      own = true
    elseif p == self.p then
      own, self.due = false, nil -- it has its turn behind those, which were saved before it
      self:queue(p)
    elseif p then
      self:queue(p)
    end
  end
  return own
end

-- The verdict about p's text; nil when it was stopped, by Ctrl-C or by another save, or nil
-- and the error.
function Watch:judge(p)
  local said, file = nil, self.F:file(p)
  local function progress(event)
    local line = checking(file, event)
    if p == self.p and self:touched() then
      self.newer = true -- what is judged is not what stands there any more
      diag.fail "stopped"
    elseif screen.late() and line ~= said then
      said = line
      io.stdout:write(line)
      io.stdout:flush()
    end
  end
  local ok, v, stopped = screen.run(function()
    local job = self.F:solution(p)
    job.target, job.hidden, job.report = self.o.target, true, progress
    return require("moontile.puzzles.judge").judge(p, job)
  end, Late, checking(file))
  if ok then
    if v.ok then
      local was = self.F:next()
      self:kept(self.F.progress:done(p.name, v.stars, v.stars_of))
      if was and not self.F:next() then
        self.view:say(say("That was the last one; press n.", "全部完成；请按 n。"))
      end
    end
    return v
  elseif self.newer then
    self.newer, self.due, self.waits = nil, term.clock() + Settle, 0
    return nil
  elseif stopped then
    self.view:say(say("the check was stopped; Enter starts it again", "检查已中止；按 Enter 重新开始"))
    return nil
  end
  return nil, v
end

-- What stands in p's file, or what kind of thing that cannot be read stands there; nil: nothing.
function Watch:there(p)
  local text, why = self.F:text(p)
  return text or why and why.en
end

-- Judges the current file as it is now.
function Watch:check()
  local p, there = self.p, self:there(self.p)
  self.due, self.text = nil, there
  if not there then
    return self:missing()
  end
  local from = term.clock()
  self.view.message = nil -- it was about what stood there before
  local v, err = self:judge(p)
  self.ms, self.checks = (term.clock() - from) * 1000, self.checks + 1
  if v then
    self.verdict = v
    self:show_verdict()
  elseif err then
    self:show_lines(say("The judge itself failed; this is not your fault", "判题程序自身出错，不是您的问题"),
      function() return show.lines_of(tostring(err)) end)
  end
end

function Watch:missing()
  self.verdict = nil
  self:show_lines(self:title(), function(style)
    return page.wrap(say("There is no file %s. r makes a new one from the starter.",
      "没有文件 %s。按 r 可用起始文件重新创建。", self.F:path(self.p)), style.width - 1)
  end)
end

function Watch:check_all()
  local done, running, stopped = {}, nil, false
  self:show_lines(say("All that you have begun", "所有已动手的谜题"), function(style)
    local lines = {}
    local note
    for i, r in ipairs(done) do
      lines[i] = batch.result_line(r.p, r.v, style)
      note = note or r.v.note
    end
    lines[#lines + 1] = note and show.paint(says.pick(note), "dim", style)
    lines[#lines + 1] = running and say("%02d %s ...", "%02d %s……", running.number, running.name)
    return lines, math.max(1, #lines - (self.view.room or 1) + 1)
  end)
  for _, p in ipairs(self.F.course.puzzles) do
    if self.F:begun(p) and not stopped then
      running, self.view.width = p, nil
      self.view:paint()
      local v, err = self:judge(p)
      stopped = not v and not err
      if err then
        v = {ok = false, sentence = {en = tostring(err), zh = tostring(err)}}
      end
      done[#done + 1] = v and {p = p, v = v}
      if v and p == self.p then
        self.verdict = v
      end
    end
  end
  running, self.view.width = nil, nil
  if #done == 0 and not stopped then
    self.view:say(say("no file has been changed yet", "还没有改动过的文件"))
  end
end

-- Puzzles --------------------------------------------------------------------------------

-- Is the current puzzle done?
function Watch:solved()
  return self.F:is_done(self.p)
end

-- Watches the files of all puzzles, the current one's first: an overflow counts as its save.  What
-- was watched before is let go only when this watches: a save between them would be lost.
-- Was the current one's file saved meanwhile?
function Watch:follow()
  local paths, files, before = {self.F:path(self.p)}, {self.p}, self.notify
  for _, p in ipairs(self.F.course.puzzles) do
    if p ~= self.p then
      paths[#paths + 1], files[#paths + 1] = self.F:path(p), p
    end
  end
  local notify = term.notify(table.unpack(paths)) or nil
  local own = self:touched()
  if before then
    before:close()
  end
  self.notify, self.files = notify, files
  return own
end

function Watch:edit()
  local path = self.F:path(self.p)
  local command = self.o.edit_cmd and self.o.edit_cmd .. ' "$1"' or
    require("moontile.term.editors").command(path)
  if not command then
    return self.view:say(say("there is no editor: set $EDITOR, or give --edit-cmd",
      "找不到编辑器：请设置 $EDITOR，或给出 --edit-cmd"))
  end
  local status = view.aside(function() return term.shell(command, path) end)
  if status ~= 0 then
    self.view:say(say("%s: exit status %d", "%s：退出状态 %d", self.o.edit_cmd or command, status))
  end
end

function Watch:go(p)
  self.p, self.verdict, self.checks, self.ms, self.due = p, nil, 0, nil, nil
  self.text = self:there(p)
  self:kept(self.F.progress:go(p.name))
  if self:follow() then
    self.due, self.waits = term.clock() + Settle, 0
  end
  if self.text and (self.F.progress.state.read[p.name] and self.F:begun(p) or not self.F:text(p)) then
    self:check()
  elseif self.text then
    self:show_text()
  else
    self:missing()
  end
  if self.o.edit_cmd then
    self:edit()
  end
end

-- p's file was saved: it is judged, whichever was the current one.
function Watch:turn_to(p)
  self.p, self.verdict, self.checks, self.ms = p, nil, 0, nil
  self:kept(self.F.progress:go(p.name))
  self:follow()
  self.due, self.waits = term.clock() + Settle, 0
end

function Watch:next()
  local p = self.F:next(self.p)
  if p then
    return self:go(p)
  end
  self:show_lines("", function(style) return batch.final(self.F, style) end)
end

-- Questions ------------------------------------------------------------------------------

function Watch:ask(text, yes)
  self.question = {text = text, yes = yes}
end

function Watch:reset(p, after)
  local file = self.F:file(p)
  self:ask(say("Put the starter of %s back? Your text is kept as %s.old.  y/N",
    "恢复 %s 的起始文件？您的文本会保存为 %s.old。y/N", file, file), function()
    local ok, old, at = self.F:reset(p)
    self:touched()
    self:drop(p) -- that was us
    self.texts[p] = nil
    if not ok then
      self.view:say(("%s: %s"):format(at, old))
    elseif p == self.p then
      self.text, self.verdict = self:there(p), nil
      self:show_text()
      self.view:say(old and say("your text is now in %s", "原文保存为 %s", old) or "")
    end
    if after then
      after()
    end
  end)
end

function Watch:solution()
  local p, text = self.p, show.solution(self.p)
  local function display()
    if not text then
      return self.view:say(say("%s has no solution", "%s 没有参考解答", p.folder))
    end
    self:show_lines(say("Solution: %s", "参考解答：%s", show.title(p)), function(style)
      return show.program(p, text, style)
    end)
  end
  if self:solved() or self.F.progress.state.solution[p.name] then
    return display()
  end
  self:ask(say("Not solved yet. Show the solution anyway? It will be recorded.  y/N",
    "尚未完成，仍要显示解答吗？会记录下来。y/N"), function()
    self:kept(self.F.progress:looked(p.name))
    display()
  end)
end

function Watch:hint()
  local p, part = self.p, show.part_for(self.p, self.verdict)
  local of, n = #texts.hints_of(p, part, says.zh()), self.F.progress:hints(p.name, part)
  if of == 0 then
    return self.view:say(say("there are no hints for %s", "没有针对 %s 的提示", part))
  end
  if n == 0 or self.mode == "hints" and n < of then
    self:kept(self.F.progress:hinted(p.name, part, n + 1))
  end
  self:show_hints()
end

-- Keys -----------------------------------------------------------------------------------

local actions = {
  h = Watch.hint, c = Watch.check_all, s = Watch.solution, t = Watch.show_text, e = Watch.edit,
  ["?"] = Watch.show_help, ["\r"] = Watch.check, ["\n"] = Watch.check,
  q = function(w) w.quit = true end,
  r = function(w) w:reset(w.p) end,
  v = function(w)
    if w.verdict then
      w:show_verdict()
    else
      w.view:say(say("nothing has been checked yet", "还没有检查过"))
    end
  end,
  n = function(w)
    if w:solved() then
      w:next()
    else
      w.view:say(say("n works once this puzzle is solved; l goes to any other",
        "完成本题后才能用 n；按 l 可转到任意一道"))
    end
  end,
  l = function(w)
    local p = require("moontile.puzzles.course.list").run(w)
    if p then
      w:go(p)
    end
  end,
}

function Watch:key(key)
  self.view.message = nil
  if key == "\27[200~" or key == "\27[201~" then
    self.pasting = key == "\27[200~" -- what is pasted here was meant for the editor
  elseif self.pasting then
    return
  elseif self.question then
    local q = self.question
    self.question = nil
    if key == "y" or key == "Y" then
      q.yes()
    end
  elseif actions[key] then
    actions[key](self)
  elseif not self.view:scroll(key) and #key == 1 and key > " " then
    self.view:say(say("no key '%s'; ? explains the keys", "没有按键“%s”；? 说明各个按键", key))
  end
end

-- The loop -------------------------------------------------------------------------------

-- Without inotify: other puzzles whose text is not what it was at the last look.
function Watch:look_around()
  for _, p in ipairs(not self.notify and self.F.course.puzzles or {}) do
    local text = self.F:text(p)
    if self.texts[p] and text and text ~= self.texts[p] and p ~= self.p then
      self:queue(p)
    end
    self.texts[p] = text
  end
end

-- Was a file saved, and is the save over?  Then it is judged, and one after the other those
-- that were saved together.
function Watch:saved()
  local now = term.clock()
  if not self.due then
    self:look_around()
  end
  if self:touched() then
    self.due, self.waits = now + Settle, 0
  elseif not self.due and #self.others > 0 then
    self:turn_to(table.remove(self.others, 1))
  elseif self.due and now >= self.due then
    local text = self.F:text(self.p)
    self.waits = self.waits + 1
    if (not text or text == "") and self.waits < Patience then
      self.due = now + Settle
    else
      self:check()
      return true
    end
  elseif not self.due and self:there(self.p) ~= self.text then
    self.due, self.waits = now + Settle, 0
  end
  return false
end

-- Ctrl-C while nothing runs: twice, it leaves.
function Watch:stop()
  self.quit = self.stopping
  self.stopping = true
  self.question = nil
  self.view:say(say("q quits", "按 q 退出"))
end

function Watch:loop()
  local dirty = true
  while not self.quit do
    if dirty then
      self.view:paint()
    end
    local left = self.due and math.max(0, self.due - term.clock()) or #self.others > 0 and 0 or Poll
    local what, key = screen.wait(left, self.notify and self.notify:fd() or nil)
    dirty = true
    if what == "key" then
      self.stopping = false
      self:key(key)
    elseif what == "stop" then
      self:stop()
    elseif what == "end" then
      self.quit = true
    elseif what == "again" then
      view.open()
    elseif what ~= "resize" then
      dirty = self:saved()
    end
  end
end

-- Opens the watch mode on F; the exit status.
function M.run(F, o)
  local w = setmetatable({F = F, o = o, checks = 0, waits = 0, texts = {}, others = {}}, Watch)
  w.view = view.new(function(style) return footer(w, style) end)
  view.open()
  local ok, err = xpcall(function()
    w:go(F:current())
    w:loop()
  end, diag.handler)
  view.close()
  if not ok then
    error(err, 0)
  end
  local s = term.terminal()
  io.stdout:write(show.bar(F, s), "\n", say("`moontile puzzles` continues here.",
    "`moontile puzzles` 可继续。"), "\n")
  return batch.Right
end

return M
