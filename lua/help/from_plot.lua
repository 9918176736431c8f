-- help/from_plot.lua: the rows of plot.

local plot = require "moontile.layout_viz.plot"

return function(help)
  for _, d in ipairs(require "moontile.help.of_plot") do
    local value = d.name == "plot" and plot or plot[d.name:match "%.(.*)$"]
    help.row {
      name = d.name, kind = "global", value = value, sig = d.sig,
      summary = {en = d.en, zh = d.zh}, text = d.more, example = d.example, see = d.see,
      where = help.place(type(value) == "function" and value or nil),
    }
  end
end
