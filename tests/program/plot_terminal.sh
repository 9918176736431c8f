# Figures at a terminal: pages when they are longer than it, and files.
. lib/terminal.sh
export NO_COLOR=1
HEIGHT=20 start -t cpu
wait_for '1>'
keys 'tl.manual_seed(1)' Enter; wait_for '2>'
keys 'x = {}; for i = 1, 40 do x[i] = i end' Enter; wait_for '3>'
keys 'plot(x)' Enter; wait_for '4>'
part "the first page"
keys 'plot(x, {page = 3})' Enter; wait_for '5>'
part "the last page"
keys C-l
keys 'plot({1, 2, 3})' Enter; wait_for '6>'
part "what fits is shown whole"
keys C-l
cat >"$TMP/frames.lua" <<'END'
local viz = require "moontile.viz"
plot.add {name = "frames", summary = {en = "frames", zh = "frames"}, is = function(v) return v == "frames" end,
  figure = function()
    local list = {}
    for i = 1, 3 do
      list[i] = viz.figure("figure " .. i)
      list[i]:text("line " .. i)
    end
    return list
  end}
END
keys "dofile '$TMP/frames.lua'" Enter; wait_for '7>'
keys C-l; keys 'plot("frames", {delay = 0.1})' Enter; wait_for '8>'
part "frames stand in one place"
keys C-l; keys 'plot("frames", {delay = 100})' Enter; wait_for 'frame 1'
keys C-c; wait_for '9>'
part "Ctrl-C ends them"
