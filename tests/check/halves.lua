-- Elements of 4 bits: what is wrong with one half of a byte is told of that half alone.
tl.set_target "sim"
local function show(what, f)
  print("-- " .. what)
  local r = tl.jit(f):compile(tl.zeros({64}, "int4")):check {ref = function(a) return a end}
  local last = r.runs[#r.runs]
  print(r.ok, last.verdict, last.error and last.error.code)
end

show("each thread stores a half of its own", function(A)
  A: T.Tensor({64}, T.int4)
  local C = T.empty({64}, T.int4)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[63 - tx] = A[63 - tx]
  end
  return C
end)

show("two threads store the same half", function(A)
  A: T.Tensor({64}, T.int4)
  local C = T.empty({64}, T.int4)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[tx] = A[tx]
    if tx >= 32 then C[tx // 2 + 1] = A[tx] end
  end
  return C
end)

show("a half is never written", function(A)
  A: T.Tensor({64}, T.int4)
  local C = T.empty({64}, T.int4)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    if tx ~= 33 then C[tx] = A[tx] end
  end
  return C
end)

show("a half of shared memory is read before it is written", function(A)
  A: T.Tensor({64}, T.int4)
  local C = T.empty({64}, T.int4)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local s = T.alloc_shared({64}, T.int4)
    if tx % 2 == 0 then s[tx] = A[tx] end
    T.sync_threads()
    C[tx] = s[tx]
  end
  return C
end)

show("a wrong half, and who wrote it", function(A)
  A: T.Tensor({64}, T.int4)
  local C = T.empty({64}, T.int4)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[tx] = A[tx]
    T.sync_threads()
    if tx == 5 then C[33] = 3 - A[33] end
  end
  return C
end)
