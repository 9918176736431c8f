-- 20-two-gemms: relu(A B) C, and what lies between the products stays in registers.

-- D, and for the limits the square root of the sum of the squared terms h c, where h counts
-- what its own sum may round, too: at most 6 + 4 sqrt(K) times 2^-24 of sum |a b|, in units of
-- float16's 2^-11.
local function reference(x, size)
  local h = ref.relu(ref.matmul(x.A, x.B))
  local sums = ref.matmul(ref.abs(x.A), ref.abs(x.B))
  local moved = ref.mul(sums, math.min(size.K, 6 + 4 * math.sqrt(size.K)) * 2^-13)
  local wide = ref.add(h, moved)
  local squares = ref.matmul(ref.mul(wide, wide), ref.mul(x.C, x.C))
  return {D = ref.matmul(h, x.C)}, {D = ref.sqrt(squares)}
end

-- The names of the buffers of a kind, without what the compiler hangs on: name -> true.
local function names(p, scope)
  local found = {}
  for _, b in pairs(program.buffers(p, {scope = scope})) do
    found[b.name:match "^[^%.]+"] = true
  end
  return found
end

-- Does the kernel move a fragment to memory on its way, by itself or by the compiler?
-- -> the name of what was moved, or nil
local function detour(f)
  local fragments = program.buffers(f.tile, {scope = "fragment"})
  local shared, own = program.buffers(f.tile, {scope = "shared"}), names(f.tile, "fragment")
  for name in pairs(names(f.thread, "shared")) do
    if own[name] then
      return name -- two layouts that do not agree, and shared memory between them
    end
  end
  for n, b in pairs(shared) do
    local copied = false
    for _, s in ipairs(f.tile.statements) do
      if program.among(s.writes, {[n] = true}) then
        if s.op ~= "copy" or program.among(s.reads, fragments) then
          return b.name -- stored element by element, or from a fragment
        end
        copied = true
      end
    end
    if not copied then
      return b.name
    end
  end
end

local function global_tensors(f)
  local n = 0
  for _ in pairs(program.buffers(f.tile, {scope = "global"})) do
    n = n + 1
  end
  return n
end

return {
  name = "two-gemms",
  title = {en = "Two products", zh = "两次矩阵乘"},
  level = "hard",
  minutes = 45,
  teaches = {
    en = "an accumulator can be the next product's operand, when both agree on who holds which "
      .. "element",
    zh = "累加器可以直接作下一次乘法的操作数，只要双方对“谁持有哪个元素”的约定一致",
  },
  names = {"T.gemm", "T.GemmWarpPolicy"},
  parts = {
    {
      name = "two_gemms",
      inputs = {
        {name = "A", shape = {"M", "K"}, dtype = "float16"},
        {name = "B", shape = {"K", "H"}, dtype = "float16"},
        {name = "C", shape = {"H", "N"}, dtype = "float16"},
      },
      outputs = {{name = "D", shape = {"M", "N"}, dtype = "float16"}},
      config = {{"BLOCK_M", 64}, {"BLOCK_H", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 64}},
      -- whole tiles; ragged in all four, with many hidden columns
      visible = {{M = 64, K = 128, H = 128, N = 64}, {M = 70, K = 75, H = 330, N = 33}},
      hidden = {M = {1, 130}, K = {1, 150}, H = {1, 300}, N = {1, 100}},
      beyond = {M = 407, K = 467, H = 917, N = 317},
      large = {M = 4096, K = 512, H = 2048, N = 512},
      reference = reference,
      -- The second product takes h in float16: each term h c carries one rounding of at most
      -- u = 2^-11 of itself, all else is float32.  The roundings are independent: their sum has
      -- a deviation below u sqrt(sum (h c)^2 / 3), and 4 u sqrt(..), the 4 of `steps`, is seven
      -- of these.  The next lower type, bfloat16, rounds 8 times as coarsely; sums gathered in
      -- float16 round with each step of the product, which shows from some 200 terms on.
      precision = {acc = "float16", steps = 4, lower = "bfloat16"},
      goals = {
        {
          id = "global",
          en = "the hidden numbers never go to global memory",
          zh = "隐藏层的数不进入全局内存",
          test = function(f)
            return global_tensors(f) == 4,
              ("the kernel has %d tensors in global memory; A, B, C and D are four"):format(
                global_tensors(f)),
              ("内核在全局内存中有 %d 个张量；A、B、C、D 只有四个"):format(global_tensors(f))
          end,
        },
        {
          id = "registers",
          en = "the hidden numbers stay in registers from one product to the next",
          zh = "从一次乘法到下一次，隐藏层的数始终留在寄存器中",
          test = function(f)
            local name = detour(f)
            return name == nil, ("`%s` is in shared memory"):format(name or ""),
              ("`%s` 放在共享内存中"):format(name or "")
          end,
        },
      },
      explain = {
        {goal = "registers",
          en = "Give both T.gemm the policy T.GemmWarpPolicy.FullRow: each warp then computes "
            .. "whole rows of the hidden tile, and needs the same rows for the second product. "
            .. "T.gemm takes a " ..
            "fragment as its first operand; no copy to shared memory is needed.",
          zh = "给两个 T.gemm 都加上 T.GemmWarpPolicy.FullRow：每个 warp 算出隐藏分块的整行，第二次乘法要的" ..
            "也正是这些行。T.gemm 的第一个操作数可以是 fragment，不必先复制到共享内存。"},
        {goal = "global",
          en = "One launch: the tile of hidden numbers is used up by the block that made it.",
          zh = "只用一次启动：隐藏分块由算出它的线程块自己用掉。"},
        {outcome = "wrong", cause = "zeros",
          en = "out still holds the zeros it was cleared to: the second T.gemm must add to it.",
          zh = "out 里还是清零时的 0：第二个 T.gemm 会往上累加。"},
        {outcome = "wrong", stage = "hidden",
          en = "It holds for the sizes that you see. What if H or K is smaller than a tile? "
            .. "T.ceildiv counts a partial tile as one.",
          zh = "可见的尺寸都对。H 或 K 比一个分块还小时呢？T.ceildiv 把不满的分块也算一个。"},
        {outcome = "wrong",
          en = "Two accumulators with two lifetimes: `hidden` starts at 0 for each tile of "
            .. "hidden columns, `out` only once. ReLU comes between the products, when all of K "
            .. "has been added up.",
          zh = "两个累加器寿命不同：`hidden` 对每个隐藏分块都从 0 开始，`out` 只清零一次。" ..
            "ReLU 位于两次乘法之间，要等沿 K 全部累加完。"},
        {outcome = "weak",
          en = "Both products add up in T.float32; only what goes from the first to the second is float16.",
          zh = "两次乘法都用 T.float32 累加；只有从第一次送到第二次的数才是 float16。"},
      },
    },
  },
}
