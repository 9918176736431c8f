-- tests/bench/lib/puzzles.lua: how long a save waits for its verdict: the visible checks of
-- every puzzle's solution on the cpu, with nothing compiled before.
local o = ...

local code = [[
  local judge = require "moontile.puzzles.judge"
  local puzzle = require "moontile.puzzles.judge.puzzle"
  local sandbox = require "moontile.puzzles.judge.sandbox"
  for _, p in ipairs(puzzle.track().puzzles) do
    local text = p.read "solution.lua"
    sandbox.warm() -- as the watch mode does while it waits
    local v = judge.judge(p, {text = text, chunk = "@" .. p.file, target = "cpu", hidden = false})
    assert(v.ok, p.name)
    print(p.name, v.ms)
  end]]

local function verdicts()
  local all, names = {}, {}
  for round = 1, 3 do
    local dir = os.tmpname()
    os.remove(dir)
    local p <close> = io.popen(("MOONTILE_CACHE_DIR='%s' '%s' -e '%s'"):format(dir, o.moontile, code))
    for line in p:lines() do
      local name, ms = line:match "^(%S+)%s+(%S+)$"
      if not all[name] then
        all[name] = {}
        names[#names + 1] = name
      end
      all[name][round] = tonumber(ms)
    end
    os.execute(("rm -rf '%s'"):format(dir))
  end
  local slowest, most, times = "", 0, {}
  for i, name in ipairs(names) do
    times[i] = o.median(all[name])
    if times[i] > most then
      slowest, most = name, times[i]
    end
  end
  o.row("a save's verdict on the cpu, the slowest puzzle", most, "ms", "<", 300,
    ("%s; the median of %d puzzles %.0f ms"):format(slowest, #names, o.median(times)))
end

return {{"puzzles", verdicts}}
