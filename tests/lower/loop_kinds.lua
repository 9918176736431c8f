-- Ends of every kind of loop in narrow and unsigned types: each machine against the cpu target.
local bodies = {
 par = "for o in T.Parallel(n) do S[o] = A[o] + 1 end",
 par2 = "for a, b in T.Parallel(n, m) do S[a + b * 256] = A[a + b * 256] end",
 par3 = "for a, b in T.Parallel(n, m) do B[T.cast(a, 'int32') + 256 * T.cast(b, 'int32')] = A[a + b] end",
 unr = "for o in T.unroll(m, n) do S[o] += 1 end",
 ser = "for o in T.serial(m, n, 3) do S[o] += 1 end",
 back = "for o in T.serial(n, m, -7) do S[o] += 1 end",

}
for name, b in pairs(bodies) do
for _, dt in ipairs {"uint8", "int8", "uint16", "uint32", "int64"} do
  local k = assert(load(([[return tl.jit(function(A, n, m)
    A: T.Tensor({512}, T.int32)
    n: T.%s
    m: T.%s
    local B = T.empty({512}, T.int32)
    for bx in T.Kernel(1, {threads = 128}) do
      local S = T.alloc_shared({512}, T.int32)
      T.clear(S)
      T.copy(S, B)
      %s
      for o in T.Parallel(512) do B[o] += S[o] end
    end
    return B
  end)]]):format(dt, dt, b), "=" .. name))()
  local A = tl.randint(0, 100, {512}, "int32")
  for _, nm in ipairs {{250, 2}, {255, 2}, {100, 2}, {0, 2}, {127, 2}, {127, 0}} do
    local n, m = nm[1], nm[2]
    if not (dt == "int8" and n > 127) then
      tl.set_target "cpu"
      local ok, want = pcall(k, A, n, m)
      if not ok then print(name, dt, n, m, want) end
      for _, arch in ipairs {"sm_80", "sm_90a"} do
        tl.set_target("sim -arch=" .. arch)
        local okg, got = pcall(k, A, n, m)
        if ok ~= okg then print(name, dt, n, m, arch, want, got)
        elseif ok then
          local e, d = pcall(tl.testing.assert_close, got, want, {rtol = 0, atol = 0})
          if not e then print(name, dt, n, m, arch, "differs") end
        end
      end
    end
  end
end
end
print "compared"
