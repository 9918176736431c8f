-- A kernel that is stopped is told with the loops that it may have been in.
require("moontile.tl.device").session("cpu"):limit(0.2)
local function stopped(text, k)
  print("--- " .. text)
  print(select(2, pcall(k, tl.zeros({64}))))
end

stopped("a while", tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(64) do A[i] = 1 end
    while A[0] > 0 do
      A[0] = A[0] + 1
    end
  end
end, {target = "cpu"}))
stopped("rounds that memory knows, and no others", tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    A[0] = 3e9
    for i in T.serial(T.cast(A[0], "int64")) do
      for j in T.serial(100) do
        A[1] = A[1] * 0.5 + A[2] + T.sin(A[1])
      end
    end
  end
end, {target = "cpu"}))
stopped("only many", tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.serial(100) do
      A[i % 64] = 1
    end
    for i, j in T.grid(2000000, 1000) do
      for l in T.serial(100) do
        A[1] = A[1] * 0.5 + A[2] + T.sin(A[1])
      end
    end
  end
end, {target = "cpu"}))
