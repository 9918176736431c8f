-- What a range of threads makes of what stands in it, where that is less than what was asked.
tl.set_target "sim -arch=sm_80"
local f32 = T.float32

local function notes(name, k)
  print("== " .. name)
  for _, n in ipairs(k:compile():analyze().notes) do
    if n.code == "E737" or n.code == "E738" then
      print(("line %d, %s: %s: %s"):format(n.line, n.code, n.en.title, n.en.label))
    end
  end
end

notes("a pipeline of a part of a warp", tl.jit(function(A)
  A: T.Tensor({8, 64}, f32)
  local B = T.empty({8, 64}, f32)
  for _ in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    if tx < 20 then
      for k in T.Pipelined(8, {num_stages = 2}) do
        for i in T.Parallel(64) do
          B[k, i] = A[k, i]
        end
      end
    end
  end
  return B
end))

notes("roles of nobody", tl.jit(function(A)
  A: T.Tensor({64}, f32)
  local B = T.empty({64}, f32)
  for _ in T.Kernel(1, {threads = 256}) do
    local tx = T.get_thread_binding()
    if tx < 128 then
      for t in T.ws(0) do
        B[t % 64] = A[t % 64]
      end
      for t in T.ws(1) do
        B[t % 64] = 0.0
      end
    end
  end
  return B
end))
