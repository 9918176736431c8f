-- A barrier of the block waits for the threads that have not ended, in whichever order they
-- come to it and end.
local text = [[
kernel ended(C) machine sm_80
  buffer C: global float32[128]
  launch bx in 1 threads tid in 128 shared=512 do
    alloc S: shared float32[128] at=0
    S[tid] = 1.0
    C[tid] = 0.0
    if tid < 64 then
      bar_sync
      C[tid] = S[tid // 32 * -32 + 32 + tid % 32]
    end
  end
end
]]
for seed = 0, 12 do
  local k = tl.from_ir(text, {target = ("sim -seed=%d"):format(seed)})
  local c = tl.empty({128}, "float32")
  local ok, why = pcall(function() k(c) return c:item(3) + c:item(40) + c:item(70) end)
  print(ok, (tostring(why):gsub("\n.*", "")))
end
