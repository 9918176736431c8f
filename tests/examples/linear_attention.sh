"$MOONTILE" ../../lua/examples/linear_attention.lua small
