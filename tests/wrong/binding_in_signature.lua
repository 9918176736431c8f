local f = tl.jit(function(A, B)
  A: T.Tensor({16}, "int32")
  if T.get_thread_binding() < 8 then
    B: T.Tensor({16}, "int32")
  end
  for _ in T.Kernel(1, {threads = 32}) do T.copy(A, B) end
end)
f:compile(tl.zeros({16}, "int32"), tl.zeros({16}, "int32"))
