-- audit.lua: mutants of a thread program, judged by the checker of barriers and by the
-- simulator.
local ir, irtext = require "moontile.ir", require "moontile.irtext"
local mutate = dofile "lib/mutate.lua"
local M = {}

local function order(line)
  return line:match "^%s*bar_sync" or line:match "^%s*warp_sync" or line:match "^%s*fence_async" or
    line:match "^%s*call sync_threads" or line:match "^%s*call sync_warp" or
    line:match "^%s*bar_arrive" or line:match "^%s*cp_async_wait" or
    line:match "^%s*wgmma_wait" or line:match "^%s*bulk_wait" or line:match "^%s*mbar_wait"
end

-- How many places the checker finds in the text, and whether it could look at all of it.
function M.found(text, machine)
  local P = irtext.parse(text, "=ir")
  local list, whole = ir.audit(P, machine)
  return #list, whole
end

-- Mutants of one text.  oracle: asks the simulator, too.
function M.run(name, machine, text, args)
  local lines = mutate.split(text)
  local n, whole = M.found(text, machine)
  local count = {both = 0, checker = 0, neither = 0, stuck = 0}
  if n > 0 then
    print(("%-18s %-7s FALSE ALARM: %d"):format(name, machine, n))
  elseif not whole then
    print(("%-18s %-7s not looked at as a whole"):format(name, machine))
  end
  for i = 1, #lines do
    local old = lines[i]
    if order(old) then
      lines[i] = ""
      local mutant = table.concat(lines, "\n")
      local hit, all = M.found(mutant, machine)
      local verdict = mutate.verdict(mutant, "sim -arch=" .. machine, args)
      local race = verdict:find "^E6" and verdict ~= "E615" -- that nobody waits is no race
      lines[i] = old
      if hit > 0 then
        count[race and "both" or "checker"] = count[race and "both" or "checker"] + 1
        if not race then
          print(("%-18s %-7s the checker alone (%s): %s"):format(name, machine, verdict,
            old:match "^%s*(.*)"))
        end
      elseif race then
        count.stuck = count.stuck + (all and 0 or 1)
        if all then
          print(("%-18s %-7s MISSED (%s): %s"):format(name, machine, verdict, old:match "^%s*(.*)"))
        end
      else
        count.neither = count.neither + 1
      end
    end
  end
  print(("%-18s %-7s both %d, the checker alone %d, neither %d, stuck %d"):format(name, machine,
    count.both, count.checker, count.neither, count.stuck))
end

function M.all(machine, file)
  tl.set_target("sim -arch=" .. machine)
  for _, c in ipairs(dofile(file)) do
    if not c.machines or (" " .. c.machines .. " "):find(" " .. machine .. " ", 1, true) then
      local k = c.f:compile(table.unpack(c.args))
      for _, n in ipairs(k:analyze().notes) do
        if n.code == "E497" then
          print(("%-18s %-7s the compiler left out what line %d needs"):format(c.name, machine, n.line))
        end
      end
      M.run(c.name, machine, k:ir "thread", c.args)
    end
  end
end

return M
