-- Tiles whose rows have gaps between them, so that columns do not meet at one bank, need more bytes than stand in
-- them.  Where only the tiles without gaps fit, they go without.
local function kernel(BM, BN, BK, stages, turned)
  return tl.jit(function(A, B)
    local K = T.const "K"
    A: T.Tensor({turned and K or BM, turned and BM or K}, T.int8)
    B: T.Tensor({K, BN}, T.int8)
    local C = T.empty({BM, BN}, T.int32)
    for bx in T.Kernel(1, {threads = 128}) do
      local a = T.alloc_shared({turned and BK or BM, turned and BM or BK}, T.int8)
      local b, c = T.alloc_shared({BK, BN}, T.int8), T.alloc_fragment({BM, BN}, T.int32)
      T.clear(c)
      for k in T.Pipelined(K // BK, {num_stages = stages}) do
        if turned then T.copy(A[k * BK, 0], a) else T.copy(A[0, k * BK], a) end
        T.copy(B[k * BK, 0], b)
        T.gemm(a, b, c, {transpose_A = turned})
      end
      T.copy(c, C)
    end
    return C
  end)
end

tl.manual_seed(1)
for _, c in ipairs {
  {64, 128, 64, 1, true, {12352, 14304, 14400}}, {128, 64, 128, 2, true, {49152, 57280, 60000}},
  {64, 64, 96, 1, false, {12352, 14000}}, {32, 96, 64, 2, true, {16384, 20480}},
} do
  local BM, BN, BK, stages, turned, rooms = table.unpack(c)
  for _, arch in ipairs {"sm_90a", "sm_80", "sm_75", "gfx942", "c500"} do
    local a = tl.randint(-8, 8, turned and {4 * BK, BM} or {BM, 4 * BK}, "int8")
    local b = tl.randint(-8, 8, {4 * BK, BN}, "int8")
    local want = tl.ref.matmul((turned and a:t() or a):astype "float32", b:astype "float32")
    for _, room in ipairs(rooms) do
      tl.set_target(("sim -arch=%s -shared=%d"):format(arch, room))
      local k = kernel(BM, BN, BK, stages, turned)
      local ok, got = pcall(k, a, b)
      local said = {}
      if ok then
        for _, n in ipairs(k:compile(a, b):analyze().notes) do
          if n.code == "E344" then said[#said + 1] = n.en.label end
        end
      end
      print(BM, BN, BK, stages, arch, room, ok and tl.allclose(got:astype "float32", want, {rtol = 0, atol = 0})
        or tostring(got):match "error%[E%d+%]", table.concat(said))
    end
  end
end
