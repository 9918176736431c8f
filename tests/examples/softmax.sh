"$MOONTILE" ../../lua/examples/softmax.lua small
