-- doctor/rows.lua: what was gathered, as rows for people: {mark, name, text [, fix, help]}.
--
-- Marks: ok, warning, missing (a gap that a command mends), failed (it is there and does
-- not work).  A target that is simply not there has the state "none", which is no error.

local answers = require "moontile.repl.doctor.answers"
local fixes = require "moontile.repl.doctor.fixes"
local look = require "moontile.look"
local vendors = require "moontile.repl.doctor.vendors"

local M = {}

local function existing(patterns)
  local list = {}
  for _, pattern in ipairs(patterns or {}) do
    for _, path in ipairs(look.glob(pattern)) do
      list[#list + 1] = { path, look.node(path) }
    end
  end
  return list
end

-- Is there a card, by the files of its driver?
local function has_card(name)
  for _, pattern in ipairs(vendors[name] and vendors[name].nodes or {}) do
    if not pattern:find("/dri/", 1, true) and #look.glob(pattern) > 0 then
      return true
    end
  end
  return false
end

-- Names of facts, in Chinese.
local zh_names = {
  ["GPU"] = "GPU", ["compute capability"] = "计算能力", ["multiprocessors"] = "多处理器",
  ["compute units"] = "计算单元", ["chip"] = "芯片", ["lanes of a wave"] = "wave 通道数",
  ["memory"] = "内存", ["L2 cache"] = "L2 缓存", ["shared memory"] = "共享内存", ["clock"] = "时钟",
  ["driver"] = "驱动", ["architecture"] = "架构", ["compiler"] = "编译器", ["copy"] = "复制",
  ["read"] = "读取", ["run-time"] = "运行时", ["processor"] = "处理器", ["threads"] = "线程",
  ["last-level cache"] = "末级缓存", ["denormals"] = "非规格化数",
  ["offline compiler"] = "离线编译器", ["library"] = "库",
  ["server"] = "服务器", ["on"] = "目标",
}
-- What a report shows among the lines as they were told, and nothing else does.
local internal = { open_ms = true, compile_ms = true, run_ms = true, wrong = true,
  ["functions it lacks"] = true }

local signals = { ["4"] = "SIGILL", ["6"] = "SIGABRT", ["7"] = "SIGBUS", ["8"] = "SIGFPE",
  ["9"] = "SIGKILL", ["11"] = "SIGSEGV" }

-- What a process was doing when it ended.
local doing = {
  open = { "opening the driver", "打开驱动" }, describe = { "querying the device", "询问设备" },
  look = { "checking the environment", "查看环境" }, compile = { "compiling a kernel", "编译内核" },
  run = { "running a kernel", "运行内核" }, [""] = { "starting", "启动" },
}

local function ended(r, say)
  local e = r.ended
  local at = doing[e.at] or { e.at, e.at }
  at = say(at[1], at[2])
  if e.how == "late" then
    return say("no answer within %s s while %s: the driver hangs", "%s 秒内没有响应（正在%s）：驱动挂起",
      e.what, at)
  elseif e.how == "died" then
    return say("the process crashed (%s) while %s", "进程在%2$s时崩溃（%1$s）",
      signals[e.what] or "signal " .. e.what, at)
  elseif e.how == "start" then
    return say("no process could be started: %s", "无法启动进程：%s", e.what)
  end
  return say("the process ended (status %s) while %s", "进程在%2$s时退出（状态 %1$s）", e.what, at)
end

-- "%2$s" and the like: places of arguments.
local function format(pattern, ...)
  local arg = table.pack(...)
  if pattern:find "%%%d%$" then
    return (pattern:gsub("%%(%d)%$s", function(i) return tostring(arg[tonumber(i)]) end))
  end
  return pattern:format(...)
end

-- A function that picks the language.
function M.sayer(lang)
  return function(en, zh, ...)
    return format(lang == "zh" and zh or en, ...)
  end
end

local function add(t, mark, name, text, more)
  local row = { mark = mark, name = name, text = text }
  for k, v in pairs(more or {}) do
    row[k] = v
  end
  t.rows[#t.rows + 1] = row
end

-- The device's nodes, for those who may not open them.
local function permissions(t, s, say)
  for _, n in ipairs(existing(vendors[t.name] and vendors[t.name].nodes)) do
    local path, node = n[1], n[2]
    if not node.open then
      add(t, "missing", say("permission", "权限"), say("%s is %s %s:%s, and you may not open it",
        "%s 为 %s %s:%s，您无权打开", path, node.mode, node.owner, node.group),
        { fix = fixes.node(s, path, node), again = not s.root or nil })
    end
  end
end

local function failure(t, s, say, lang)
  local m = look.message(t.look.error, lang)
  local name = t.name == "remote" and say("server", "服务器")
    or t.look.error_at == "compile" and say("compiler", "编译器")
    or t.look.error_at == "run" and say("kernel", "内核") or say("driver", "驱动")
  local fix, shut = fixes.command(s, t.name, m.id), #t.rows > 0 -- shut: and that is why
  add(t, fix and "missing" or "failed", name,
    m.title .. (m.label ~= "" and say(": ", "：") .. m.label or ""),
    { fix = fix, help = not fix and not shut and m.help ~= "" and m.help or nil, id = m.id,
      code = m.code })
end

local function kernel(t, say)
  local by = t.look.by_name
  if by.wrong == "0" then
    add(t, "ok", say("kernel", "内核"), say("compiled in %s ms, its result is correct",
      "编译用时 %s ms，结果正确", by.compile_ms))
  elseif by.wrong then
    add(t, "failed", say("kernel", "内核"), say("%s of 1000 sums are wrong", "1000 个和中有 %s 个错误",
      by.wrong))
  end
end

local function facts(t, lang)
  for _, f in ipairs(t.look.facts) do
    if not internal[f[1]] then
      local name = lang == "zh" and zh_names[f[1]] or f[1]
      t.facts[#t.facts + 1] = { name, f[2] }
    end
  end
end

-- Why a target is not there.
local function absent(t, say)
  if t.name == "remote" then
    return say("no server is given (--connect URL, MOONTILE_URL)",
      "未指定服务器（--connect URL、MOONTILE_URL）")
  end
  local v = vendors[t.name]
  if t.look.by_name.library then
    return say("%s is here, but no %s card (%s)", "已有 %s，但没有 %s 显卡（%s）",
      t.look.by_name.library, v.card, v.nodes[1])
  end
  return say("no %s card or driver (%s)", "没有 %s 显卡或驱动（%s）", v.card, v.nodes[1])
end

-- A target that is named by the user, or whose card or library is there, and that does
-- not open, is broken; else it is not there.
local function is_absent(t, given)
  local opened, e = t.look.by_name.open_ms, t.look.error
  if opened or t.look.ended or not vendors[t.name] and t.name ~= "remote" then
    return false
  elseif t.name == "remote" then
    return not given
  end
  local id = e and look.message(e, "en").id
  local named = (id == "gpu_no_library" or id == "cuda_no_library")
    and (os.getenv(vendors[t.name].library.env) or "") ~= ""
  local gone = id == "gpu_no_library" or id == "gpu_no_device" or id == "cuda_no_library"
    or id == "cuda_no_device"
  return gone and not named and not has_card(t.name)
end

local order = { ok = 0, warning = 1, missing = 2, failed = 3 }

local function worst(rows)
  local w = "ok"
  for _, r in ipairs(rows) do
    w = order[r.mark] > order[w] and r.mark or w
  end
  return w
end

-- One target: {name =, state = "none" or the worst mark, rows =, facts =, why =}.
function M.target(t, s, lang)
  local say = M.sayer(lang)
  t.rows, t.facts, t.why = {}, {}, nil
  if is_absent(t, t.given_url) then
    t.state, t.why = "none", absent(t, say)
    if t.asked then
      facts(t, lang)
      if t.look.error and t.name ~= "remote" then
        failure(t, s, say, lang)
      end
    end
    return t
  end
  facts(t, lang)
  if t.name == "cpu" and s.cc then
    t.facts[#t.facts + 1] = { say("compiler", "编译器"), s.cc .. ", " .. (s.cc_says or "?") }
  end
  if t.look.ended then
    add(t, "failed", say("driver", "驱动"), ended(t.look, say))
  end
  if not t.look.by_name.open_ms or t.look.error then
    permissions(t, s, say)
  end
  if t.look.error then
    failure(t, s, say, lang)
  end
  kernel(t, say)
  if t.device then
    for _, r in ipairs(answers.rows(t.device.by_name, say, t.look.by_name["lanes of a wave"])) do
      t.rows[#t.rows + 1] = r
    end
    for _, f in ipairs(answers.figures(t.device.by_name, lang == "zh")) do
      t.facts[#t.facts + 1] = f
    end
    if t.kept then
      t.facts[#t.facts + 1] = { say("results kept in", "检查结果保存于"), t.kept }
    elseif t.keep_error then
      add(t, "warning", say("answers", "检查结果"), look.message(t.keep_error, lang).label)
    end
  end
  t.state = worst(t.rows)
  return t
end

-- The machine, as a target of its own.
function M.system(s, lang)
  local say = M.sayer(lang)
  local t = { name = "system", rows = {}, facts = {} }
  local b, term = s.build, s.terminal
  local least = 256 << 20
  if not s.cache then
    add(t, "missing", say("cache", "缓存"), say("no folder for compiled kernels", "没有可存放已编译内核的目录"),
      { fix = "export MOONTILE_CACHE_DIR=/tmp/moontile-$USER" })
  elseif s.cache_says[1] then
    local m = look.message(s.cache_says[1], lang)
    add(t, "warning", say("cache", "缓存"), m.title .. say(": ", "：") .. m.label, { help = m.help })
  elseif s.cache_free and s.cache_free < least then
    add(t, "warning", say("cache", "缓存"), say("%s, only %d MiB free", "%s，只剩 %d MiB", s.cache,
      s.cache_free >> 20), { fix = "export MOONTILE_CACHE_DIR=/path/with/space" })
  else
    add(t, "ok", say("cache", "缓存"), say("%s, %.1f GiB free", "%s，剩余 %.1f GiB", s.cache,
      (s.cache_free or 0) / (1 << 30)))
  end
  if term.codeset ~= "UTF-8" then
    add(t, "warning", say("terminal", "终端"), say("its characters are %s: plots use plain ones",
      "字符编码为 %s：图形使用普通字符", term.codeset), { fix = "export LC_ALL=C.UTF-8" })
  else
    add(t, "ok", say("terminal", "终端"), ("UTF-8, %s, %d"):format(term.term or "-", term.width)
      .. say(" columns", " 列"))
  end
  if s.no_wall then
    add(t, "warning", say("sandbox", "隔离"), say("%s is missing: judge and serve only what you trust",
      "缺少 %s：只评判和运行您信任的程序", s.no_wall))
  else
    add(t, "ok", say("sandbox", "隔离"), say("seccomp and Landlock, around other people's code",
      "seccomp 与 Landlock，用于隔离他人的程序"))
  end
  local parts = {}
  for _, name in ipairs { "compiler", "libc", "Lua", "readline", "libcurl", "jansson", "microhttpd",
    "zlib" } do
    if b[name] then
      local v = b[name]:match "^%S+ ?%S*"
      parts[#parts + 1] = (name == "compiler" or name == "libc") and b[name]
        or name .. " " .. (name == "libcurl" and b[name]:match "/([%d.]+)" or v)
    end
  end
  t.facts[1] = { say("built with", "构建"), table.concat(parts, ", ") }
  t.facts[2] = { say("you", "用户"), s.user .. " (" .. table.concat(s.user_groups, ", ") .. ")" }
  t.state = worst(t.rows)
  return t
end

return M
