"$MOONTILE" ../../lua/examples/row_sum.lua small
