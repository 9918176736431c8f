"$MOONTILE" ../../lua/examples/scale_relu_gemm.lua small
