-- commands/kernels.lua: versions of kernels; files: editing, loading, watching, saving.

local diag = require "moontile.diag"
local disk = require "moontile.files"
local journal = require "moontile.repl.journal"
local session = require "moontile.prompt"
local term = require "moontile.term"

return function(M)
local say = M.say

local function files() return require "moontile.repl.files" end
local function versions() return require "moontile.repl.versions" end
local function style() return require("moontile.term").terminal() end

-- Versions --------------------------------------------------------------------------------

-- "k@2" -> "k", 2; "k" -> "k"
local function split(word)
  local name, n = word:match "^([%a_][%w_]*)@(%d+)$"
  return name or word, n and math.tointeger(tonumber(n))
end

-- Names with versions, and those versions, for completion.
local function complete_versions()
  local list = {}
  for _, name in ipairs(versions().names()) do
    list[#list + 1] = name
    for _, v in ipairs(versions().of(name)) do
      list[#list + 1] = { text = ("%s@%d"):format(name, v.n), note = v.where }
    end
  end
  return list
end

local function count_lines(text)
  return select(2, text:gsub("\n", "")) + 1
end

-- How many kernels a version was compiled into, and the time of the last one timed.
local function compiled(v)
  local n, ms = 0, rawget(v.value, "ms_last")
  for _, k in pairs(rawget(v.value, "kernels") or {}) do
    n = n + 1
    ms = rawget(k, "ms_last") or ms
  end
  if v.kind == "kernel" then
    n = 1
  end
  local parts = {}
  if n > 0 and v.kind ~= "kernel" then
    parts[1] = say(n == 1 and "%d kernel" or "%d kernels", "%d 个内核", n)
  end
  if ms then
    parts[#parts + 1] = ("%.3g ms"):format(ms)
  end
  return table.concat(parts, ", ")
end

-- What a version changed, against the one before.
local function change(old, v)
  if not old then
    return ""
  end
  local diff = require "moontile.repl.diff"
  local line, text, gone = diff.first(versions().plain(old.text), versions().plain(v.text))
  if line then
    return say(gone and "line %d is gone: %s" or "line %d: %s",
      gone and "第 %d 行已删：%s" or "第 %d 行：%s", line, text:match "^%s*(.-)%s*$")
  elseif old.consts ~= v.consts then
    return say("with %s", "其中 %s", v.consts)
  elseif old.program ~= v.program then
    return say("same text, other sizes", "文本相同，尺寸不同")
  end
  return ""
end

local function list_versions(name, list)
  local rows = {}
  for i, v in ipairs(list) do
    rows[i] = { (i == list.current and "* " or "  ") .. name .. "@" .. i, v.where,
      os.date("%H:%M:%S", v.time),
      say(count_lines(v.text) == 1 and "%d line" or "%d lines", "%d 行", count_lines(v.text)),
      compiled(v), change(list[i - 1], v) }
  end
  print(require("moontile.term.columns").table(rows, { indent = 0, width = style().width - 1 }))
end

M.add {
  name = "versions",
  args = "[KERNEL]",
  summary = { en = "earlier versions of a kernel", zh = "内核以前的版本" },
  text = {
    en = [[When a variable is assigned a kernel with a different text, it gets a new version.
Listed are where and when it was made, its size, its kernels and their last time, and the first
line that changed; * is the current one.  k@1 names a version wherever a command takes a kernel.
Functions that use the name use the new kernel, even those that kept it in a local of their own.]],
    zh = [[变量得到文本不同的内核时即有新版本：列出产生的位置与时间、行数、已编译的内核及最近用时，
以及第一处改动；* 为当前版本。凡命令需要内核之处，都可用 k@1 指定版本。
通过名称使用内核的函数会使用新内核，包括把它保存在自己局部变量中的函数。]],
  },
  example = ":versions",
  complete = function() return versions().names() end,
  run = function(args)
    local name = split(args)
    if name ~= "" then
      local list = versions().of(name)
      if not list then
        return versions().none(name)
      end
      return list_versions(name, list)
    end
    local names = versions().names()
    if #names == 0 then
      return say("no variable holds a kernel yet; :load quickstart makes some",
        "还没有变量保存内核；:load quickstart 会创建一些")
    end
    for _, each in ipairs(names) do
      list_versions(each, versions().of(each))
    end
  end,
}

-- Two versions of what the words say: "k": the last two, or the one it is and the one
-- before; "k@1": that one and the one it is; "k@1 k@2".
local function two(words)
  local name, n = split(words[1])
  local list = versions().of(name)
  if not list then
    return nil, versions().none(name)
  end
  local other, m = name, list.current
  if words[2] then
    other, m = split(words[2])
    m = m or (versions().of(other) or {}).current
    if not versions().of(other) then
      return nil, versions().none(other)
    end
  end
  if not n then
    n = words[2] and list.current or math.max(1, list.current - 1)
    if #list == 1 and not words[2] then
      return nil, say("%s has only one version", "%s 只有一个版本", name)
    elseif n == m and not words[2] then
      m = #list
    end
  end
  local a, why = versions().get(name, n)
  if not a then
    return nil, why
  end
  local b, why_b = versions().get(other, m)
  if not b then
    return nil, why_b
  end
  return a, b, ("%s@%d"):format(name, n), ("%s@%d"):format(other, m)
end

M.add {
  name = "diff",
  args = "KERNEL[@N] [KERNEL@N]",
  summary = { en = "how two versions of a kernel differ", zh = "比较内核的两个版本" },
  text = {
    en = "`:diff k` compares the last two, `:diff k@1` that one with the current k, "
      .. "`:diff k@1 k@2` any two.\nWhere the text is the same, the tile programs are compared, "
      .. "or the constants from around it.",
    zh = "`:diff k` 比较最近两个版本，`:diff k@1` 与当前版本比较，`:diff k@1 k@2` 比较任意两个。\n"
      .. "文本相同时比较分块程序，或外层的常量。",
  },
  complete = complete_versions,
  run = function(args)
    local words = M.words(args)
    if #words == 0 or #words > 2 then
      return say(":diff needs a KERNEL, or two versions: k@1 k@2",
        ":diff 需要一个内核，或两个版本：k@1 k@2")
    end
    local a, b, name_a, name_b = two(words)
    if not a then
      return b
    end
    local old, new = versions().plain(a.text), versions().plain(b.text)
    if old == new and a.program ~= b.program then
      old, new = a.program or "", b.program or ""
    elseif old == new then
      old, new = a.consts:gsub(", ", "\n"), b.consts:gsub(", ", "\n")
    end
    local text = require("moontile.repl.diff").text(old .. "\n", new .. "\n", {
      old = ("%s  %s"):format(name_a, a.where), new = ("%s  %s"):format(name_b, b.where),
      colour = style().colour })
    if text == "" then
      text = say("%s and %s are the same", "%s 与 %s 相同", name_a, name_b) .. "\n"
    end
    io.stdout:write(text)
  end,
}

M.add {
  name = "revert",
  args = "KERNEL@N",
  summary = { en = "makes a version of a kernel the current one", zh = "恢复内核的某个版本" },
  text = { en = "`:revert k@1`: the variable k is again what it was in its first version.",
    zh = "`:revert k@1`：变量 k 恢复为它的第一个版本。" },
  complete = complete_versions,
  run = function(args)
    local name, n = split(args)
    if not n then
      return say(":revert needs a version, as in k@1; :versions lists them",
        ":revert 需要版本，如 k@1；:versions 列出所有版本")
    end
    local v, why = versions().revert(name, n)
    if not v then
      return why
    end
    journal.revert(name, n)
    print(say("%s is %s@%d again, of %s", "%s 恢复为 %s@%d（%s）", name, name, n, v.where))
  end,
}

-- Editing -------------------------------------------------------------------------------------

-- Opens a file in the editor; nil, or why that did not work.
local function open_editor(path, line)
  local command = require("moontile.term.editors").command(path, line)
  if not command then
    return say("there is no editor: set $EDITOR, or :set editor NAME",
      "找不到编辑器：请设置 $EDITOR，或使用 :set editor 名称")
  end
  local status = term.shell(command)
  if status ~= 0 then
    return say("%s: exit status %d", "%s：退出状态 %d", command, status)
  end
end

-- Opens a text of the prompt in the editor; what comes back is the next input.
local function edit_text(text, name, line)
  local ext = session.language(text) == "python" and ".py" or ".lua"
  local path, why = term.tempfile(name .. ext)
  if not path then
    return why
  end
  local ok
  ok, why = disk.write(path, text:sub(-1) == "\n" and text or text .. "\n")
  if not ok then
    return path .. ": " .. why
  end
  why = open_editor(path, line)
  local new = disk.read(path)
  os.remove(path)
  if why then
    return why
  end
  new = new and new:gsub("%s+$", "") or ""
  if new == text:gsub("%s+$", "") or new == "" then
    print(say("not changed", "未更改"))
    return
  end
  session.enter(new)
end

M.edit_text = edit_text

-- Opens a file; runs it again when it was changed.
local function edit_file(path, line)
  local before = disk.read(path)
  local why = open_editor(path, line)
  if why then
    return why
  end
  local after = disk.read(path)
  if after == nil or after == before then
    print(say("not changed", "未更改"))
    return
  end
  local ok, err, changes = files().run(path)
  if not ok then
    error(err, 0)
  end
  files().report(path, changes)
end

-- What defines a variable, to be edited: the statement when it gives the variable its
-- value, else the whole input.
local function edit_value(name, v, version)
  local src = versions().source(v)
  local text = version and version.text or src and src.text
  if not text then
    return say("%s has no source to edit", "%s 没有可编辑的文本", name)
  end
  local path = src and src.chunk:match "^@(.*)"
  if path and not version and disk.read(path) then
    return edit_file(path, src.line)
  end
  local sets = src and versions().is_python(src.chunk, text) and text:find("def%s+" .. name .. "%s*%(") ~= nil
  for _, s in ipairs(require("moontile.repl.tokens").statements(text)) do
    for _, n in ipairs(s.locals or s.sets or {}) do
      sets = sets or n == name
    end
  end
  local input = not sets and src and journal.input(tonumber(src.chunk:match "^=in:(%d+)$"))
  return edit_text(input and input.text or text, name, 1)
end

-- The place of the last error, else the last input.
local function edit_last()
  local e, last = session.error, journal.last "input"
  if diag.isdiag(e) and e.file then
    local path, number = e.file:match "^@(.*)", tonumber(e.file:match "^=in:(%d+)$")
    local input = number and journal.input(number)
    if path and disk.read(path) then
      return edit_file(path, e.line)
    elseif input then
      return edit_text(input.text, "in" .. number, e.line)
    end
  end
  if not last then
    return say("there is no input yet", "还没有输入")
  end
  return edit_text(last.text, "in" .. last.number, 1)
end

M.add {
  name = "edit",
  args = "[KERNEL|FILE]",
  summary = { en = "opens an editor: at a kernel, a file or the last input",
    zh = "打开编辑器：内核所在行、文件或上一次输入" },
  text = {
    en = [[The editor is :set editor, $VISUAL or $EDITOR.  A kernel that was typed is put into a
file of its own, and what you save there is the next input; for a kernel from a file, that
file opens and runs again when you have changed it.  Without an argument: the place of the last
error, or the last input.]],
    zh = [[编辑器取自 :set editor、$VISUAL 或 $EDITOR。输入的内核放入临时文件，保存后的文本作为下一次
输入运行；来自文件的内核打开该文件，更改后重新运行。不带参数：上一个错误的位置，或上一次输入。]],
  },
  run = function(args)
    if args == "" then
      return edit_last()
    end
    local name, n = split(args)
    if n then
      local v, why = versions().get(name, n)
      if not v then
        return why
      end
      return edit_value(name, v.value, n ~= versions().of(name).current and v or nil)
    end
    local kernels = require "moontile.repl.kernels"
    local v = args:find "^[%a_][%w_.]*$" and kernels.value(args)
    if v ~= nil and v ~= false and versions().kind(v) then
      return edit_value(args, v)
    elseif type(v) == "function" and debug.getinfo(v, "S").what == "Lua" then
      return edit_value(args, { f = v })
    elseif args:find "[/.]" or disk.read(args) then
      return edit_file(args)
    elseif v ~= nil and v ~= false then
      return say("%s is neither a kernel nor a function", "%s 不是内核，也不是函数", args)
    end
    return kernels.unknown(args)
  end,
}

-- Files -----------------------------------------------------------------------------------------

M.add {
  name = "load",
  args = "FILE",
  summary = { en = "run a file here, keeping its locals", zh = "在此运行文件，并保留其局部变量" },
  text = {
    en = "FILE may also be the name of an example, as in `:load quickstart`.",
    zh = "FILE 也可以是示例的名字，例如 `:load quickstart`。",
  },
  run = function(args)
    if args == "" then
      return say(":load needs a FILE", ":load 需要 FILE")
    end
    return files().load(args)
  end,
}

M.add {
  name = "reload",
  args = "[FILE]",
  summary = { en = "run loaded files again that have changed", zh = "重新运行已更改的文件" },
  text = {
    en = "It says which kernels are new.  With FILE: that one, changed or not.",
    zh = "并说明哪些内核是新的。给出 FILE 时，无论是否更改都重新运行。",
  },
  run = function(args)
    local list, gone = files().stale()
    if args ~= "" then
      if not files().known(args) then
        return say("%s was not loaded; :load %s does that", "%s 尚未加载；请用 :load %s", args, args)
      end
      list, gone = { files().known(args) }, {}
    end
    for _, e in ipairs(gone) do
      print(say("%s is gone", "%s 已不存在", e.path))
    end
    if #files().list == 0 then
      return say("no file was loaded", "还没有加载文件")
    elseif #list == 0 then
      print(say("nothing has changed", "没有更改"))
    end
    for _, e in ipairs(list) do
      local ok, err, changes = files().run(e.path)
      if not ok then
        error(err, 0)
      end
      files().report(e.path, changes)
    end
  end,
}

M.add {
  name = "watch",
  args = "[FILE|off]",
  summary = { en = "run a file again whenever it is saved", zh = "文件每次保存后重新运行" },
  text = {
    en = "What it prints, or its error, appears above the line that you are typing.\n"
      .. "`:watch off` stops that for all files, `:watch off FILE` for one; `:watch` alone lists "
      .. "them.",
    zh = "输出或错误显示在正在输入的行的上方。\n"
      .. "`:watch off` 结束全部，`:watch off FILE` 结束一个；不带参数时列出文件。",
  },
  run = function(args)
    local watch = require "moontile.repl.watch"
    local off, path = args:match "^(off)%s*(.*)$"
    if off then
      local gone = watch.off(path ~= "" and path or nil)
      if #gone == 0 then
        return say("nothing is watched", "没有监视文件")
      end
      print(say("no longer watched: %s", "不再监视：%s", table.concat(gone, ", ")))
      return
    elseif args ~= "" then
      return watch.add(args)
    end
    local paths = watch.paths()
    if #paths == 0 then
      return say(":watch needs a FILE", ":watch 需要 FILE")
    end
    print((diag.visible(table.concat(paths, "\n"))))
  end,
}

M.add {
  name = "save",
  args = "FILE",
  bang = true,
  summary = { en = "the session as a script", zh = "把会话保存为脚本" },
  text = {
    en = "`moontile FILE` makes the same kernels and variables.  Inputs that failed are left "
      .. "out, commands become comments.  A FILE.py takes the inputs in Python, any other those in Lua; the rest "
      .. "become comments.\nAn existing file is kept; `:save! FILE` overwrites it.",
    zh = "运行 `moontile FILE` 会得到相同的内核与变量。失败的输入不保存，命令成为注释。"
      .. "FILE.py 保存 Python 输入，其他文件保存 Lua 输入，其余成为注释。\n"
      .. "已存在的文件不会被覆盖；`:save! FILE` 覆盖它。",
  },
  run = function(args, bang)
    if args == "" then
      return say(":save needs a FILE", ":save 需要 FILE")
    elseif not bang and require("moontile.keep").kind(args) == "file" then
      return say("%s already exists; :save! %s overwrites it", "%s 已存在；:save! %s 会覆盖它",
        args, args)
    end
    local script, python = require "moontile.repl.script", args:find "%.py$" ~= nil
    local text, why = (python and script.python or script.text)()
    if not text then
      return why
    end
    local ok, err = disk.write(args, text)
    if not ok then
      return args .. ": " .. err
    end
    print(say("%s: %d lines", "%s：%d 行", args, select(2, text:gsub("\n", ""))))
    local left = script.left(python)
    if left > 0 then
      print(say("%d inputs in %s became comments", "%d 个 %s 输入成为注释", left, python and "Lua" or "Python"))
    end
  end,
}
end
