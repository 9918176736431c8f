-- errors.lua: the long text of a message: :explain E133.
--
--     errors.explain(code [, err])   prints it; nil, or why not
--     errors.more(code)              is there more than the message itself?
--
-- A message is a title, a label and a help line with gaps, "...", for what it speaks
-- of; err, an error of that code, fills them.  Behind it stand lines that are wrong in
-- that way and right ones (wrong.lua).

local diag = require "moontile.diag"

local M = {}

local function say(...)
  return require("moontile.repl.commands").say(...)
end

-- {1} .. {6} of a text without arguments: "..."; "{1|dimension|dimensions}": the latter.
local function open(text)
  return (text:gsub("{%d|[^|}]*|([^}]*)}", "%1"):gsub("{%d}", "..."))
end

-- Codes whose message is another's words.
local lua = {
  en = [[an error from Lua, or from error() in your program

"attempt to index a nil value", "... call a nil value", "arithmetic on a nil value": the
name or field before it has no value; it is misspelled, was not set yet, or was a local of
a block that has ended.
"bad argument #1 to 'f'": the function was given something other than it takes.
"attempt to compare", "attempt to concatenate": the two sides are of different types;
tostring(x) turns anything into a string.]],
  zh = [[Lua 报告的错误，或程序中 error() 抛出的错误

“不能对 nil 值取下标”“不能调用 nil 值”“不能对 nil 值做算术运算”：前面的名字或字段没有值，
可能是拼写有误、尚未赋值，或者是已结束的代码块中的局部变量。
“第 1 个参数不对”：传给函数的值不是它所需要的。
“不能比较”“不能连接”：两边的类型不同；tostring(x) 可以把任何值变成文本。]],
}
local general = { E001 = lua, E027 = lua, E095 = lua, E256 = lua }

function M.more(code)
  return general[code] ~= nil or require("moontile.repl.wrong")[code] ~= nil
end

local function indented(text)
  return "    " .. text:gsub("\n", "\n    ")
end

function M.explain(code, err)
  local e = diag.explain(code:upper())
  if not e then
    return say("there is no message %s; :help errors explains how to read messages",
      "没有消息 %s；:help errors 介绍消息的格式", code)
  end
  local about = general[e.code]
  if about then
    print(("%s  %s"):format(e.code, about[diag.lang()]))
  elseif err then
    io.stdout:write(tostring(err), "\n")
  else
    print(("%s  %s"):format(e.code, open(e.title)))
    if e.label ~= "" then
      print(open(e.label))
    end
    if e.help ~= "" then
      print(say("help: %s", "建议：%s", open(e.help)))
    end
  end
  local shown = require("moontile.repl.wrong")[e.code]
  if shown then
    print(say("wrong:", "错误写法："))
    print(indented(shown.wrong))
    print(say("right:", "正确写法："))
    print(indented(shown.right))
  elseif err and not about then
    print(say("(there is no more to say about %s; :help errors explains how to read messages)",
      "（%s 没有更多说明；:help errors 介绍消息的格式）", e.code))
  end
end

return M
