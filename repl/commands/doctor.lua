-- commands/doctor.lua: what is here for each target.

return function(M)

M.add {
  name = "doctor",
  example = ":doctor cpu",
  args = "[TARGET]",
  summary = { en = "what each target needs, what is missing, how to fix it",
    zh = "每个目标需要什么、缺少什么、如何修复" },
  text = {
    en = "Checks every target, or TARGET, in separate processes; on maca and hip the device is "
      .. "probed, too.  `:doctor --report` writes the findings to a file for an issue.",
    zh = "在单独的进程中检查所有目标或指定的目标；对 maca 和 hip 还会检查设备。`:doctor --report` "
      .. "把结果写入可用于 issue 的文件。",
  },
  run = function(args)
    local words = {}
    for w in args:gmatch "%S+" do
      words[#words + 1] = w
    end
    require("moontile.repl.doctor").main(words)
  end,
}
end
