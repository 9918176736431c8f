-- commands/trace.lua: the time line of a kernel.

local kernels = require "moontile.repl.kernels"

-- Options of k:trace; all others are the figure's.
local traced = { target = true, block = true, launch = true, inputs = true, dims = true,
  scalars = true, keep = true }

return function(M)
local say = M.say

M.add {
  name = "trace",
  args = "[KERNEL] [{OPTIONS}]",
  summary = { en = "the timeline of one block: roles, stages, waits",
    zh = "一个块的时间线：角色、流水线级与等待" },
  text = {
    en = [[
The simulator executes one block and estimates when each of its warps copies,
computes and waits.  KERNEL is a variable, or the last kernel.

  :trace                                the first block of the last kernel
  :trace k {block = {1, 0}}             another one
  :trace k {target = "sim -arch=c500"}  on another machine
  :trace k {iterations = {3, 5}}        zoom in: iterations, or cycles {from = 0, to = 900}
  :trace k {dims = {M = 1024}}          sizes, where no call has given them
  :trace k {svg = "k.svg"}              as a file

The order and the waits are those of the executed schedule; cycles are an
estimate for one block that has its multiprocessor to itself.  k:trace{...} returns
the same as a value: its events, utilization and the longest waits.]],
    zh = [[
模拟器执行一个块，并估计各 warp 何时拷贝、计算和等待。KERNEL 是变量名，缺省
为最近的内核。

  :trace                                最近内核的第一个块
  :trace k {block = {1, 0}}             另一个块
  :trace k {target = "sim -arch=c500"}  在另一种机器上
  :trace k {iterations = {3, 5}}        放大：迭代范围，或周期 {from = 0, to = 900}
  :trace k {dims = {M = 1024}}          尚未调用过时给出大小
  :trace k {svg = "k.svg"}              写成文件

先后次序与等待关系来自实际执行的调度；周期数是估计值，假定该块独占一个多处理器。
k:trace{...} 以值的形式给出同样的内容：事件、占用率与最长的等待。]],
  },
  run = function(args)
    local words, opts = M.words(args)
    if #words > 1 then
      return say(":trace takes one kernel, not '%s'", ":trace 只接受一个内核，而不是“%s”",
        table.concat(words, " "))
    end
    local k, why = kernels.find(words[1])
    if not k then
      return why
    end
    local mine, figure = {}, {}
    for key, v in pairs(opts) do
      if traced[key] then
        mine[key] = v
      else
        figure[key] = v
      end
    end
    figure.source = figure.source or ":trace" .. (args ~= "" and " " .. args or "")
    require("moontile.layout_viz.plot")(k:trace(mine), figure)
  end,
}
end
