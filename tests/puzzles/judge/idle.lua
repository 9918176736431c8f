-- What goals see of a program: nothing that only fills what nobody reads, nor what holds nothing else; an atomic
-- whose old value decides where a result goes is seen, though nobody reads its buffer.
local program = require "moontile.puzzles.judge.program"
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local B = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local t = T.get_thread_binding()
    local places = T.alloc_shared({1}, T.int32)
    local idle, other = T.alloc_var(T.float32, 0), T.alloc_fragment({64}, T.float32)
    if t == 0 then places[0] = 0 end
    T.sync_threads()
    idle = T.shfl_xor(A[t], 1)
    if T.shfl_down(A[t], 1) > 0 then
      idle = 1
    end
    for i in T.serial(4) do
      idle += A[i]
    end
    for i in T.Parallel(64) do other[i] = A[i] * 2 end
    local at = T.atomic_add(places[0], 1, {return_prev = true})
    if T.shfl_up(A[t], 1) >= -1e30 then
      B[at] = A[t]
    end
  end
  return B
end, {target = "sim"})
local p = program.of(f:compile().P, "sim -arch=sm_80")
for _, s in ipairs(p.statements) do
  if s.kind ~= "alloc" then
    print(s.kind, s.call or "", table.concat(s.calls, " "), s.parent and p.statements[s.parent].kind or "")
  end
end
print("shuffles", program.ask.calls(p, "shfl_xor"), program.ask.calls(p, "shfl_down"), program.ask.calls(p, "shfl_up"))
