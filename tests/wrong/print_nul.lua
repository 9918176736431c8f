-- A NUL byte would end the text of the message.
local function code(fn, ...)
  io.stderr:write(tostring(select(2, pcall(fn, ...))):match "E%d+" or "accepted", "\n")
end
local k = tl.jit(function(A)
  A: T.Tensor({4}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    code(T.print, "c\0d")
    code(T.device_assert, bx < 2, "e\0f")
    T.print(A[1], "a\0b")
  end
end)
k:compile {}
