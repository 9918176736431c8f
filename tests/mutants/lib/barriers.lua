-- barriers.lua: every barrier, warp_sync and fence that the compiler puts into the
-- examples is needed: without it the simulator finds something.
--
--     dofile "lib/barriers.lua" "sm_80"
--
-- prints a line for each kernel of each example: how many there are, and what
-- was found without each.  A kernel with other sizes but the same text counts once.
local kernel = require "moontile.tl.kernel"
local mutate = dofile "lib/mutate.lua"

local examples = {
  "conv1d", "conv2d_im2col", "dequant_gemm", "flash_attention", "fp8_quant", "gemv", "layernorm",
  "linear_attention", "quickstart", "rmsnorm", "row_sum", "scale_relu_gemm", "softmax",
  "splitk_gemm", "topk", "transpose", "vector_add",
}

local function inserted(line)
  return line:match "^%s*bar_sync" or line:match "^%s*warp_sync" or line:match "^%s*fence_async"
end

-- What is found without line i.
local function without(lines, i, target, args)
  local old = lines[i]
  lines[i] = ""
  local verdict = mutate.verdict(table.concat(lines, "\n"), target, args)
  lines[i] = old
  return verdict
end

-- The calls of kernels in an example: {kernel, arguments}.
local function calls_of(name, target)
  local list, launch = {}, kernel.launch
  kernel.launch = function(self, values, ...)
    list[#list + 1] = {self, mutate.copies(values)}
    return launch(self, values, ...)
  end
  tl.set_target(target)
  arg = {"small"}
  local say = print
  print = function() end
  local ok, err = pcall(dofile, "../../lua/examples/" .. name .. ".lua")
  print = say
  kernel.launch = launch
  if not ok then
    print(name, err)
  end
  return list
end

return function(machine)
  local target = "sim -arch=" .. machine
  local barriers, missed = 0, 0
  for _, name in ipairs(examples) do
    local seen = {}
    for _, c in ipairs(calls_of(name, target)) do
      local text = c[1]:ir "thread"
      local lines = mutate.split(text)
      local found = {}
      for i = 1, seen[text] and 0 or #lines do
        local what = inserted(lines[i])
        if what then
          local verdict = without(lines, i, target, c[2])
          found[#found + 1] = verdict
          barriers = barriers + 1
          if not verdict:find "^E6" then
            missed = missed + 1
            found[#found] = ("%s: %s"):format(verdict, lines[i]:match "^%s*(.*)")
          end
        end
      end
      if not seen[text] then
        print(("%-8s %-18s %s"):format(machine, name, #found > 0 and table.concat(found, " ") or
          "no barrier"))
      end
      seen[text] = true
    end
  end
  print(("%s: %d barriers, %d not needed"):format(machine, barriers, missed))
end
