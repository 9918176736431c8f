local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    local i = 0
    os.execute "(sleep 0.2; kill -INT $PPID) &"
    while i < 8 do i = i * 2 end
  end
end)
f(tl.zeros({64}))
