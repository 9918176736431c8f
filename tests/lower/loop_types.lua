-- Loops whose ends have narrow and unsigned types: pipelines with starts that only the run knows,
-- rounds that are none, several of them over one buffer; each machine against the cpu target.
local function make(dt)
  return tl.jit(function(A, n, m)
    A: T.Tensor({4096}, T.float16)
    n: dt
    m: dt
    local B = T.empty({64}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local S = T.alloc_shared({64}, T.float16)
      local F = T.alloc_fragment({64}, T.float32)
      T.clear(F)
      for j in T.Pipelined(n, m, {num_stages = 3}) do
        T.copy(A[j * 8:j * 8 + 64], S)
        for o in T.Parallel(64) do F[o] += S[o] end
      end
      for j in T.Pipelined(m, {num_stages = 3}) do
        T.copy(A[j * 8:j * 8 + 64], S)
        for o in T.Parallel(64) do F[o] += S[o] end
      end
      for j in T.Pipelined(7, {num_stages = 2}) do
        T.copy(A[j * 8:j * 8 + 64], S)
        for o in T.Parallel(64) do F[o] += S[o] end
      end
      T.copy(F, B)
    end
    return B
  end)
end
local A = tl.randn({4096}, "float16")
for _, dt in ipairs {"uint8", "int8", "uint16", "int16", "int32", "uint32", "int64"} do
  local k = make(dt)
  for _, nm in ipairs {{3, 16}, {16, 3}, {0, 5}, {5, 5}, {250, 255}, {-5, -3}, {-128, -125}, {120, 127}} do
    local n, m = nm[1], nm[2]
    if not (dt == "int8" and m > 127 or dt:find "^u" and n < 0) then
      tl.set_target "cpu"
      local ok, want = pcall(k, A, n, m)
      for _, arch in ipairs {"sm_80", "sm_90a", "c500", "simt"} do
        tl.set_target("sim -arch=" .. arch)
        local okg, got = pcall(k, A, n, m)
        if ok ~= okg then print(dt, n, m, arch, want, got)
        elseif ok then
          local e, d = pcall(tl.testing.assert_close, got, want, {rtol = 1e-3, atol = 1e-3})
          if not e then print(dt, n, m, arch, d) end
        end
      end
    end
  end
end
print "compared"
