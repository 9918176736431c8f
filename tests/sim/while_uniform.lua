-- A loop that lanes leave one by one, whose condition is the same in all of them.
for _, target in ipairs {"sim -arch=sm_80", "sim -arch=c500", "cpu"} do
  tl.set_target(target)
  local count = tl.jit(function(P, n)
    P: T.Tensor({64}, "int32")
    n: T.int32
    local O = T.empty({64}, "int32")
    for _ in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      local v, w = T.alloc_var("int32", 0), T.alloc_var("int32", 1)
      v = T.Select(tx // 32 == 1, w, 0)
      while n > 3 do
        w = P[17] + v
        if w > P[tx] + v then break end
        v = v + 1
        if v > 9 then break end
      end
      O[tx] = v
    end
    return O
  end)
  local p = tl.arange(64, "int32")
  for n = 3, 4 do
    local o = count(p, n)
    print(target, n, o[0], o[20], o[40])
  end
end
