-- Loops that stand deep inside each other: what compiling takes grows with how many they are, not
-- with how often the innermost runs, and what was not looked at is said.
local Deep = 20

local function nest(depth)
  local text = {[[
    return tl.jit(function(A)
      A: T.Tensor({64, 128}, "float16")
      local C = T.empty({64, 64}, "float32")
      for bx in T.Kernel(1, {threads = 128}) do
        local a, b = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
        local c = T.alloc_fragment({64, 64}, "float32")
        T.clear(c)
  ]]}
  for i = 1, depth do
    text[#text + 1] = ("for q%d in T.serial(2) do "):format(i)
  end
  text[#text + 1] = [[
        for k in T.Pipelined(2, {num_stages = 2}) do
          T.copy(A[0, k * 64], a)
          T.copy(A[0, k * 64], b)
          T.gemm(a, b, c, {transpose_B = true})
        end
  ]]
  text[#text + 1] = ("end "):rep(depth) .. "T.copy(c, C) end return C end)"
  return assert(load(table.concat(text), "=nest"))()
end

for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"} do
  tl.set_target(target)
  local said = {}
  for _, n in ipairs(nest(Deep):compile():analyze().notes) do
    said[n.code] = true
  end
  -- two rounds of each of three loops: the sum eight times
  local c = nest(3)(tl.ones({64, 128}, "float16"))
  print(target, "the barriers were checked in part: " .. tostring(said.E465), c:item(5, 7))
end
