-- doctor/answers.lua: what a device has answered, as rows: {mark, name, text [, fix]}.

local look = require "moontile.look"

local M = {}

local function number(by, name)
  return tonumber(by[name])
end

-- A reason: a text, or an error of a device's.
local function reason(w, say)
  if not w or w:sub(1, 1) ~= "@" then
    return w
  end
  local m = look.message(w, say("en", "zh"))
  return m.title .. (m.label ~= "" and say(": ", "：") .. m.label or "")
end

local function why(by, name, say)
  local w = reason(by[name .. ".why"], say)
  return w and say(": ", "：") .. w or ""
end

-- Names below a prefix whose answer is 1, and those whose answer is another; why of the
-- first of these.
local function split(by, prefix, say)
  local good, bad = {}, {}
  for name, value in pairs(by) do
    local short = name:sub(1, #prefix) == prefix and name:sub(#prefix + 1)
    if short and not short:find "%.why$" and not short:find "%.dump$" then
      table.insert(value == "1" and good or bad, short)
    end
  end
  table.sort(good)
  table.sort(bad)
  return good, bad, bad[1] and reason(by[prefix .. bad[1] .. ".why"], say)
end

-- Each: (answers, say) -> mark, name, text, or nothing where it was not asked.
local rows = {}

local function row(f)
  rows[#rows + 1] = f
end

row(function(by, say)
  local name = say("launches", "启动方式")
  if by.params == "1" then
    return "ok", name, by.packed == "1" and say("parameters by list and in one buffer",
      "参数列表与打包缓冲区均可用") or say("parameters by list; not in one buffer%s",
      "参数列表可用；打包缓冲区不可用%s", why(by, "packed", say))
  elseif by.packed == "1" then
    return "warning", name, say("parameters in one buffer only, which is used",
      "只有打包缓冲区可用，将使用它")
  elseif by.params then
    return "failed", name, say("none of the ways works%s", "均不可用%s", why(by, "params", say))
  end
end)

row(function(by, say, machine)
  local name, lanes = say("waves", "wave"), number(by, "warp")
  if not lanes or lanes == 0 then
    return by["warp.why"] and "failed" or nil, name, reason(by["warp.why"], say)
  end
  local wrong = {}
  if by.ballot == "0" then
    wrong[#wrong + 1] = say("votes reach only %s of them", "投票只覆盖其中 %s 个",
      by["ballot.bits"] or "?")
  end
  if by.shuffle == "0" then
    wrong[#wrong + 1] = say("shuffles are wrong", "shuffle 结果有误")
  end
  if lanes ~= (tonumber(machine) or lanes) then
    return "failed", name, say("%d lanes, but %s are expected", "%d 个通道，应为 %s", lanes, machine)
  elseif #wrong > 0 then
    return "warning", name, say("%d lanes; %s: kernels that need it are refused",
      "%d 个通道；%s：需要它的内核将被拒绝", lanes, table.concat(wrong, say(", ", "，")))
  end
  return "ok", name, say("%d lanes; votes and shuffles reach all of them",
    "%d 个通道；投票与 shuffle 覆盖全部", lanes)
end)

row(function(by, say)
  local good, bad, cause = split(by, "mma.", say)
  local name = say("matrix units", "矩阵单元")
  if #good + #bad == 0 then
    return nil
  elseif #bad == 0 then
    return "ok", name, say("all %d instructions use lanes as assumed",
      "%d 条指令的通道分布均与预期一致", #good)
  end
  return "warning", name, say("not used, FMA instead: %s (%s)", "不使用，改用 FMA：%s（%s）",
    table.concat(bad, ", "), cause or "?")
end)

-- A limit: what is assumed, what was refused beyond it.
local function limit(by, say, name, key, assumed, beyond)
  local n = number(by, key)
  if not n then
    return by[key .. ".why"] and "failed" or nil, name, reason(by[key .. ".why"], say)
  elseif n < assumed then
    return "warning", name, say("%d at most, but %d was assumed; %d is used",
      "最多 %d，原假定为 %d；以 %d 为准",
      n, assumed, n)
  end
  local over = by[key .. "_over"]
  return "ok", name, over == "1" and say("%d, and even %d works", "%d，%d 也被接受", n, beyond)
    or over == "0" and say("%d; %d is refused", "%d；%d 被拒绝", n, beyond) or ("%d"):format(n)
end

row(function(by, say)
  return limit(by, say, say("threads of a block", "线程块的线程数"), "threads", 1024, 1088)
end)

row(function(by, say)
  return limit(by, say, say("shared memory", "共享内存"), "shared", 65536, 65792)
end)

row(function(by, say)
  return limit(by, say, say("grid, y", "网格 y"), "grid_y", 65535, 65536)
end)

row(function(by, say)
  return limit(by, say, say("grid, z", "网格 z"), "grid_z", 65535, 65536)
end)

row(function(by, say)
  local good, bad, cause = split(by, "async.", say)
  local name = say("asynchronous copies", "异步复制")
  if #good + #bad == 0 then
    return nil
  elseif #bad == 0 then
    return "ok", name, say("all %d forms arrive before their waits end (-async=on uses them)",
      "%d 种形式均在等待之后到达（用 -async=on 启用）", #good)
  end
  return "warning", name, say("wrong, -async=on is refused: %s%s", "有误，-async=on 将被拒绝：%s%s",
    table.concat(bad, ", "), cause and " (" .. cause .. ")" or "")
end)

-- Figures: key, names, unit.
local figures = {
  { "copy_gbs", "copy", "复制", "GB/s" },
  { "fma_tflops", "FMA of float32", "float32 FMA", "TFLOP/s" },
  { "mma_tflops", "matrix units, float16", "矩阵单元 float16", "TFLOP/s" },
  { "compile_ms", "compiling", "编译", "ms" }, { "load_ms", "loading", "加载", "ms" },
  { "first_launch_us", "first launch", "首次启动", "us" }, { "launch_us", "launch", "启动", "us" },
  { "timer_us", "shortest event time", "事件最短计时", "us" },
}

-- Lines of what was measured: {name, text}.
function M.figures(by, zh)
  local list = {}
  for _, f in ipairs(figures) do
    if by[f[1]] then
      list[#list + 1] = { zh and f[3] or f[2], by[f[1]] .. " " .. f[4] }
    end
  end
  return list
end

function M.rows(by, say, machine)
  local list = {}
  for _, f in ipairs(rows) do
    local mark, name, text = f(by, say, machine)
    if mark then
      list[#list + 1] = { mark = mark, name = name, text = text }
    end
  end
  return list
end

return M
