-- An index that is read from memory which the launch writes is read once: neither we nor the C compiler
-- read it again between the test and the access.  What nothing writes is read as ever.
local function kernel(written, body, target)
  return assert(load(([[return tl.jit(function(A, B)
    A: T.Tensor({16}, T.int32)
    B: T.Tensor({16}, T.int32)
    for bx in T.Kernel(4, {threads = 64}) do
      local s = T.alloc_shared({16}, T.int32)
      local tx = T.get_thread_binding()
      T.copy(A, s)
      %s
      %s
    end
  end, {target = "%s"})]]):format(body, written and "if tx == 3 then A[bx] = 1 end" or "", target), "=kernel"))()
end

local bodies = {
  "if A[0] < 16 then B[A[0]] = 3 end",
  "for i in T.Parallel(16) do B[A[i]] = i end",
  "for i in T.Parallel(16) do B[A[A[i]]] = i end",
  "local a = A[tx % 16]; if a >= 0 and a < 16 then B[a] = tx end",
  "local a = A[tx % 16]; if a > 3 then B[tx % 16] = a end", -- no index
  "for i in T.Parallel(16) do B[s[i]] = i end",             -- shared
}
for _, target in ipairs {"cuda -arch=sm_90a", "maca", "hip"} do
  for _, written in ipairs {true, false} do
    print(("-- %s, %s"):format(target, written and "written" or "read only"))
    for _, body in ipairs(bodies) do
      print(body)
      local text = kernel(written, body, target):compile():get_kernel_source()
      for line in text:gmatch "[^\n]+" do
        if line:find "const int at?_?%d* = " or line:find "volatile" then
          print("   " .. line:match "^%s*(.*)$")
        end
      end
    end
  end
end
