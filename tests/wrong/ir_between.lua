-- A program between two passes runs nowhere.
tl.from_ir([[
kernel ones(B) -> B machine sm_80 after sync
  buffer B: global float32[128]
  launch bx in 1 threads tid in 128 do
    B[tid] = 1.0
  end
end
]], {target = "sim -arch=sm_80"})()
