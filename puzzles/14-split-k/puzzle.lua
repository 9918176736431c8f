-- 14-split-k: a sum that several blocks share, by atomic additions.

local BLOCK = 128                              -- numbers a block of `total` takes
local SPLIT, BLOCK_M, BLOCK_N, BLOCK_K = 4, 16, 32, 32

local function ceildiv(a, b)
  return -(-a // b)
end

local function atomic(f)
  if f.atomics > 0 then
    return true
  end
  return false, "the kernel has no atomic addition", "内核里没有原子加"
end

-- Goal: at least `least(size)` blocks.
local function enough(least)
  return function(f)
    local need = least(f.size)
    if f.blocks >= need then
      return true
    end
    return false, ("%d blocks, and at least %d are asked for"):format(f.blocks, need),
      ("只有 %d 个线程块，要求至少 %d 个"):format(f.blocks, need)
  end
end

local atomics = {id = "atomics", test = atomic,
  en = "the blocks meet by atomic additions", zh = "各线程块用原子加汇合"}

local not_cleared = {
  en = "T.atomic_add reads the old value before it adds. Nobody has put a 0 there yet: a first "
    .. "launch must do it.",
  zh = "T.atomic_add 会先读出原来的值再加。还没有人在那里放过 0：需要前面一次启动来做。",
}

local function explain(list)
  local all = {
    {outcome = "unwritten", en = not_cleared.en, zh = not_cleared.zh},
    {outcome = "race", en = "Two blocks touch one element and at least one of them writes it "
      .. "plainly. Blocks of one launch run in any order, so a store that clears and an addition "
      .. "that counts must be in two launches; the additions themselves must be atomic.",
      zh = "两个线程块碰到同一个元素，而且至少有一个在普通地写它。同一次启动的线程块之间没有先后，"
        .. "因此清零的写和求和的加必须分在两次启动里，而加法本身必须是原子的。"},
    {outcome = "goal", goal = "blocks", en = "Right, but too few blocks share the work.",
      zh = "结果正确，但分担工作的线程块太少。"},
  }
  for i, row in ipairs(list) do
    table.insert(all, i, row)
  end
  return all
end

return {
  name = "split-k",
  title = {en = "Many hands, one sum", zh = "众人合成一个和"},
  level = "medium", minutes = 30,
  teaches = {en = "blocks add to one result: zero first, then T.atomic_add",
    zh = "多个线程块加到同一个结果上：先清零，再 T.atomic_add"},
  names = {"T.atomic_add", "T.clear", "T.Kernel"},
  parts = {
    {
      name = "total",
      title = {en = "One number from all blocks", zh = "所有线程块合成一个数"},
      -- not negative, so that a sum which lacks some numbers is far from the right one
      inputs = {{name = "A", shape = {"N"}, dtype = "float32", fill = "uniform"}},
      outputs = {{name = "S", shape = {1}, dtype = "float32"}},
      config = {{"BLOCK", BLOCK}},
      visible = {{N = 1000}, {N = 128}, {N = 1}},
      hidden = {N = {1, 3000}},
      beyond = {N = 9017},
      large = {N = 1 << 24},
      reference = function(x, size)
        local row = x.A:reshape {1, size.N}
        return {S = ref.sum(row, 1)}, {S = ref.sum(ref.abs(row), 1)}
      end,
      -- N numbers added one by one, in any order: N roundings; adding to the 0 that was put
      -- there first is exact.  The scale is what is added up, sum |A|.
      precision = {acc = "float32", steps = function(size) return size.N end},
      deterministic = false, -- atomic additions come in any order
      goals = {
        atomics,
        {id = "blocks", en = "one block for every BLOCK numbers", zh = "每 BLOCK 个数一个线程块",
          test = enough(function(size) return ceildiv(size.N, BLOCK) end)},
      },
      explain = explain {
        {outcome = "wrong", en = "Too much? Then a sum is added more than once: the addition of "
          .. "a block's sum comes after its loops, not inside. Too little? Then some numbers "
          .. "have no block: the last one may be only partly full.",
          zh = "太多？那么有的和加了不止一次：一个线程块的和要在循环之外加，而不是在里面。太少？那么有的数没有线程块负责："
            .. "最后一个线程块可能不满。"},
        {outcome = "weak", en = "Sums must be float32 all the way, in the block, too.",
          zh = "从头到尾都要用 float32 求和，线程块内也一样。"},
      },
    },
    {
      name = "split_k",
      title = {en = "A product with a long K", zh = "K 很长的矩阵乘"},
      inputs = {
        {name = "A", shape = {"M", "K"}, dtype = "float16"},
        {name = "B", shape = {"K", "N"}, dtype = "float16"},
      },
      outputs = {{name = "C", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"SPLIT", SPLIT}, {"BLOCK_M", BLOCK_M}, {"BLOCK_N", BLOCK_N},
        {"BLOCK_K", BLOCK_K}},
      visible = {{M = 17, N = 40, K = 300}, {M = 16, N = 32, K = 64}},
      hidden = {M = {1, 40}, N = {1, 70}, K = {1, 600}},
      beyond = {M = 137, N = 227, K = 1817},
      large = {M = 128, N = 128, K = 32768},
      reference = function(x)
        return {C = ref.matmul(x.A, x.B)}, {C = ref.matmul(ref.abs(x.A), ref.abs(x.B))}
      end,
      -- A product of two float16 is exact in float32.  Adding up: at most K roundings inside
      -- the pieces and SPLIT where the pieces meet.  The scale is |A| |B|.
      precision = {acc = "float32", steps = function(size) return size.K + SPLIT end},
      deterministic = false, -- atomic additions come in any order
      goals = {
        atomics,
        {id = "blocks", en = "SPLIT blocks for every tile of C", zh = "C 的每个分块有 SPLIT 个线程块",
          test = enough(function(size)
            return SPLIT * ceildiv(size.M, BLOCK_M) * ceildiv(size.N, BLOCK_N)
          end)},
      },
      explain = explain {
        {outcome = "wrong", cause = "zeros", en = "C is zero: the tile in registers never gets "
          .. "to memory.", zh = "C 全为零：寄存器里的分块没有写回内存。"},
        {outcome = "wrong", en = "Sums are incomplete, or count something twice. Where does the "
          .. "stretch of block bz begin, how many steps does it have, and do the SPLIT stretches "
          .. "together cover K once when K is not a multiple of SPLIT * BLOCK_K?",
          zh = "和不完整，或者有的项加了不止一次。第 bz 线程块的那一段从哪里开始，有几步？K 不是 "
            .. "SPLIT * BLOCK_K 的倍数时，SPLIT 段合起来正好覆盖整个 K 一次吗？"},
        {outcome = "weak", en = "The accumulator must be float32: with a long K, rounding errors "
          .. "add up.",
          zh = "累加器必须是 float32：K 很长时舍入误差会积累。"},
      },
    },
  },
}
