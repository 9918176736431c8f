-- help/files.lua: names of the examples in the program, for `:load` and `:help examples`.

return {
  examples = {
    "quickstart", "vector_add", "transpose", "row_sum", "gemv", "softmax", "layernorm", "rmsnorm",
    "topk", "scale_relu_gemm", "splitk_gemm", "dequant_gemm", "fp8_quant", "conv1d",
    "conv2d_im2col", "linear_attention", "flash_attention",
  },
}
