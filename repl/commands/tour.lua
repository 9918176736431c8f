-- commands/tour.lua: the guided walk.

return function(M)
  local say = M.say

  M.add {
    name = "tour",
    args = "[next|back|go|stop|N]",
    summary = { en = "a guided walk in ten steps", zh = "十步导览" },
    text = {
      en = "It watches what you type and moves on when a step is done; you may type other\n" ..
        "things too.  next and back move, go types the step's input, stop ends, N goes to step N.",
      zh = "它会留意您的输入，完成一步后继续；其间可以输入任何内容。\n" ..
        "next 与 back 前后移动，go 代为输入，stop 结束，N 转到第 N 步。",
    },
    example = ":tour",
    complete = function() return { "next", "back", "go", "stop" } end,
    run = function(args)
      local tour = require "moontile.repl.tour"
      local n = math.tointeger(tonumber(args))
      if args == "" then
        tour.start(tour.step())
      elseif n and tour.steps[n] then
        tour.start(n)
      elseif args ~= "next" and args ~= "back" and args ~= "go" and args ~= "stop" then
        return say(":tour takes next, back, go, stop or a step from 1 to %d, not '%s'",
          ":tour 需要 next、back、go、stop，或 1 到 %d 之间的一步，而不是“%s”", #tour.steps, args)
      elseif not tour.step() then
        return say("no tour is running; :tour starts it", "当前没有导览；:tour 可以开始")
      elseif args == "go" then
        tour.go()
      elseif args == "stop" then
        tour.stop()
        print(say("the tour ends here; :tour starts it again", "导览结束；:tour 可以重新开始"))
      else
        tour.skip(args == "next" and 1 or -1)
      end
    end,
  }
end
