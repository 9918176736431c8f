"$MOONTILE" ../../lua/examples/dequant_gemm.lua small
