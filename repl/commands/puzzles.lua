-- commands/puzzles.lua: the puzzles inside the prompt, and :check.

local session = require "moontile.prompt"

return function(M)
local say = M.say

local function course() return require "moontile.repl.puzzles" end
local function show() return require "moontile.puzzles.course.show" end
local function style() return require("moontile.term").terminal() end

local function put(lines)
  io.stdout:write(table.concat(lines, "\n"), "\n")
end

-- What could not be written to the progress.
local function kept(ok, why)
  if not ok then
    print(say("the progress is not saved: %s", "进度未保存：%s", why))
  end
end

-- The puzzle of the word, else the open one; nil and why there is none.
local function find(word)
  local F, why = course().folder()
  if not F then
    return nil, why
  elseif word ~= "" then
    local ok, p = pcall(F.find, F, word)
    if not ok then
      return nil, tostring(p)
    end
    return p, F
  end
  local p = course().puzzle()
  if not p then
    return nil, say("no puzzle is open; :puzzle opens one, :puzzles lists them",
      "还没有打开谜题；:puzzle 打开一道，:puzzles 列出全部")
  end
  return p, F
end

-- Names for completion.
local function names()
  local F, list = course().folder(), {}
  for i, p in ipairs(F and F.course.puzzles or {}) do
    list[i] = {text = p.name, note = p.title[M.lang()]}
  end
  return list
end

-- The list ----------------------------------------------------------------------------------

-- The packs that are here, and our own course, for completion.
local function packs()
  local list = {{text = "moontile"}}
  for _, it in ipairs(require("moontile.puzzles.course.pack_store").list()) do
    list[#list + 1] = {text = it.name, note = it.lock["title." .. M.lang()]}
  end
  return list
end

M.add {
  name = "puzzles",
  args = "[PACK]",
  summary = { en = "the puzzles, your progress and stars", zh = "谜题列表、完成情况与星数" },
  text = {
    en = "`:puzzle 5` or `:puzzle row-sum` opens one.  `:puzzles PACK` goes to the puzzles of a\n"
      .. "pack that `moontile puzzles get URL` has fetched, `:puzzles moontile` goes back.\n"
      .. "`moontile puzzles init DIR` makes a folder of files instead, for your own editor.",
    zh = "`:puzzle 5` 或 `:puzzle row-sum` 打开一道。`:puzzles 包名` 转到由 `moontile puzzles get URL`\n"
      .. "获取的谜题包，`:puzzles moontile` 返回。`moontile puzzles init 目录` 则创建文件夹，"
      .. "用您自己的编辑器来做。",
  },
  example = ":puzzles",
  complete = packs,
  run = function(args)
    local F, why
    if args ~= "" then
      local ok
      ok, F, why = pcall(course().use, args)
      F, why = ok and F, not ok and tostring(F) or why
    else
      F, why = course().folder()
    end
    if not F then
      return why
    end
    put(show().list(F, course().puzzle(), style()))
    local line = show().packs(F)[1]
    if line then
      print(line)
    end
  end,
}

-- One puzzle ----------------------------------------------------------------------------------

-- What to do now that the statement stands there.
local function how(s, p)
  local lines = {}
  if p.foreign then
    lines[1] = say("Type the kernel. :puzzle edit opens the starter of this pack in your editor:\n" ..
      "read it before you run it here, where it is a program like any other.",
      "请输入内核。:puzzle edit 在编辑器中打开此包的起始代码：它在这里与任何程序一样运行，\n请先读一遍。")
  elseif s.colour > 0 then
    lines[1] = say("Take the grey starter with the right arrow and change it: Enter runs it, Alt-Enter\n" ..
      "makes a new line. Or :puzzle edit, for your editor; or type the kernel.",
      "按右方向键采用灰色的起始代码再修改：Enter 运行，Alt-Enter 换行；也可以用\n" ..
      ":puzzle edit 在编辑器中修改，或直接输入内核。")
  else
    lines[1] = say("Type the kernel; :puzzle edit opens the starter in your editor.",
      "请输入内核；:puzzle edit 在编辑器中打开起始代码。")
  end
  lines[2] = say(":check judges it, :hint helps, :text shows this again.",
    ":check 判定，:hint 给出提示，:text 再次显示题目。")
  return lines
end

-- The first puzzle that is not done; without a word, the open one or that.
local function chosen(word)
  if word ~= "" then
    return find(word)
  end
  local F, why = course().folder()
  if not F then
    return nil, why
  end
  local p = course().puzzle()
  if p and F:is_done(p) then
    p = F:next(p) or p
  end
  return p or F:current(), F
end

local function open(word)
  local p, why = chosen(word)
  if not p then
    return why
  end
  local s = style()
  kept(course().open(p))
  put(show().statement(p, s))
  print()
  put(how(s, p))
end

-- What was typed of the puzzle, else its starter, in the editor: the next input.
local function edit()
  local p, why = find ""
  if not p then
    return why
  end
  local texts = course().texts(p)
  local last = texts and texts[#texts]
  local n = last and tonumber(last.chunk:match "^=in:(%d+)$")
  local entry = n and require("moontile.repl.journal").input(n)
  return M.edit_text(entry and entry.text or p.shown "starter.lua" or "", p.name)
end

M.add {
  name = "puzzle",
  args = "[N|NAME|edit]",
  summary = { en = "opens a puzzle: its text, and its starter for you to change",
    zh = "打开一道谜题：题目与待修改的起始代码" },
  text = {
    en = [[Without an argument: the one that is open, or the next.  The starter is shown in grey
at the prompt: the right arrow accepts it.  `:puzzle edit` opens the editor with what you have, or
with the starter.  Your kernel may be typed in one input or in several.]],
    zh = [[不带参数：当前打开的，或下一道。起始代码以灰色显示在提示符处，按右方向键采用。
`:puzzle edit` 在编辑器中打开您已有的代码，或起始代码。内核可以分成几次输入。]],
  },
  example = ":puzzle 5",
  complete = function()
    local list = names()
    list[#list + 1] = "edit"
    return list
  end,
  run = function(args)
    if args == "edit" then
      return edit()
    end
    return open(args)
  end,
}

M.add {
  name = "text",
  args = "[N|NAME]",
  summary = { en = "the text of the open puzzle", zh = "当前谜题的题目" },
  text = { en = "With a name: the text of that puzzle.", zh = "给出名称则显示另一道的题目。" },
  example = ":text row-sum",
  complete = names,
  run = function(args)
    local p, why = find(args)
    if not p then
      return why
    end
    put(show().statement(p, style()))
  end,
}

-- Help with it ------------------------------------------------------------------------------

local verdict -- the last one of the open puzzle

M.add {
  name = "hint",
  args = "",
  summary = { en = "a hint for the open puzzle; one more each time",
    zh = "当前谜题的提示，每次多一条" },
  text = {
    en = "They go from the idea to almost the finished line, for the kernel that failed last.",
    zh = "从思路到几乎整行代码。提示针对最近未通过的内核。",
  },
  example = ":puzzle 1\n:hint",
  run = function()
    local p, F = find ""
    if not p then
      return F
    end
    local v = verdict and verdict.puzzle == p.name and verdict or nil
    local part = show().part_for(p, v)
    local n = F.progress:hints(p.name, part) + 1
    local lines, of = show().hints(p, part, n, style())
    if of == 0 then
      return say("there are no hints for %s", "没有针对 %s 的提示", part)
    end
    kept(F.progress:hinted(p.name, part, math.min(n, of)))
    put(lines)
    print()
    print(n < of and say("(:hint shows one more)", "（:hint 再看一条）") or
      say("(that was the last one; :solution shows the solution)",
        "（这是最后一条；:solution 显示参考解答）"))
  end,
}

M.add {
  name = "solution",
  args = "",
  bang = true,
  summary = { en = "the solution to the open puzzle, once it is solved",
    zh = "当前谜题的参考解答（完成之后）" },
  text = { en = "`:solution!` shows it before that, and records that.",
    zh = "`:solution!` 在完成之前也显示，并记录下来。" },
  example = ":puzzle 1\n:solution!",
  run = function(_, bang)
    local p, F = find ""
    if not p then
      return F
    elseif not F:is_done(p) and not bang and not F.progress.state.solution[p.name] then
      return say("%s is not solved yet; :solution! shows it anyway",
        "%s 尚未完成；:solution! 仍可显示", p.name)
    end
    if not F:is_done(p) then
      kept(F.progress:looked(p.name))
    end
    put(show().program(p, show().solution(p) or "", style()))
  end,
}

-- Judging -------------------------------------------------------------------------------------

local function passed(F, p, v, s)
  local first = not F:is_done(p)
  kept(F.progress:done(p.name, v.stars, v.stars_of))
  session.suggestion = nil
  local after = first and show().after(p, s) or {}
  if #after > 0 then
    print()
    put(after)
  end
  local q = F:next(p)
  print()
  print(q and say("Next: :puzzle %d  (%s)", "下一道：:puzzle %d （%s）", q.number, q.title[M.lang()]) or
    say("All puzzles are done.", "全部谜题均已完成。"))
end

-- What was typed is right; some kernels were not.
local function not_typed(v, missing, s)
  local right, open_parts = {}, {}
  for _, part in ipairs(v.parts) do
    right[#right + 1] = part.ok and not missing[part.name] and part.name or nil
    open_parts[#open_parts + 1] = missing[part.name] and part.name or nil
  end
  local sign = say(", ", "、")
  print(show().paint(say("Right so far: %s.", "目前正确：%s。", table.concat(right, sign)), "green", s))
  print(say("Still to be written: %s.", "还要编写：%s。", table.concat(open_parts, sign)))
end

local function check_puzzle()
  local p, F = find ""
  if not p then
    return F
  end
  local v, missing = course().judge(p)
  local s = style()
  if not v then
    print(missing)
    put(how(s, p))
    return
  end
  verdict = v
  if not v.ok and missing[v.part] then
    return not_typed(v, missing, s)
  end
  put(show().report(v, s))
  if v.ok then
    passed(F, p, v, s)
  else
    print()
    print(say("Up brings your input back, :puzzle edit opens it in your editor; :hint gives a hint.",
      "按上方向键取回您的输入，:puzzle edit 在编辑器中打开它；:hint 给出提示。"))
  end
end

M.add {
  name = "check",
  args = "[KERNEL]",
  summary = { en = "judges the open puzzle; with KERNEL: tries odd sizes in the simulator",
    zh = "判定当前谜题；给出 KERNEL 时在模拟器中试各种大小" },
  text = {
    en = "Without an argument: the kernels that you have typed for the open puzzle (`:puzzle`).\n"
      .. "With a KERNEL, or where no puzzle is open: k:check() of it, or of the last kernel.",
    zh = "不带参数：判定您为当前谜题（`:puzzle`）输入的内核。\n"
      .. "给出 KERNEL，或没有打开谜题时：对它或上一个内核执行 k:check()。",
  },
  run = function(args)
    if args == "" and package.loaded["moontile.repl.puzzles"] and course().puzzle() then
      return check_puzzle()
    end
    local kernels = require "moontile.repl.kernels"
    local k, why = kernels.find(args)
    if not k then
      return why
    end
    k:check() -- which prints
  end,
}
end
