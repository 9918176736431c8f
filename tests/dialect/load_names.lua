-- A kernel read by load() without a name: Lua names such a chunk by its text, however long that is.
-- Messages show it as Lua does, and its IR carries no text.
local lines = {}
for i = 1, 3000 do
  lines[i] = ("for i in T.Parallel(128) do f[i] = f[i] * %d + 1 end"):format(i)
end
local text = [[
return tl.jit(function(A)
  A: T.Tensor({128}, "float32")
  local C = T.empty({128}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local f, s = T.alloc_fragment({128}, "float32"), T.alloc_shared({128}, "float32")
    T.copy(A, f)
    ]] .. table.concat(lines, "\n", 1, 3000) .. [[

    T.copy(f, C)
  end
  return C
end, {target = "sim -arch=sm_80"})
]]
print(#text > 1 << 17)
local k = assert(load(text))():compile()
print(k:ir("thread"):match "^[^\n]*")
print(#k:get_kernel_source("cuda") > 1 << 16)

local ok, e = pcall(function()
  return load "return tl.jit(function(A)\n  A: T.Tensor({4}, T.float32)\n  A[0, 1] = 2\nend)"():compile()
end)
print(ok, (tostring(e):match "^[^\n]*"))
