-- Tensors that nobody refers to any more give their memory back, however few objects of Lua they are.
local function shared()
  for line in io.lines "/proc/self/status" do
    local kib = line:match "^RssShmem:%s+(%d+)"
    if kib then return math.tointeger(kib) // 1024 end
  end
end
local x = tl.zeros {64, 256, 1024} -- 64 MiB
local y, z
for _ = 1, 24 do
  y = x + 1
  z = y + 1
end
print(z[{0, 0, 0}], shared() < 1100)
