-- doctor.lua: `moontile doctor`, `:doctor`: what is found for every target, what is
-- missing, and the one command that mends it.
--
--     moontile doctor [TARGET] [--report [FILE]] [--limit SECONDS] [--json]
--
-- Each target is looked at in a process of its own (core/device/probe.h), so that a driver which
-- hangs or crashes is told as such.  The devices of maca and hip are asked, too: their
-- answers are kept, and the target uses them.
--
--   doctor/gather.lua   asks              doctor/rows.lua     what it means
--   doctor/fixes.lua    commands          doctor/answers.lua  what a device answered
--   doctor/show.lua     text              doctor/report.lua   the file for an issue

local config = require "moontile.config"
local diag = require "moontile.diag"
local files = require "moontile.files"
local gather = require "moontile.repl.doctor.gather"
local look = require "moontile.look"
local rows = require "moontile.repl.doctor.rows"
local show = require "moontile.repl.doctor.show"

local M = { status = 0 }

local usage = {
  en = [==[
moontile doctor [TARGET] [--report [FILE]] [--limit SECONDS]

Looks for what each target needs, or TARGET alone (or the one of -t, with its options):
libraries, devices, compilers, permissions.  What is missing is said with the command that
mends it.  On maca and hip it also asks the device whether its lanes, matrix units and
limits are what is assumed, keeps the answers, and the target uses them.

  --report [FILE]       write a text to paste into an issue (moontile-report.txt)
  --limit SECONDS       how long a driver may take to answer (20)
  --json                one JSON object

The exit status is 0 where some target works and nothing is broken, else 1.]==],
  zh = [==[
moontile doctor [目标] [--report [文件]] [--limit 秒数]

检查每个目标（或仅指定的目标，或 -t 所指定的目标及其选项）所需的环境：库、设备、编译器、权限。
缺少的部分会给出修复命令。对于 maca 和 hip，还会检查设备的通道、矩阵单元与各项上限是否与假定一致，
检查结果会保存下来，供目标使用。

  --report [文件]       写出可粘贴到 issue 中的文本（moontile-report.txt）
  --limit 秒数          驱动最长响应时间（20）
  --json                输出一个 JSON 对象

至少一个目标可用且没有任何故障时，退出状态为 0，否则为 1。]==],
}

local function lang()
  return config.lang == "zh" and "zh" or "en"
end

-- Words of the command line -> {target =, report =, limit =}, or nil: help was given.
local function read(words)
  local o, i = {}, 1
  while words[i] do
    local w, value = words[i]:match "^(%-%-%a+)=?(.*)$"
    local given = w and words[i]:find("=", 1, true)
    local function argument()
      if not given and words[i + 1] and words[i + 1]:sub(1, 1) ~= "-" then
        i = i + 1
        return words[i]
      end
      return value ~= "" and value or nil
    end
    if words[i] == "--help" or words[i] == "-h" then
      print(usage[lang()])
      return nil
    elseif w == "--report" then
      o.report = argument() or "moontile-report.txt"
    elseif w == "--limit" then
      local seconds = argument()
      o.limit = tonumber(seconds)
      if not o.limit or o.limit < 1 or o.limit > 3600 then
        diag.fail("doctor_flag", "--limit " .. (seconds or ""))
      end
    elseif not w and not o.target and words[i]:sub(1, 1) ~= "-" then
      o.target = words[i]
    else
      diag.fail("doctor_flag", words[i])
    end
    i = i + 1
  end
  return o
end

-- The targets to look at: {name =, spec =, groups =, asked =}.
local function chosen(o)
  local spec = o.target or config.target
  if spec == "auto" then
    spec = nil
  end
  local list, known = {}, {}
  for _, t in ipairs(look.targets()) do
    known[#known + 1] = t.name
    local url = os.getenv "MOONTILE_URL"
    t.spec, t.given_url = t.name, t.name ~= "remote" or url and url ~= "" or spec ~= nil
    if not spec then
      list[#list + 1] = t
    elseif t.name == spec:match "^%S+" then
      t.spec, t.asked = spec, true
      list[1] = t
    end
  end
  if #list == 0 then
    diag.fail("target_unknown", spec, table.concat(known, ", "))
  end
  return list
end

-- A line that is written over, on a terminal.
local function progress(on)
  local last = 0
  return function(text)
    if not on then
      return
    end
    local term = require "moontile.term"
    io.stderr:write("\r", text, (" "):rep(last - term.width(text)), text == "" and "\r" or "")
    io.stderr:flush()
    last = term.width(text)
  end
end

local group_names = {
  basic = { "launches, lanes", "启动、通道" }, packed = { "packed launches", "打包启动" },
  mma = { "matrix units", "矩阵单元" }, threads = { "threads of a block", "线程块的线程数" },
  shared = { "shared memory", "共享内存" }, grid = { "grids", "网格" },
  async = { "asynchronous copies", "异步复制" }, rates = { "rates", "速率" },
  attributes = { "attributes", "属性" },
}

-- Looks at a target, and asks its device where there is something to ask.
local function examine(t, o, tell)
  tell(t.name)
  if t.name == "remote" and not t.given_url then
    t.look = gather.parse {}
    return
  end
  t.look = gather.target(t.spec, o.limit)
  local no_compiler = t.look.error_at == "compile" -- then nothing can be asked
  if t.look.by_name.open_ms and not t.look.ended and not no_compiler and #t.groups > 0 then
    local k = lang() == "zh" and 2 or 1
    t.device = gather.device(t, t.spec, o.limit, function(group)
      tell(t.name .. ": " .. (group_names[group] or { group, group })[k])
    end)
    if t.device.works and t.device.whole then
      t.kept, t.keep_error = gather.keep(t.spec, t.device.lines)
    end
  end
end

-- As --json has it.
local function object(t)
  local facts = {}
  for _, f in ipairs(t.facts) do
    facts[f[1]] = f[2]
  end
  return { name = t.name, state = t.state, why = t.why, rows = t.rows, facts = facts,
    answers = t.device and t.device.by_name or nil }
end

local function write_report(path, text)
  local ok, why = files.write(path, text)
  if not ok then
    diag.fail("doctor_write", path, why)
  end
end

local function print_head(s, say)
  local u = s.system
  print(("moontile %s, %s %s %s, %s"):format(s.build.moontile, u.name, u.release, u.machine,
    say("%d processors (%s)", "%d 个处理器（%s）", u.processors, u.processor or "?")))
end

-- Does something work, and is nothing broken?
local function verdict(system, list)
  local works, broken = false, system.state == "missing" or system.state == "failed"
  for _, t in ipairs(list) do
    works = works or t.state == "ok" or t.state == "warning"
    broken = broken or t.state == "missing" or t.state == "failed"
  end
  return works and not broken
end

-- run{target =, report =, limit =} -> true: some target works and nothing is broken
function M.run(o)
  local list = chosen(o)
  local say = rows.sayer(lang())
  local s = gather.system()
  local system = rows.system(s, lang())
  local tell = progress(s.terminal.errors and not config.json)
  local opt = { colour = config.colour,
    width = s.terminal.output and s.terminal.width - 1 or math.huge }
  if not config.json then
    print_head(s, say)
    print(diag.visible(show.text(system, lang(), opt), opt.colour))
  end
  for _, t in ipairs(list) do
    examine(t, o, tell)
    rows.target(t, s, lang())
    tell ""
    if not config.json then
      print(diag.visible(show.text(t, lang(), opt), opt.colour))
    end
  end
  local ok = verdict(system, list)
  local host = s.system.host
  s.system.host = nil -- nobody's business
  if config.json then
    local targets = {}
    for i, t in ipairs(list) do
      targets[i] = object(t)
    end
    io.stdout:write(require("moontile.tl.json").public { moontile = s.build.moontile,
      build = s.build, system = s.system, machine = object(system), targets = targets,
      ok = ok }, "\n")
  end
  if o.report then
    write_report(o.report, require("moontile.repl.doctor.report").text(s, list, host))
    io.stderr:write(say("the report is in %s: read it before you share it",
      "报告已写入 %s，请在分享前自行查看", diag.visible(o.report)), "\n")
  end
  return ok
end

-- The command: words of the command line.
function M.main(words)
  local o = read(words)
  M.status = o and not M.run(o) and 1 or 0
end

return M
