-- A fragment's layout and a block that is no whole number of warps, or of the layout's threads: every value is
-- held by a thread that exists, or the layout is refused.
local function try(threads, over, target)
  local k = tl.jit(function(A, B, R, C)
    A: T.Tensor({64, 8}, T.float32)
    B: T.Tensor({64, 8}, T.float32)
    R: T.Tensor({64}, T.float32)
    C: T.Tensor({8}, T.float32)
    for _ in T.Kernel(1, {threads = threads}) do
      local f, r, c = T.alloc_fragment({64, 8}, "float32"), T.alloc_fragment({64}, "float32"), T.alloc_fragment({8}, "float32")
      T.annotate_layout {[f] = T.Fragment({64, 8}, {
        forward_thread_fn = function(i, j) return i % over end,
        forward_index_fn = function(i, j) return i // over * 8 + j end,
      })}
      T.copy(A, f)
      T.reduce_sum(f, r, 1)
      T.reduce_sum(f, c, 0)
      T.copy(f, B)
      T.copy(r, R)
      T.copy(c, C)
    end
  end)
  local a = tl.arange(512, "float32"):reshape {64, 8}
  local b, r, c = tl.zeros({64, 8}), tl.zeros({64}), tl.zeros({8})
  k.opts.target = target
  local ok, why = pcall(k, a, b, r, c)
  local rows, columns = tl.arange(64, "float32") * 64 + 28, tl.arange(8, "float32") * 64 + 16128
  return ok and tl.allclose(a, b) and tl.allclose(r, rows) and tl.allclose(c, columns) or
    tostring(why):match "E%d+" or "wrong"
end
for _, p in ipairs {{40, 64}, {40, 32}, {40, 8}, {48, 16}, {16, 32}, {16, 16}, {96, 64}, {96, 32}, {160, 64}, {192, 64}} do
  print(p[1] .. " threads, over " .. p[2], try(p[1], p[2], "sim -arch=sm_80"), try(p[1], p[2], "sim -arch=gfx942"))
end

-- forward_fn gets the number of the copy, and the register is the same in all of them.
for _, step in ipairs {0, 1} do
  local k = tl.jit(function(A, B)
    A: T.Tensor({32}, T.float32)
    B: T.Tensor({32}, T.float32)
    for _ in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({32}, "float32")
      T.annotate_layout {[f] = T.Fragment({32}, {
        forward_fn = function(i, r) return i % 16 + r * 16, i // 16 + r * step end, replicate = 2,
      })}
      T.copy(A, f)
      T.copy(f, B)
    end
  end)
  local a, b = tl.arange(32, "float32"), tl.zeros {32}
  k.opts.target = "sim -arch=sm_80"
  local ok, why = pcall(k, a, b)
  print(ok and tl.allclose(a, b) or tostring(why):match "E%d+")
end

-- Copies that begin in the middle of a warp are refused.
for _, p in ipairs {{96, 48}, {96, 32}, {64, 32}, {96, 16}} do
  local threads, own = p[1], p[2]
  local k = tl.jit(function(A, B)
    A: T.Tensor({own}, T.float32)
    B: T.Tensor({own}, T.float32)
    for _ in T.Kernel(1, {threads = threads}) do
      local f = T.alloc_fragment({own}, "float32")
      T.annotate_layout {[f] = T.Fragment({own}, {
        forward_thread_fn = function(i, r) return i + r * own end, replicate = threads // own,
      })}
      T.copy(A, f)
      T.copy(f, B)
    end
  end)
  local a, b = tl.arange(own, "float32"), tl.zeros {own}
  k.opts.target = "sim -arch=sm_80"
  local ok, why = pcall(k, a, b)
  print(threads, own, ok and tl.allclose(a, b) or tostring(why):match "E%d+")
end
