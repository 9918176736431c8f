-- A kernel means the same under any layout of its tiles, on any machine.
local layouts = {
  {"none"},
  {"swizzled", T.make_swizzled_layout},
  {"half bank", T.make_half_bank_swizzled_layout},
  {"wgmma", T.make_wgmma_swizzled_layout},
  {"transposed", function() return T.Layout({64, 64}, function(i, j) return {j, i} end) end},
  {"padded", function() return T.Layout({64, 64}, function(i, j) return i * 72 + j end) end},
  {"an XOR of its own", function()
    return T.Layout({64, 64}, function(i, j) return i * 64 + (j // 4 ~ i // 2 % 8) * 4 + j % 4 end)
  end},
  {"blocks", function()
    return T.Layout({64, 64}, function(i, j) return {j // 16, i // 8, i % 8, j % 16} end)
  end},
}

local function kernel(make)
  return tl.jit(function(A, B)
    A: T.Tensor({64, 96}, "float16")
    B: T.Tensor({96, 64}, "float16")
    local C, D = T.empty({64, 64}, "float32"), T.empty({64, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local x, y = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
      local z, c = T.alloc_shared({64, 64}, "float32"), T.alloc_fragment({64, 64}, "float32")
      local r = T.alloc_fragment({64, 64}, "float32")
      if make then
        T.annotate_layout {[x] = make(x), [y] = make(y), [z] = make(z), [r] = T.Fragment({64, 64}, {
          thread = function(i, j) return i % 16 * 8 + j % 8 end,
          index = function(i, j) return i // 16 * 8 + j // 8 end})}
      end
      T.clear(c)
      for k in T.Pipelined(2, {num_stages = 2}) do
        T.copy(A[0, k * 64], x)
        T.copy(B[k * 64, 0], y)
        T.gemm(x, y, c)
      end
      T.copy(c, z)
      T.copy(z, C)
      T.copy(z, r)
      for i, j in T.Parallel(64, 64) do
        r[i, j] = r[i, j] + j
      end
      T.copy(r, D)
    end
    return C, D
  end)
end

local a, b = tl.randn({64, 96}, "float16"), tl.randn({96, 64}, "float16")
local want = tl.ref.matmul(a, b, {dtype = "float32"})
for _, arch in ipairs {"sm_80", "sm_90a", "c500", "gfx942", "simt"} do
  tl.set_target("sim -arch=" .. arch)
  for _, l in ipairs(layouts) do
    local c, d = kernel(l[2])(a, b)
    tl.testing.assert_close(c, want, {rtol = 1e-3, atol = 1e-2})
    local good = true
    for i = 0, 63 do
      for j = 0, 63 do
        good = good and math.abs(d:item(i, j) - j - c:item(i, j)) < 1e-4
      end
    end
    print(arch, l[1], good and "agrees" or "differs")
  end
end

-- Tiles that live one after the other share bytes: nothing may be seen of it.
local reuse = tl.jit(function(A)
  A: T.Tensor({128, 64}, "float32")
  local B = T.empty({128, 64}, "float32")
  for bx in T.Kernel(2, {threads = 128}) do
    local p, q, r = T.alloc_shared({64, 64}, "float32"), T.alloc_shared({64, 64}, "float32"),
      T.alloc_shared({64, 64}, "float32")
    local f = T.alloc_fragment({64, 64}, "float32")
    T.copy(A[bx * 64, 0], p)
    for i, j in T.Parallel(64, 64) do f[i, j] = p[j, i] * 2 end
    T.copy(f, q)
    for i, j in T.Parallel(64, 64) do f[i, j] = q[j, i] + 1 end
    for _ in T.serial(3) do
      T.copy(f, r)
      for i, j in T.Parallel(64, 64) do f[i, j] = r[63 - i, 63 - j] end
    end
    T.copy(f, B[bx * 64, 0])
  end
  return B
end)
local A = tl.arange(128 * 64, "float32"):reshape {128, 64}
for _, arch in ipairs {"sm_80", "sm_90a", "gfx90a", "simt"} do
  tl.set_target("sim -arch=" .. arch)
  local B, good = reuse(A), true
  for i = 0, 127 do
    for j = 0, 63 do
      local from = (i // 64 * 64 + 63 - i % 64) * 64 + 63 - j
      good = good and B:item(i, j) == 2 * from + 1
    end
  end
  print(arch, "reuse", good and "agrees" or "differs")
end
