"$MOONTILE" ../../lua/examples/gemv.lua small
