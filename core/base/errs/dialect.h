/* What machines beside NVIDIA's lack: E470 to E479.  See errs.h. */
ERR(gemm_float8, "E470", Lwarning, "{1} cannot multiply 8-bit floats: this T.gemm runs as scalar multiply-adds",
    "{1} 不支持 8 位浮点数的矩阵乘法：这个 T.gemm 以标量乘加执行",
    "no matrix instruction takes `{2}` ({3}) and `{4}` ({5})", "没有接受 `{2}`（{3}）和 `{4}`（{5}）的矩阵指令",
    "T.copy both into tiles of {6}, which is exact, and multiply those", "请用 T.copy 把二者转换为 {6} 分块（转换是精确的），再相乘")
