-- Unrolled loops whose conditions are cut short in front of work: the kernel's text, or its
-- lines with `if`.  The first argument is the name of a kernel below, without one all lines.
local function kernel(body)
  return tl.jit(assert(load(([[
return function(A, B)
  A: T.Tensor({4096}, "int32")
  B: T.Tensor({4096}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local S = T.alloc_shared({64}, "int32")
    local R = T.alloc_shared({64}, "int32")
    S[tx] = A[tx]
    R[tx] = 0
    T.sync_threads()
    for i in T.unroll(24) do
      %s
    end
    T.sync_threads()
    B[tx] = R[tx]
  end
end]]):format(body), "=kernel"))(), {target = "cuda -arch=sm_90a"})
end

local bodies = {
  {"loads", [[
      if A[i * 64 + tx] > 0 and S[(tx + i) % 64] > B[i * 64 + tx] then
        R[(tx * 5 + i) % 64] = S[(tx + i * 3) % 64] + 1
      else
        R[(tx * 3 + i) % 64] = S[(tx + i * 7) % 64] - 1
        B[i * 64 + tx + 1024] = R[tx]
      end]]},
  {"arithmetic", [[
      if tx * i % 7 > 2 and (tx + 3) * i % 11 > 4 and (tx * tx * i) % 13 > 5 then
        R[(tx * 5 + i) % 64] = S[(tx + i * 3) % 64] + 1
      else
        B[tx + i * 64] = 1
      end]]},
  {"negated", [[
      if not (tx * i % 7 > 2 and (tx + 3) * i % 11 > 4) then
        R[(tx * 5 + i) % 64] = S[(tx + i * 3) % 64] + 1
      end]]},
  {"one_way", [[
      if tx * i % 7 > 2 and (tx + 3) * i % 11 > 4 then -- no branch out of the middle
        R[(tx * 5 + i) % 64] = S[(tx + i * 3) % 64] + 1
      end]]},
  {"of_the_block", [[
      if A[i] > 0 and B[i] > 0 then -- the lanes agree
        R[(tx * 5 + i) % 64] = S[(tx + i * 3) % 64] + 1
      else
        B[tx + i * 64] = 1
      end]]},
}

for _, b in ipairs(bodies) do
  if not arg[1] or arg[1] == b[1] then
    local a = tl.zeros({4096}, "int32")
    local text = kernel(b[2]):compile(a, a):get_kernel_source()
    if arg[1] then
      io.write(text)
    else
      print(b[1] .. ": " .. (text:match "\n *(if %([^\n]*)"))
    end
  end
end
