require "moontile.tl.fault".seconds.stop = 1
local k = tl.jit(function(F, C)
  F: T.Tensor({4}, "int32")
  C: T.Tensor({4}, "int32")
  for bx in T.Kernel(4, {threads = 32}) do
    if bx < 3 then
      while T.atomic_load(F[bx + 1], "acquire") == 0 do T.atomic_add(C[bx], 0) end
    end
    C[bx] = 1
    T.atomic_store(F[bx], 1, "release")
  end
end)
local f, c = tl.zeros({4}, "int32"), tl.zeros({4}, "int32")
print(pcall(k, f, c))
