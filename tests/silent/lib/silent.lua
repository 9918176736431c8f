-- silent.lua: correct kernels, about which the simulator must say nothing, whatever
-- order warps, blocks and asynchronous operations come in.
--
--     local silent = dofile "lib/silent.lua"
--     silent.case("reverse", "sm_80 simt", f, {x})
--     silent.done()
--
-- runs each under three seeds on each machine, and compares with the run in order.
local mutate = dofile "../mutants/lib/mutate.lua"
local M = {kernels = 0, runs = 0, alarms = 0}

M.machines = "sm_80 sm_90a c500 simt"

function M.case(name, machines, f, args, tol)
  local good = {}
  M.kernels = M.kernels + 1
  for machine in (machines or M.machines):gmatch "%S+" do
    local want, ok, said
    for seed = 0, 3 do
      tl.set_target(("sim -arch=%s -seed=%d"):format(machine, seed))
      ok, said = pcall(function()
        local got = mutate.results(f, args)
        want = want or got
        for i, w in ipairs(want) do
          if type(w) == "userdata" and not tl.allclose(got[i], w, tol or 0, tol or 0) then
            error "another result"
          end
        end
      end)
      M.runs = M.runs + 1
      if not ok then
        M.alarms = M.alarms + 1
        print(("%s: ALARM on %s, seed %d"):format(name, machine, seed))
        print(said)
        break
      end
    end
    good[#good + 1] = ok and machine or nil
  end
  print(("%-28s %s"):format(name, table.concat(good, " ")))
end

function M.done()
  print(("%d kernels, %d runs, %d false alarms"):format(M.kernels, M.runs, M.alarms))
end

return M
