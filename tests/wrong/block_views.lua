-- Two blocks write one element by two names of a tensor: of one element type, of two.  Zeros by both are no race,
-- nor is what each writes by both names to its own part.
local function both(name, view, at, value, first)
  local k = tl.jit(function()
    local C = T.empty({128}, "int32")
    for bx in T.Kernel(2, {threads = 64}) do
      local v = view(C)
      for i in T.Parallel(64) do C[bx * 64 + i] = first end
      for i in T.Parallel(16) do v[at(bx), i] = value end
    end
    return C
  end)
  print(name)
  k()
end

both("another block's", function(C) return T.reshape(C, {8, 16}) end, function(bx) return 7 - bx * 4 end, 2, 1)
both("its own", function(C) return T.reshape(C, {8, 16}) end, function(bx) return bx * 4 end, 2, 1)
both("two types", function(C) return T.view(C, {8, 16}, "float32") end, function(bx) return 7 - bx * 4 end, 2.0, 1)
both("zeros", function(C) return T.view(C, {8, 16}, "float32") end, function(bx) return 7 - bx * 4 end, 0.0, 0)
