"$MOONTILE" ../../lua/examples/splitk_gemm.lua small
