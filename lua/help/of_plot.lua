-- help/of_plot.lua: the global plot.

return {
  {name = "plot", sig = "plot(x [, what], {svg =, json =, rows =, cols =, page =, width =, fold =})",
    en = "draws whatever x is: a layout, a kernel's buffer, a tensor, a benchmark",
    zh = "画出 x：布局、内核的缓冲区、张量或计时结果",
    more = {
      en = [[
`what` names one of x's figures, or is a second value of the same kind: plot(c, want) shows where
two tensors differ.  An unknown name is an error that lists the known ones.

  svg = "f.svg"      writes a file instead; json = true prints JSON
  rows, cols         {from, to}: a part, counted from 0
  page, fold         a page of a long figure; fold = false: draw repeated parts too
  width, colour      instead of the terminal's]],
      zh = [[
`what` 为 x 的某种图的名称，或另一个同类的值：plot(c, want) 显示两个张量在何处不同。x 没有该名称的图
时会报错并列出可用的名称。

  svg = "f.svg"      写成文件；json = true 输出 JSON
  rows, cols         {from, to}：只画一部分，从 0 数起
  page, fold         长图的某一页；fold = false 时重复的部分也画出
  width, colour      不采用终端的设置]],
    },
    example = "plot(l)", see = {"plots", "plot.figure", "tl.layout.mma"}},
  {name = "plot.figure", sig = "plot.figure(x [, what], {..})",
    en = "the figure that plot would draw, or a list of frames", zh = "plot 所画的图，或若干帧的列表",
    example = "f1 = plot.figure(l)\nprint(#f1:render {format = 'text', width = 80} > 0)",
    see = {"plot"}},
  {name = "plot.add", sig = "plot.add{name =, is =, figure =, summary =}",
    en = "teaches plot to draw another kind of value", zh = "让 plot 能画出另一类值",
    more = {
      en = "is(v, what, opts) says whether v is of that kind, figure(v, what, opts, style) makes the "
        .. "figure with moontile.viz, summary is {en =, zh =}.",
      zh = "is(v, what, opts) 判断 v 是否属于该类，figure(v, what, opts, style) 用 moontile.viz 作图，"
        .. "summary 为 {en =, zh =}。",
    },
    example = [[
plot.add {name = "point", summary = {en = "a point", zh = "点"},
  is = function(v) return type(v) == "table" and v.point == true end,
  figure = function(v)
    local f = require("moontile.viz").figure "a point"
    f:text(("(%g, %g)"):format(v[1], v[2]))
    return f
  end}
plot({1, 2, point = true})]], see = {"plot"}},
}
