"$MOONTILE" ../../lua/examples/fp8_quant.lua small
