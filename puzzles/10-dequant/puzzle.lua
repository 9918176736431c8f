-- 10-dequant: a product of matrices one of which comes as 4-bit numbers, two to a byte.

return {
  name = "dequant",
  title = {en = "Weights in four bits", zh = "四位权重"},
  level = "hard",
  minutes = 40,
  teaches = {
    en = "data that stays packed until it is in shared memory, and is unpacked there",
    zh = "数据一直打包到共享内存，在那里才解包",
  },
  names = {"T.cast", "T.Pipelined", "T.gemm", "dtypes"},
  parts = {
    {
      name = "dequant",
      inputs = {
        {name = "A", shape = {"M", "K"}, dtype = "float16"},
        {name = "B", shape = {"K", "H"}, dtype = "uint8", fill = "bytes"},
      },
      outputs = {{name = "C", shape = {"M", "2*H"}, dtype = "float16"}},
      config = {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 32}},
      visible = {{M = 64, K = 96, H = 64}, {M = 33, K = 75, H = 45}, {M = 1, K = 1, H = 1}},
      hidden = {M = {1, 130}, K = {1, 250}, H = {1, 90}},
      beyond = {M = 407, K = 767, H = 287},
      large = {M = 4096, K = 4096, H = 2048},
      large_config = {BLOCK_M = 128, BLOCK_N = 128, BLOCK_K = 64},
      reference = function(x)
        local W = ref.dequantize_int4(x.B)   -- nibble - 8, the low nibble at the even column
        return {C = ref.matmul(x.A, W)}, {C = ref.matmul(ref.abs(x.A), ref.abs(W))}
      end,
      -- steps     W is a whole number of at most 4 bits, exact in float16; a product with a float16
      --           number has 15 bits and is exact in float32.  The K additions round.
      -- scale     sum |A| |W|: the weights, up to 8, are in it.
      -- factor    the result is rounded once more, to float16: half an ulp, all of which the best
      --           kernel uses.  A whole ulp is allowed: the plain kernel stays at half of it.
      -- lower     float16: over 40 seeds of the first size, sums in float16 exceed the limit 11
      --           times and more where the terms cancel.
      precision = {acc = "float32", steps = function(size) return size.K end, factor = 2},
      goals = {
        {id = "stages", en = "copies run ahead: two stages or more",
          zh = "复制提前进行：流水线至少两级",
          test = function(f)
            if f.stages == 0 then
              return false, "no loop says how far copies run ahead", "没有循环说明复制提前几步"
            end
            return f.stages >= 2, ("the deepest pipeline has %d stages"):format(f.stages),
              ("最深的流水线有 %d 级"):format(f.stages)
          end},
      },
      explain = {
        {outcome = "goal", goal = "stages",
          en = "Right, but no copy runs ahead: T.Pipelined with {num_stages = 2} or more.",
          zh = "结果正确，但没有复制提前进行：T.Pipelined 配合 {num_stages = 2} 或更多。"},
        {code = "E520",
          en = "T.gemm adds to C_tile: one T.clear(C_tile) before the loop.",
          zh = "T.gemm 是往 C_tile 上累加：在循环之前 T.clear(C_tile) 一次。"},
        {outcome = "weak",
          en = "The accumulator must be float32; only the copy into C rounds to float16.",
          zh = "累加器必须是 float32，只有写入 C 的复制才舍入为 float16。"},
        {outcome = "wrong", cause = "zeros",
          en = "C is 0 there: is T.gemm called for every step along K?",
          zh = "那里的 C 为 0：沿 K 的每一步都调用了 T.gemm 吗？"},
        {outcome = "wrong", cause = "xor",
          en = "Columns are swapped in pairs: the low nibble, byte & 15, belongs to the even "
            .. "column, the high one, byte >> 4, to the odd.",
          zh = "列成对地换了位置：低半字节（byte & 15）属于偶数列，高半字节（byte >> 4）属于奇数列。"},
        {outcome = "wrong", pattern = "cols",
          en = "Whole columns are wrong. Column j of W is in byte j // 2: in the low nibble where j is "
            .. "even, in the high one where it is odd. And a tile of BLOCK_N columns begins at "
            .. "byte bx * (BLOCK_N // 2).",
          zh = "整列出错。W 的第 j 列在第 j // 2 个字节里：j 为偶数时是低半字节，奇数时是高半字节；"
            .. "BLOCK_N 列的分块从字节 bx * (BLOCK_N // 2) 开始。"},
        {outcome = "unwritten",
          en = "Nobody wrote part of C: it has 2 * H columns, T.ceildiv(2 * H, BLOCK_N) tiles "
            .. "of them.",
          zh = "C 有一部分没有人写：它有 2 * H 列，即 T.ceildiv(2 * H, BLOCK_N) 个列块。"},
        {outcome = "wrong",
          en = "Is W right? T.cast(byte & 15, T.float16) - 8. In Lua `-` binds more tightly "
            .. "than `&`: byte & 15 - 8 is byte & 7.",
          zh = "W 对吗？T.cast(byte & 15, T.float16) - 8。"
            .. "Lua 中 `-` 比 `&` 结合得更紧：byte & 15 - 8 是 byte & 7。"},
      },
    },
  },
}
