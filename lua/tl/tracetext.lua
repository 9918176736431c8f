-- tl/tracetext.lua: what k:trace found, in a few lines.

local diag = require "moontile.diag"

local M = {}

-- Phrases, English and Chinese, filled by string.format in one order.
local say = {
  head = {"%s on %s: block %s of a grid of %s, %d warps of %d",
    "%s，机器 %s：块 %s（网格 %s），%d 个 warp，每个 %d 条通道"},
  head1 = {"%s on %s: block %s of a grid of %s, 1 warp of %d",
    "%s，机器 %s：块 %s（网格 %s），1 个 warp，共 %d 条通道"},
  cycles = {"about %s cycles%s: an estimate; " ..
    "the order and the waits are those of the executed schedule",
    "约 %s 个周期%s：估计值；先后次序与等待关系来自实际执行的调度"},
  time = {", %.3g us at %.2f GHz", "，即 %.3g us（%.2f GHz）"},
  busy = {"%s busy %.0f %%", "%s占用 %.0f %%"},
  comma = {", ", "，"},
  steady = {"iterations %d..%d of `%s` (line %d) repeat every %s cycles",
    "`%3$s`（第 %4$d 行）的第 %1$d..%2$d 次迭代每 %5$s 个周期重复一次"},
  steady_many = {"iterations %d..%d of `%s` (line %d) repeat, %d at a time, every %s cycles",
    "`%3$s`（第 %4$d 行）的第 %1$d..%2$d 次迭代以 %5$d 次为一组，每 %6$s 个周期重复一次"},
  steady_matrix = {"; matrix units busy %.0f %% meanwhile", "；期间矩阵单元占用 %.0f %%"},
  stalls = {"longest waits", "最长的等待"},
  nothing = {"nothing waits", "没有等待"},
  stall = {"%3.0f %%  %s, line %d: %s; %s cycles in %d waits",
    "%3.0f %%  %s，第 %d 行：%s；%s 个周期，%d 次"},
  stall1 = {"%3.0f %%  %s, line %d: %s; %s cycles at once", "%3.0f %%  %s，第 %d 行：%s；一次 %s 个周期"},
  more = {"and %d more", "另有 %d 项"},
  others = {"the blocks before it were also executed, because blocks read what others write",
    "块之间有读写关系，因此它之前的块也被执行"},
  random = {"inputs: random numbers", "输入：随机数"},
  zeros = {"inputs: zeros", "输入：全零"},
  assumed = {"rates of this machine are not published: those of sm_80 are assumed",
    "该机器的速率未公布：按 sm_80 假定"},
  cut = {"the record ends at cycle %s: later events are not listed", "记录到第 %s 个周期为止：其后的事件未列出"},
  wrong = {"an error was found in the run: %s", "运行中发现错误：%s"},
}

local units = {{"matrix", {"matrix units", "矩阵单元"}}, {"memory", {"way to memory", "访存通路"}},
  {"shared", {"shared memory", "共享内存"}}}

-- What a wait is for; {1}: the line that ends it.
local reasons = {
  copy = {"waits for copies of line %d", "等待第 %d 行的拷贝", "waits for copies", "等待拷贝"},
  empty = {"waits for an empty stage, which line %d frees", "等待空闲的级（由第 %d 行释放）",
    "waits for an empty stage", "等待空闲的级"},
  arrival = {"waits for others to reach line %d", "等待其他线程到达第 %d 行", "waits for others",
  "等待其他线程"},
  barrier = {"waits at a barrier", "在栅栏处等待", "waits at a barrier", "在栅栏处等待"},
  store = {"waits for stores of line %d", "等待第 %d 行的存储", "waits for stores", "等待存储"},
  product = {"waits for products of line %d", "等待第 %d 行的矩阵乘", "waits for products", "等待矩阵乘"},
  memory = {"waits for accesses of line %d", "等待第 %d 行的访存", "waits for loads", "等待加载"},
  matrix = {"keeps the matrix units busy", "矩阵单元正在工作",
    "keeps the matrix units busy", "矩阵单元正在工作"},
  result = {"waits for results", "等待结果", "waits for results", "等待结果"},
}

local function phrase(t, ...)
  local s = t[diag.lang() == "zh" and 2 or 1]
  if s:find "%%%d%$" then -- arguments in another order
    local args = {...}
    return (s:gsub("%%(%d)%$([%d.]*%a)", function(i, f)
      return ("%" .. f):format(args[tonumber(i)])
    end))
  end
  return select("#", ...) > 0 and s:format(...) or s
end
M.phrase = phrase

-- 1234567 -> "1,234,567"
function M.number(n)
  local s = ("%d"):format(n)
  return (s:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", ""))
end

-- "for copies of line 14"
function M.reason(name, by)
  local t = reasons[name]
  local zh = diag.lang() == "zh"
  if by and t[1]:find("%d", 1, true) then
    return (zh and t[2] or t[1]):format(by)
  end
  return zh and t[4] or t[3]
end

local function list(t, sep)
  local parts = {}
  for i, v in ipairs(t) do
    parts[i] = tostring(v)
  end
  return table.concat(parts, sep)
end

-- {3, 1, 1} -> "3": dimensions that say nothing are left out
local function plain(t, least, sep)
  local n = #t
  while n > 1 and t[n] == least do
    n = n - 1
  end
  return list(table.move(t, 1, n, 1, {}), sep)
end

-- "block (0, 1)" as the user counts them
function M.block(t)
  local b = table.move(t.block, 1, 3, 1, {})
  local n = 3
  while n > 1 and t.grid[n] == 1 do
    b[n] = nil
    n = n - 1
  end
  return "(" .. list(b, ", ") .. ")"
end

-- "iterations 2..13 of `k` (line 12) repeat every 640 cycles", or nil
function M.steady(t)
  local s = t.steady
  if not s then
    return nil
  end
  local busy = s.matrix > 0 and phrase(say.steady_matrix, s.matrix * 100) or ""
  local n = M.number(s.cycles)
  return (s.rounds > 1 and
    phrase(say.steady_many, s.from, s.to, t.loop.name or "?", t.loop.line, s.rounds, n) or
    phrase(say.steady, s.from, s.to, t.loop.name or "?", t.loop.line, n)) .. busy
end

function M.busy(t)
  local parts = {}
  for _, u in ipairs(units) do
    if (t.busy[u[1]] or 0) > 0 then
      parts[#parts + 1] = phrase(say.busy, phrase(u[2]), t.busy[u[1]] * 100)
    end
  end
  return table.concat(parts, phrase(say.comma))
end

-- "about 10,905 cycles, 7.73 us at 1.41 GHz: an estimate; .."
function M.cycles(t)
  local time = t.us and phrase(say.time, t.us, t.cycles / t.us * 1e-3) or ""
  return phrase(say.cycles, M.number(t.cycles), time)
end

-- What a reader must know of how it was made.
function M.remarks(t)
  local r = {}
  local function add(on, s, ...)
    r[#r + 1] = on and phrase(s, ...) or nil
  end
  add(not t.alone, say.others)
  add(say[t.inputs] ~= nil, say[t.inputs])
  add(t.assumed, say.assumed)
  add(t.cut, say.cut, M.number(t.cut or 0))
  add(t.error, say.wrong, tostring(t.error))
  return r
end

function M.head(t)
  local n, grid = (t.threads + t.warp - 1) // t.warp, plain(t.grid, 1, " x ")
  if n == 1 then
    return phrase(say.head1, t.kernel, t.machine, M.block(t), grid, t.warp)
  end
  return phrase(say.head, t.kernel, t.machine, M.block(t), grid, n, t.warp)
end

local Most = 6 -- waits that are told

local function stall_rows(out, t)
  if #t.stalls == 0 then
    out(phrase(say.nothing))
    return
  end
  out(phrase(say.stalls))
  for i = 1, math.min(Most, #t.stalls) do
    local s = t.stalls[i]
    local why, n = M.reason(s.reason, s.by), M.number(s.cycles)
    out("  " .. (s.times > 1 and phrase(say.stall, s.share * 100, s.row, s.line, why, n, s.times) or
      phrase(say.stall1, s.share * 100, s.row, s.line, why, n)))
  end
  if #t.stalls > Most then
    out("  " .. phrase(say.more, #t.stalls - Most))
  end
end

function M.text(t)
  local lines = {}
  local function out(s)
    lines[#lines + 1] = s ~= "" and s or nil
  end
  out(M.head(t))
  out(M.cycles(t))
  out(M.busy(t))
  out(M.steady(t) or "")
  for _, s in ipairs(M.remarks(t)) do
    out(s)
  end
  stall_rows(out, t)
  return table.concat(lines, "\n")
end

return M
