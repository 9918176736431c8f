-- y = 2 * x three times, each looked at: what a session says of it, and whether it goes on.
-- A fourth one, not caught, ends the program as a user's would where the third has failed.
local twice = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128), {threads = 128}) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] * 2
    end
  end
  return y
end)
local x = tl.ones({300}, "float32")
x[0] = 1 -- written by the host: copied there

local function code(message)
  return tostring(message):match "%[(E%d+)%]" or ("no number: " .. tostring(message))
end

local seen, ok, message = {}, nil, nil
for k = 1, 3 do
  ok, message = pcall(function()
    local y = twice(x)
    return y:sum()
  end)
  seen[k] = not ok and code(message) or message == 600 and "right" or "WRONG " .. message
end
print(table.concat(seen, " "))
if not ok then
  twice(x)
end
